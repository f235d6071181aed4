import type { Part, Thread, Turn } from '../../src/core/model/thread.js';

/** Longer results are not repeated: a program would sum up what its model cannot hold. */
const longest = 400;

/**
 * A real conversation made long, of so many turns or some more: its own, then those of them that are short again
 * and again, each with its number, so that one that is lost or moved is missed.
 */
export function grown(thread: Thread, length: number): Thread {
  const short = thread.turns.filter((turn) => JSON.stringify(turn).length < longest);
  const turns = [...thread.turns];
  for (let round = 1; turns.length < length && short.length > 0; round++) {
    turns.push(...short.map((turn) => again(turn, round)));
  }
  return { ...thread, turns };
}

const again = (turn: Turn, round: number): Turn => ({
  ...turn,
  id: `${turn.id}-${round}`,
  parts: turn.parts.map((part) => partAgain(part, round)),
});

function partAgain(part: Part, round: number): Part {
  if (part.kind === 'text') return { ...part, text: `${part.text} (${round})` };
  if (part.kind !== 'toolCall') return part;
  const { result } = part;
  return {
    ...part,
    id: `${part.id}_${round}`,
    result: result && { ...result, text: `${result.text} (${round})` },
  };
}
