import type { Edit } from './act.js';

const touched = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm;
const unified = /^\+\+\+ (?:b\/)?([^\t\n]+)/gm;

/** The files that a patch names, each once: of `apply_patch`'s own format, or a unified diff. */
export function filesOfPatch(text: string): readonly string[] {
  const own = [...text.matchAll(touched)];
  const found = own.length > 0 ? own : [...text.matchAll(unified)];
  return [...new Set(found.map(([, path = '']) => path.trim()))].filter(
    (path) => path !== '/dev/null',
  );
}

/** Blocks as Cline and Roo Code write them; Roo Code has a line number between. */
const block =
  /^(?:<{7}|-{7}) SEARCH>?\n(?::start_line:\d+\n(?:-{7}\n)?)?([^]*?)^={7}\n([^]*?)^(?:>{7}|\+{7}) REPLACE/gm;

/** The edits in blocks of `SEARCH` and `REPLACE`. */
export const editsOfBlocks = (text: string): readonly Edit[] =>
  [...text.replaceAll('\r\n', '\n').matchAll(block)].map(([, before = '', after = '']) => ({
    old: withoutLastBreak(before),
    new: withoutLastBreak(after),
  }));

const withoutLastBreak = (text: string): string => text.replace(/\n$/, '');
