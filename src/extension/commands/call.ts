import { z } from 'zod';
import { ExpectedError } from '../../core/errors.js';
import type { Node } from '../views/nodes.js';
import { isNode } from '../views/nodes.js';

/** How a command was called. */
export type Call<Options> =
  | { readonly from: 'palette' }
  | { readonly from: 'tree'; readonly node: Node; readonly selected: readonly Node[] }
  /** By another extension, a test or a keybinding: nothing is asked. */
  | { readonly from: 'program'; readonly options: Options };

/**
 * Reads a command's arguments. From a view's title VS Code passes nothing of use; from a tree item the
 * element and, where several are selected, all of them.
 *
 * @throws ExpectedError `badArguments`
 */
export function readCall<Options>(
  args: readonly unknown[],
  schema: z.ZodType<Options>,
): Call<Options> {
  const [first, second] = args;
  if (first === undefined || first === null) return { from: 'palette' };
  if (isNode(first)) {
    const selected = Array.isArray(second) ? second.filter(isNode) : [];
    return { from: 'tree', node: first, selected: selected.includes(first) ? selected : [first] };
  }
  const read = schema.safeParse(first);
  if (read.success) return { from: 'program', options: read.data };
  throw new ExpectedError('badArguments', 'These are not arguments of this command: {0}', [
    z.prettifyError(read.error),
  ]);
}

export const sessionTargetSchema = z.object({ sessionId: z.string() });
export const threadTargetSchema = z.object({
  threadId: z.string(),
  place: z.object({ turnId: z.string(), turn: z.number(), part: z.number() }).optional(),
});
