import { isDeepStrictEqual } from 'node:util';
import type { Message } from '../core/convert/conversation.js';
import { ExpectedError } from '../core/errors.js';
import type { Part, Thread } from '../core/model/thread.js';
import { foldFile } from './foldFile.js';
import type { Source } from './source.js';
import type { Converted } from './target.js';

/**
 * Finds and reads what was written through the agent's own source, as a window would, and compares
 * it with what was meant.
 *
 * @throws ExpectedError `notReadBack`: the caller then removes what it wrote
 */
export async function readBack(source: Source, converted: Converted): Promise<void> {
  const thread = await readNew(source, converted);
  if (thread === undefined) throw notReadBack(source, 'it is not found');
  const why = whyDifferent(thread, converted.expected);
  if (why !== undefined) throw notReadBack(source, why);
}

/** A session as its own source finds and reads it; undefined when it does not find it. */
export async function readNew(
  source: Source,
  { cwd, nativeId, env, userHome }: Pick<Converted, 'cwd' | 'nativeId' | 'env' | 'userHome'>,
): Promise<Thread | undefined> {
  const { threads } = await source.find({ folders: [cwd], homes: [], env, userHome });
  const found = threads.find((thread) => thread.nativeId === nativeId);
  if (found === undefined) return undefined;
  return (await foldFile(source, found)).thread();
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
