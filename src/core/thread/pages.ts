import type { ThreadDocument, ThreadPlace } from '../engine.js';
import type { Thread, Turn } from '../model/thread.js';
import type { Block } from './blocks.js';
import type { DocumentCall, DocumentLink, DocumentTurn, PartPlace } from './document.js';
import { utf8Length } from './text.js';

/** A turn's heading, and what an outline shows of it. */
export interface Heading {
  readonly from: number;
  /** Grows while further turns go on with the answer. */
  to: number;
  readonly role: Turn['role'];
  readonly name: string;
  readonly detail: string;
}

export interface PageBlock extends Block {
  readonly heading?: Heading;
}

/** Cuts blocks into pages; there is always at least one. A turn that goes on has its heading again. */
export function paginate(
  blocks: readonly PageBlock[],
  pageBytes: number,
): readonly (readonly PageBlock[])[] {
  const pages: PageBlock[][] = [[]];
  let bytes = 0;
  let heading: PageBlock | undefined;
  for (const block of blocks) {
    const size = block.lines.reduce((sum, line) => sum + utf8Length(line) + 1, 1);
    if (bytes > 0 && bytes + size > pageBytes) {
      const last = pages.at(-1) ?? [];
      // A heading goes with what it heads.
      const carried = last.at(-1)?.heading !== undefined && last.length > 1 ? last.splice(-1) : [];
      const goesOn = carried.length === 0 && block.heading === undefined;
      pages.push(goesOn && heading !== undefined ? [continued(heading)] : carried);
      bytes = 0;
    }
    if (block.heading !== undefined) heading = block;
    pages.at(-1)?.push(block);
    bytes += size;
  }
  return pages;
}

const continued = (block: PageBlock): PageBlock => ({
  ...block,
  lines: block.lines.map((line) => `${line} (continued)`),
});

/** The place as the thread has it now. */
export function placeIn(
  { turns }: Thread,
  { turnId, turn, part }: ThreadPlace,
): PartPlace | undefined {
  const now = turns[turn]?.id === turnId ? turn : turns.findIndex(({ id }) => id === turnId);
  return now < 0 ? undefined : { turn: now, part };
}

/** Whether a block shows the place, or what follows it in its turn where that shows nothing. */
export const shows =
  (place: PartPlace) =>
  (block: Block): boolean =>
    block.shows !== undefined && block.shows.turn === place.turn && block.shows.part >= place.part;

type Assembled = Pick<ThreadDocument, 'text' | 'folds' | 'line' | 'turns' | 'links'>;

export function assemble(blocks: readonly PageBlock[], sought: PartPlace | undefined): Assembled {
  const lines: string[] = [];
  const folds: { start: number; end: number }[] = [];
  const turns: OpenTurn[] = [];
  const links: DocumentLink[] = [];
  let found: number | undefined;
  for (const block of blocks) {
    if (lines.length > 0) lines.push('');
    const start = lines.length;
    if (sought && found === undefined && shows(sought)(block)) found = start;
    for (const line of block.lines) lines.push(...line.split('\n'));
    const end = lines.length - 1;
    if (block.folds) folds.push({ start, end });
    links.push(...linksOf(block, start));
    if (block.heading) turns.push({ ...block.heading, start, end, calls: [] });
    else noteInTurn(turns.at(-1), block, start, end);
  }
  const text = `${lines.join('\n')}\n`;
  const assembled = { text, folds, turns, links };
  return found === undefined ? assembled : { ...assembled, line: found };
}

type OpenTurn = Omit<DocumentTurn, 'calls' | 'end'> & {
  readonly calls: DocumentCall[];
  end: number;
};

function noteInTurn(turn: OpenTurn | undefined, block: Block, start: number, end: number): void {
  if (turn === undefined || block.shows === undefined) return;
  turn.end = end;
  if (block.call) turn.calls.push({ ...block.call, ...block.shows, start, end });
}

function linksOf({ links = [], shows }: Block, first: number): readonly DocumentLink[] {
  return links.flatMap(({ line, start, end, to }): readonly DocumentLink[] => {
    const place = { line: first + line, start, end };
    if (to.kind !== 'ownImage') return [{ ...place, to }];
    return shows === undefined ? [] : [{ ...place, to: { kind: 'image', ...shows } }];
  });
}
