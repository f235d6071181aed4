import type { ChangedFile } from '../core/model/changes.js';

/** What `git status --porcelain=v2 -z --branch` says. Names are kept as bytes where they are needed to open files. */
export interface Status {
  /** Absent before the first commit. */
  readonly head?: string | undefined;
  /** Absent when HEAD is detached. */
  readonly branch?: string | undefined;
  readonly files: readonly ChangedFile[];
  /** Paths below the root; a nested repository ends in a slash. */
  readonly untracked: readonly Buffer[];
  /** Conflicted paths without a version of HEAD's own: no diff shows what is in them. */
  readonly orphans: readonly Buffer[];
  /** How many paths are in conflict. */
  readonly conflicts: number;
}

/** Format: https://git-scm.com/docs/git-status#_porcelain_format_version_2. A last entry that was cut off is left out. */
export function parseStatus(output: Buffer): Status {
  const entries = splitAtNul(output);
  let head: string | undefined;
  let branch: string | undefined;
  const files: ChangedFile[] = [];
  const untracked: Buffer[] = [];
  const orphans: Buffer[] = [];
  let conflicts = 0;

  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index] ?? Buffer.alloc(0);
    const text = entry.toString('utf8');
    switch (text[0]) {
      case '#':
        head = headerValue(text, '# branch.oid ', '(initial)') ?? head;
        branch = headerValue(text, '# branch.head ', '(detached)') ?? branch;
        break;
      case '1':
        files.push({ path: afterFields(text, 8), status: letters(text) });
        break;
      case '2': {
        index++;
        const from = entries[index]?.toString('utf8');
        if (from !== undefined) {
          files.push({ path: afterFields(text, 9), from, status: letters(text) });
        }
        break;
      }
      case 'u':
        conflicts++;
        files.push({ path: afterFields(text, 10), status: letters(text) });
        if (text.split(' ', 5)[4] === '000000') orphans.push(bytesAfterFields(entry, 10));
        break;
      case '?':
        untracked.push(entry.subarray(2));
        break;
      default: // newer kinds of headers
    }
  }
  return { head, branch, files, untracked, orphans, conflicts };
}

function splitAtNul(bytes: Buffer): readonly Buffer[] {
  const parts: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, start)) {
    parts.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return parts;
}

const headerValue = (text: string, header: string, none: string): string | undefined =>
  text.startsWith(header) && text !== header + none ? text.slice(header.length) : undefined;

/** Version 2 writes a dot where version 1 has a space. */
const letters = (text: string): string => text.slice(2, 4).replaceAll('.', ' ');

const afterFields = (text: string, fields: number): string =>
  text.split(' ').slice(fields).join(' ');

function bytesAfterFields(entry: Buffer, fields: number): Buffer {
  let start = 0;
  for (let field = 0; field < fields; field++) start = entry.indexOf(' ', start) + 1;
  return entry.subarray(start);
}
