import type { ThreadSummary, Turn } from '../model/thread.js';
import { actOf } from '../tools/act.js';
import type { PartPlace } from './document.js';

type Child = Pick<ThreadSummary, 'id' | 'nativeId' | 'firstPrompt' | 'firstAt'>;

/** The key of a place in the map that {@link subagentsByCall} gives. */
export const placeKey = ({ turn, part }: PartPlace): string => `${turn}.${part}`;

/**
 * Which call started which subagent's thread, by place. Agents do not say it in one way: a call's answer may
 * name the thread, and the thread's first prompt is what the call was given.
 */
export function subagentsByCall(
  turns: readonly Turn[],
  children: readonly Child[],
): ReadonlyMap<string, string> {
  const left = new Set(
    children.toSorted((one, other) => (one.firstAt ?? 0) - (other.firstAt ?? 0)),
  );
  const found = new Map<string, string>();
  const calls = turns.flatMap(({ parts }, turn) =>
    parts.flatMap((part, at) => {
      const act = part.kind === 'toolCall' ? actOf(part) : undefined;
      if (part.kind !== 'toolCall' || act?.kind !== 'task') return [];
      return [{ key: placeKey({ turn, part: at }), act, answer: part.result?.text ?? '' }];
    }),
  );
  const take = (matches: (call: (typeof calls)[number], child: Child) => boolean): void => {
    for (const call of calls.filter(({ key }) => !found.has(key))) {
      const child = [...left].find((each) => matches(call, each));
      if (child === undefined) continue;
      left.delete(child);
      found.set(call.key, child.id);
    }
  };
  take(({ answer }, { nativeId }) => answer.includes(nativeId.replace(/^agent-/, '')));
  take(({ act }, { firstPrompt }) => isSame(act.prompt, firstPrompt));
  return found;
}

/** A kept prompt may be cut. */
function isSame(given: string, kept: string | undefined): boolean {
  const [prompt, start] = [plain(given), plain(kept ?? '').replace(/…$/, '')];
  return start !== '' && (prompt === start || (start.length >= 40 && prompt.startsWith(start)));
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();
