import type { FoundThread, Source, ThreadParser } from '../../src/agents/source.js';
import type { Cursor } from '../../src/core/model/records.js';

/** A thread's parser after all of its records. */
export async function readThread(source: Source, found: FoundThread): Promise<ThreadParser> {
  const parser = source.parser(found.nativeId);
  let cursor: Cursor | undefined;
  for (let more = true; more;) {
    const read = await source.read(found, cursor);
    for (const [at, record] of read.records.entries()) parser.push(record, read.places?.[at]);
    ({ cursor, more } = read);
  }
  return parser;
}
