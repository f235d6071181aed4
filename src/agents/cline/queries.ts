import { textsIn } from '../contentBlocks.js';
import { fieldsOf, isString, objectsOf, textOf, type Fields } from '../json.js';
import type { Saying } from '../sayings.js';

type Result = Extract<Saying, { kind: 'result' }>;

/**
 * The results of a message, as the command line's tools give them: one item for each command, file or search of
 * the call, as objects or as the JSON of one (seen with 3.0.65). Others stay as they are.
 */
export function withQueries(content: unknown, results: readonly Result[]): readonly Result[] {
  const blocks = objectsOf(content).filter(({ type }) => type === 'tool_result');
  return results.map((saying, at) => {
    const queries = queriesIn(blocks[at]?.['content']);
    if (queries.length === 0) return saying;
    const text = queries.map(answerIn).join('\n');
    const isError = saying.result.isError || queries.some(({ success }) => success === false);
    return { ...saying, result: { ...saying.result, text, isError } };
  });
}

const queriesIn = (content: unknown): readonly Fields[] => {
  const items = isString(content) ? [parsed(content)].flatMap((one) => one ?? []) : content;
  const queries = objectsOf(items);
  return queries.every(isQuery) ? queries : [];
};

const isQuery = ({ query, success }: Fields): boolean =>
  isString(query) && typeof success === 'boolean';

const answerIn = ({ result, error }: Fields): string =>
  textOf(result) ?? (textsIn(result).join('\n') || (textOf(error) ?? ''));

function parsed(text: string): Fields | undefined {
  if (!text.startsWith('{"query":')) return undefined;
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}
