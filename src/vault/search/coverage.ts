import type { ImageThread } from './imageSchema.js';

/** What images together hold of one conversation. */
export interface Covered {
  readonly records: number;
  readonly rows: number;
  /** Of all these rows. */
  readonly digest: string;
  /** The images that count, by name, each with the conversation's number in it. */
  readonly parts: readonly { readonly image: string; readonly thread: number }[];
}

interface Section extends ImageThread {
  readonly image: string;
  readonly number: number;
}

/**
 * Which images' rows count, for each conversation: those that begin it and, one behind the other, those that go
 * on exactly where the one before ends. What another process indexed too, what is of an older generation, and what
 * was indexed again because the conversation changed, does not count, so that nothing is found twice.
 *
 * @param shown the generation of each conversation that is shown
 */
export function coverageOf(
  images: Iterable<{ readonly name: string; readonly threads: readonly ImageThread[] }>,
  shown: (threadId: string) => number | undefined,
): ReadonlyMap<string, Covered> {
  const sections = new Map<string, Section[]>();
  for (const { name, threads } of images) {
    for (const [number, thread] of threads.entries()) {
      if (thread.generation !== shown(thread.id)) continue;
      const list = sections.get(thread.id) ?? [];
      sections.set(thread.id, list);
      list.push({ ...thread, image: name, number });
    }
  }
  const covered = new Map<string, Covered>();
  for (const [id, list] of sections) {
    const best = bestChain(list);
    if (best) covered.set(id, best);
  }
  return covered;
}

function bestChain(sections: readonly Section[]): Covered | undefined {
  let best: Covered | undefined;
  for (const first of sections) {
    if (first.firstRow > 0) continue;
    const chain = chainFrom(first, sections);
    if (!best || chain.records > best.records) best = chain;
  }
  return best;
}

function chainFrom(first: Section, sections: readonly Section[]): Covered {
  const chain = [first];
  for (let next: Section | undefined = first; next;) {
    const end: Section = next;
    next = furthest(
      sections.filter(
        ({ firstRow, before, records }) =>
          firstRow === end.rows && before === end.digest && records > end.records,
      ),
    );
    if (next) chain.push(next);
  }
  const last = chain.at(-1) ?? first;
  return {
    records: last.records,
    rows: last.rows,
    digest: last.digest,
    parts: chain.map(({ image, number }) => ({ image, thread: number })),
  };
}

const furthest = (sections: readonly Section[]): Section | undefined =>
  sections.reduce<Section | undefined>(
    (best, section) => (section.records > (best?.records ?? -1) ? section : best),
    undefined,
  );
