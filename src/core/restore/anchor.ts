import type { ViewState } from '../model/editors.js';

/** How far from its old place a line is looked for, in lines each way. */
const reach = 100;

/** Longer lines are compared, and kept, by their beginning. */
export const anchorLength = 200;

/**
 * The view state moved to where its cursor's line is now. The line is looked for by its text, from its
 * old number outwards, the nearer first and upwards before downwards; when it is gone, the numbers
 * stay and are clamped to the text.
 *
 * @param lineAt text of a line, for numbers from 0 to `lines - 1`
 */
export function reanchor(
  view: ViewState,
  lines: number,
  lineAt: (line: number) => string,
): ViewState {
  const cursor = view.selections[0]?.[2] ?? view.top ?? 0;
  const shift = findLine(view.anchor, cursor, lines, lineAt) - cursor;
  const clamp = (line: number): number => Math.min(Math.max(line, 0), Math.max(lines - 1, 0));
  return {
    ...view,
    selections: view.selections.map(([anchorLine, anchorCharacter, line, character]) => [
      clamp(anchorLine + shift),
      anchorCharacter,
      clamp(line + shift),
      character,
    ]),
    ...(view.top === undefined ? {} : { top: clamp(view.top + shift) }),
  };
}

function findLine(
  text: string | undefined,
  from: number,
  lines: number,
  lineAt: (line: number) => string,
): number {
  // Blank lines are everywhere: the nearest one says nothing.
  if (text === undefined || text.trim() === '') return from;
  const holds = (line: number): boolean =>
    line >= 0 && line < lines && lineAt(line).slice(0, anchorLength) === text;
  for (let distance = 0; distance <= reach; distance++) {
    if (holds(from - distance)) return from - distance;
    if (holds(from + distance)) return from + distance;
  }
  return from;
}
