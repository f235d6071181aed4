import { isDeepStrictEqual } from 'node:util';
import type { Message } from '../core/convert/conversation.js';
import { ExpectedError } from '../core/errors.js';
import type { Cursor } from '../core/model/records.js';
import type { Part, Thread } from '../core/model/thread.js';
import type { Source } from './source.js';
import type { Converted } from './target.js';

/**
 * Finds and reads what was written through the agent's own source, as a window would, and compares
 * it with what was meant.
 *
 * @throws ExpectedError `notReadBack`: the caller then removes what it wrote
 */
export async function readBack(source: Source, converted: Converted): Promise<void> {
  const { env, userHome, cwd, nativeId, expected } = converted;
  const query = { folders: [cwd], homes: [], env, userHome };
  const { threads } = await source.find(query);
  const found = threads.find((thread) => thread.nativeId === nativeId);
  if (found === undefined) throw notReadBack(source, 'it is not found');
  const parser = source.parser(nativeId);
  let cursor: Cursor | undefined;
  for (let more = true; more;) {
    const read = await source.read(found, cursor);
    for (const [at, record] of read.records.entries()) parser.push(record, read.places?.[at]);
    ({ cursor, more } = read);
  }
  const why = whyDifferent(parser.thread(), expected);
  if (why !== undefined) throw notReadBack(source, why);
}

const notReadBack = ({ name }: Source, why: string): ExpectedError =>
  new ExpectedError(
    'notReadBack',
    'What was written for {0} could not be read back ({1}). It was removed again.',
    [name, why],
    { next: 'Please report it; the conversation itself is untouched.' },
  );

/** The first difference between a thread and what it was meant to hold, in a few words. */
export function whyDifferent(
  thread: Thread,
  expected: readonly Message[] | number,
): string | undefined {
  if (typeof expected === 'number') {
    const count = thread.turns.length;
    return count === expected ? undefined : `${count} turns instead of ${expected}`;
  }
  if (thread.skipped.length > 0) return 'a record is broken';
  return differentCalls(thread, expected) ?? missingText(thread, expected);
}

const partsOf = ({ turns }: Thread): readonly Part[] => turns.flatMap(({ parts }) => parts);

function differentCalls(thread: Thread, expected: readonly Message[]): string | undefined {
  const wanted = expected.flatMap((message) => (message.role === 'assistant' ? message.calls : []));
  const calls = partsOf(thread).flatMap((part) => (part.kind === 'toolCall' ? [part] : []));
  if (calls.length !== wanted.length) {
    return `${calls.length} tool calls instead of ${wanted.length}`;
  }
  const at = calls.findIndex((call, index) => {
    const want = wanted[index];
    const isSame =
      call.name === want?.name && isDeepStrictEqual(call.input, want.input) && call.result;
    return !isSame;
  });
  return at < 0 ? undefined : `tool call ${at + 1} differs`;
}

/** Texts may be joined, or shown in other ways; none of them may be missing or out of order. */
function missingText(thread: Thread, expected: readonly Message[]): string | undefined {
  const shown = partsOf(thread)
    .map((part) => ('text' in part ? part.text : ''))
    .join('\n');
  let from = 0;
  for (const [at, text] of expected.flatMap(textsOf).entries()) {
    const found = shown.indexOf(text, from);
    if (found < 0) return `text ${at + 1} is missing`;
    from = found + text.length;
  }
  return undefined;
}

/** What the program itself puts into a person's name is not shown as such: it is told by its beginning. */
const isShownOtherwise = (text: string): boolean =>
  /^\s*(?:[<[#(/]|Caveat:|This session)/.test(text);

function textsOf(message: Message): readonly string[] {
  if (message.role === 'summary') return [];
  const texts = message.content.flatMap((part) => (part.kind === 'text' ? [part.text.trim()] : []));
  return message.role === 'user' ? texts.filter((text) => !isShownOtherwise(text)) : texts;
}
