/** What a patch says of one file: the lines that it names, before and after. */
export interface PatchFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

const fileHead = /^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ (?:b\/)?)([^\t]+)/;

/** The files of a patch, in the form of `apply_patch` or a unified diff; lines apart are set apart by `⋯`. */
export function filesOf(patch: string): readonly PatchFile[] {
  const files: { path: string; before: string[]; after: string[] }[] = [];
  for (const line of patch.split(/\r?\n/)) {
    const path = fileHead.exec(line)?.[1]?.trim();
    const file = files.at(-1);
    if (path !== undefined && path !== '/dev/null') files.push({ path, before: [], after: [] });
    else if (file === undefined || line.startsWith('--- ') || line.startsWith('*** ')) continue;
    else takeLine(file, line);
  }
  return files.map(({ path, before, after }) => ({
    path,
    before: before.join('\n'),
    after: after.join('\n'),
  }));
}

function takeLine(file: { before: string[]; after: string[] }, line: string): void {
  const rest = line.slice(1);
  if (line.startsWith('@@')) {
    if (file.before.length > 0) file.before.push('⋯');
    if (file.after.length > 0) file.after.push('⋯');
  } else if (line.startsWith('+')) file.after.push(rest);
  else if (line.startsWith('-')) file.before.push(rest);
  else if (line.startsWith(' ') || line === '') {
    file.before.push(rest);
    file.after.push(rest);
  }
}
