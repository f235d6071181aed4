import type { Turn } from '../model/thread.js';
import { actOf, type Act, type Edit } from '../tools/act.js';
import type { PartPlace } from './document.js';
import { filesOf } from './patchFiles.js';

/** What a tool call did to one file. */
export interface FileChange {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** The texts are the whole file; else only the parts that the call names. */
  readonly isWhole: boolean;
}

/** Stands between parts of a file that lie apart. */
const gap = '\n⋯\n';

/**
 * What the tool call at a place did to files, from what it was given. The whole file is known where the
 * conversation wrote it before and every edit since can be followed.
 */
export function changesAt(turns: readonly Turn[], place: PartPlace): readonly FileChange[] {
  const known = new Map<string, string>();
  for (const [number, { parts }] of turns.entries()) {
    for (const [at, part] of parts.entries()) {
      if (part.kind !== 'toolCall') continue;
      const act = actOf(part);
      if (act === undefined) continue;
      if (number === place.turn && at === place.part) return changesOf(act, known);
      if (part.result?.isError === false) follow(act, known);
    }
    if (number >= place.turn) break;
  }
  return [];
}

function changesOf(act: Act, known: ReadonlyMap<string, string>): readonly FileChange[] {
  if (act.kind === 'patch') {
    return filesOf(act.text).map((file) => ({ ...file, isWhole: false }));
  }
  if (act.kind === 'write') {
    const { path, text } = act;
    return [{ path, before: known.get(path) ?? '', after: text, isWhole: known.has(path) }];
  }
  if (act.kind !== 'edit') return [];
  const { path, edits } = act;
  const before = known.get(path);
  const after = before === undefined ? undefined : edited(before, edits);
  if (before !== undefined && after !== undefined) return [{ path, before, after, isWhole: true }];
  const side = (of: (edit: Edit) => string): string => edits.map(of).join(gap);
  return [
    { path, before: side((edit) => edit.old), after: side((edit) => edit.new), isWhole: false },
  ];
}

/** Keeps what files are after a call, or forgets those that it changed in a way that cannot be followed. */
function follow(act: Act, known: Map<string, string>): void {
  if (act.kind === 'write') known.set(act.path, act.text);
  else if (act.kind === 'patch') for (const path of act.paths) known.delete(path);
  else if (act.kind === 'edit') {
    const after = edited(known.get(act.path), act.edits);
    if (after === undefined) known.delete(act.path);
    else known.set(act.path, after);
  } else if (act.kind === 'shell') known.clear();
}

/** The text after edits; undefined where one does not fit it. */
function edited(text: string | undefined, edits: readonly Edit[]): string | undefined {
  let now = text;
  for (const edit of edits) {
    if (now === undefined || edit.old === '' || !now.includes(edit.old)) return undefined;
    const pieces = now.split(edit.old);
    const [first = '', ...rest] = pieces;
    now = edit.all === true ? pieces.join(edit.new) : first + edit.new + rest.join(edit.old);
  }
  return now;
}
