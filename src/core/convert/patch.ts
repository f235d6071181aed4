import type { Arguments, Op } from './toolOps.js';

const begin = '*** Begin Patch';
const end = '*** End Patch';

/**
 * What a patch in Codex's own form (`apply_patch`) does, where it is one thing: a new file, or one
 * place in one file. Anything more is not one call of another agent's tool.
 */
export function readPatch(
  patch: string,
): { readonly op: Op; readonly args: Arguments } | undefined {
  const lines = patch.trim().split('\n');
  if (lines[0]?.trim() !== begin || lines.at(-1)?.trim() !== end) return undefined;
  const [head = '', ...body] = lines.slice(1, -1);
  const [, kind, path] = /^\*\*\* (Add|Update) File: (.+)$/.exec(head) ?? [];
  if (path === undefined || body.some((line) => line.startsWith('*** '))) return undefined;
  if (kind === 'Add') {
    const isAdded = body.every((line) => line.startsWith('+'));
    const content = body.map((line) => `${line.slice(1)}\n`).join('');
    return isAdded ? { op: 'write', args: { path, content } } : undefined;
  }
  return readHunk(path, body);
}

function readHunk(path: string, body: readonly string[]) {
  const [first = '', ...rest] = body;
  // A place that is told by a line of its own cannot be told to a tool that looks for text.
  const lines = first.trim() === '@@' ? rest : body;
  const isHunk = lines.length > 0 && lines.every((line) => /^[ +-]|^$/.test(line));
  if (!isHunk) return undefined;
  const without = (sign: string): string =>
    lines
      .filter((line) => !line.startsWith(sign))
      .map((line) => line.slice(1))
      .join('\n');
  const old = without('+');
  return old === '' ? undefined : { op: 'edit' as const, args: { path, old, new: without('-') } };
}
