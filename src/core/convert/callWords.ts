import type { ToolCall } from '../model/thread.js';

/**
 * A call and what it answered as a model reads them where a conversation can hold words alone: the result between
 * marks that do not occur in it.
 */
export function callWords({ name, input }: ToolCall, result: string, isError: boolean): string {
  const given = input === undefined || input === null ? '' : ` with ${JSON.stringify(input)}`;
  const mark = unusedMark(result);
  const outcome = isError ? 'It failed:' : 'It answered:';
  return [`(Called the tool ${name}${given}. ${outcome})`, mark, result, mark].join('\n');
}

function unusedMark(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  return '`'.repeat(longest + 1);
}
