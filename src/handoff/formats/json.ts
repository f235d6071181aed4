import { isoTime, type ReadableFormat } from './readable.js';

/** The version of this shape; see docs/format.md. */
export const jsonVersion = 1;

/** Turns as Keepthread understands them, of every agent in one shape. */
export const json: ReadableFormat = async function* (readable) {
  const { session, snapshots, author, createdAt, tool } = readable;
  const head = {
    format: 'keepthread-turns',
    version: jsonVersion,
    tool,
    createdAt: isoTime(createdAt),
    author,
    session,
    snapshots,
  };
  yield `${JSON.stringify(head).slice(0, -1)},"threads":[`;
  let isFirst = true;
  for await (const thread of readable.threads) {
    yield `${isFirst ? '' : ','}\n${JSON.stringify(thread)}`;
    isFirst = false;
  }
  yield `\n],"redaction":${JSON.stringify(readable.redaction())}}\n`;
};
