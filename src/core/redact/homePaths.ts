/** Offsets in a text, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface HomePath extends Span {
  /** The name of the person whose home it is, as it stands in the text. */
  readonly user: string;
}

/** Below these folders lie homes. What stands between the two signs is the separator, in whatever form. */
const parent = /(?:[hH]ome|HOME|[uU]sers|USERS)(?=[/\\%-])/g;
const separator = /\/{1,2}|%2f|\\{1,8}|%5c|-/iy;

/** Folders beside homes, and the first steps of addresses on the web that begin as a home does. */
const noPeople = new Set(
  `shared public default all guest linuxbrew runneradmin about page pages index dashboard src components
  screens views tab tabs settings assets images static api styles feed search section hero banner header
  footer content lib bin etc opt tmp var`.split(/\s+/),
);

const before = {
  // Drives of Windows as they are, in MSYS, Cygwin and WSL; a share of WSL; where systems link homes from.
  slash:
    /(?:\/\/\?\/|\/)?(?:[A-Za-z](?::|%3a)|(?<![\w.])\/(?:mnt\/|cygdrive\/)?[A-Za-z])$|(?<![\w.])\/(?:var|export|usr|System\/Volumes\/Data)$/i,
  backslash: /(?:\\{2,16}\?\\{1,8})?[A-Za-z]:$|\\{2,16}wsl(?:\$|\.localhost)\\{1,8}[\w.-]{1,40}$/i,
  encoded: /[A-Za-z](?::|%3a)$|%2f[A-Za-z](?::|%3a)$/i,
  // `C--Users-bob` and `-mnt-c-Users-bob`: paths with every other sign made a dash, as folders' names.
  dash: /[A-Za-z]-$|-mnt-[a-z]$/,
};
const LOOK_BACK = 64;

/** A scheme and a host end there, so what follows is a path of that host: `vscode-remote://wsl+ubuntu`. */
const authority =
  /\b(?:file|vscode-remote|vscode-vfs|vscode-[a-z-]+|ssh|sftp):\/\/[\w.+%@:-]{0,80}$/;

/** The homes in a text, whoever's they are. */
export function homePathsIn(text: string): readonly HomePath[] {
  const found: HomePath[] = [];
  for (const match of text.matchAll(parent)) {
    const home = homeAt(text, match.index, match[0]);
    if (home) found.push(home);
  }
  return found;
}

function homeAt(text: string, at: number, word: string): HomePath | undefined {
  const after = at + word.length;
  separator.lastIndex = after;
  const sign = separator.exec(text)?.[0];
  if (sign === undefined || !text.startsWith(sign, at - sign.length)) return undefined;
  const start = startOf(text, at - sign.length, sign, word);
  if (start === undefined) return undefined;
  const from = after + sign.length;
  const user = nameAt(text, from, sign, text.slice(start, at).includes(':'));
  if (user === undefined || noPeople.has(user.toLowerCase())) return undefined;
  return { start, end: from + user.length, user };
}

function startOf(text: string, at: number, sign: string, word: string): number | undefined {
  const near = text.slice(Math.max(0, at - LOOK_BACK), at);
  const style = sign.startsWith('/')
    ? 'slash'
    : sign.startsWith('\\')
      ? 'backslash'
      : sign === '-'
        ? 'dash'
        : 'encoded';
  const prefix = before[style].exec(near)?.[0];
  if (prefix !== undefined) {
    const start = at - prefix.length;
    const isInWord = /[\w.]$/.test(text.slice(Math.max(0, start - 1), start));
    const leading = /^\/[A-Za-z](?::|%3a)/i.test(prefix) ? 1 : 0;
    if (!isInWord || style === 'encoded') return start + leading;
  }
  // Routes of web services are called `/users/...`, and only Windows does not mind the case.
  if (style === 'backslash' || /^(?:users|USERS|HOME|Home)$/.test(word)) return undefined;
  if (style === 'dash') return /[\w.-]$/.test(near) ? undefined : at;
  // The address of a file stays one.
  if (authority.test(near)) return at + 1;
  return /[\w.~)}\]$*-]$/.test(near) ? undefined : at;
}

/** Names of Windows may hold spaces, where a separator ends them. */
const spaced = /[\p{L}\d][\p{L}\d._'-]{0,30}(?: [\p{L}\d._'-]{1,30}){1,3}(?=\\{1,8}[^\s\\])/uy;
const plain = /[\p{L}\d_][\p{L}\d._+@-]{0,62}/uy;
const encoded = /(?:[\p{L}\d_.+@-]|%[4-9a-f][0-9a-f]|%20){1,62}?(?=%2f|%5c|[^\p{L}\d_.+@%-]|$)/iuy;
const munged = /[\p{L}\d_]{1,62}/uy;

function nameAt(text: string, from: number, sign: string, isWindows: boolean): string | undefined {
  const patterns =
    sign === '-'
      ? [munged]
      : sign.startsWith('%')
        ? [encoded]
        : sign.startsWith('\\') && isWindows
          ? [spaced, plain]
          : [plain];
  for (const pattern of patterns) {
    pattern.lastIndex = from;
    const name = pattern.exec(text)?.[0].replace(/[.,]+$/, '');
    if (name !== undefined && name !== '') return name;
  }
  return undefined;
}
