import type { Part, Thread, Turn } from '../core/model/thread.js';
import type { Mask } from './redaction/handoffMask.js';

/**
 * A thread fit to be given to another agent, and to its maker: no secret is left in what it says. Pictures and ids stay as
 * they are.
 *
 * @throws ExpectedError `notScanned`
 */
export function maskedThread(
  thread: Thread,
  mask: Mask,
): {
  readonly thread: Thread;
  /** Turns in which something was masked. */ readonly masked: number;
} {
  const { title, todos, turns } = thread;
  const bare = turns.map(withoutPictures);
  // All at once: the same secret gets the same number wherever it stands.
  const clean = mask({ title, todos, turns: bare });
  let masked = 0;
  const kept = clean.turns.map((turn, at) => {
    const before = turns[at];
    if (before === undefined || turn === bare[at]) return before ?? turn;
    masked += 1;
    return { ...turn, id: before.id, parts: turn.parts.map(withPictureOf(before)) };
  });
  return { thread: { ...thread, title: clean.title, todos: clean.todos, turns: kept }, masked };
}

/** Base64 looks like a secret everywhere, and is none. */
function withoutPictures(turn: Turn): Turn {
  if (!turn.parts.some((part) => part.kind === 'image' && part.data !== undefined)) return turn;
  return { ...turn, parts: turn.parts.map(withoutData) };
}

function withoutData(part: Part): Part {
  if (part.kind !== 'image') return part;
  const { kind, mediaType, bytes, name } = part;
  return { kind, mediaType, bytes, ...(name !== undefined && { name }) };
}

const withPictureOf =
  ({ parts }: Turn) =>
  (part: Part, at: number): Part => {
    const before = parts[at];
    if (part.kind !== 'image' || before?.kind !== 'image' || before.data === undefined) return part;
    return { ...part, data: before.data };
  };
