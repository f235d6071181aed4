import { fieldsOf, isString, objectsOf, textOf, timeOf, type Fields } from '../json.js';
import { callParts, textParts, type ToolResult } from '../parts.js';
import type { RowDialect } from '../sqlite/rowThread.js';
import type { Step } from '../sqlite/steps.js';

/** A conversation of the first engine: what went to the model, and what came of it, in turn. */
export const exchangeDialect: RowDialect = {
  agent: 'kiro',
  table: 'said',
  rowsArePlaces: true,
  stepOf: (row) => {
    const id = textOf(row['id']) ?? '';
    const place = typeof row['place'] === 'number' ? row['place'] : 0;
    const base = { id, place };
    const [user, assistant] = [fieldsOf(row['user']), fieldsOf(row['assistant'])];
    if (user !== undefined) return { ...base, ...asked(user) };
    if (assistant === undefined) return { ...base, role: 'none', parts: [] };
    return { ...base, ...answered(assistant, fieldsOf(row['request_metadata']) ?? {}) };
  },
  about: (before, table, row) => {
    if (table !== 'conversation') return before;
    const about = fieldsOf(row['about']) ?? {};
    return {
      id: textOf(about['conversation_id']) ?? textOf(row['conversation_id']),
      cwd: textOf(row['key']),
      model: textOf(fieldsOf(about['model_info'])?.['model_id']) ?? textOf(about['model']),
      times: [row['created_at'], row['updated_at']].map((at) =>
        typeof at === 'number' && at > 0 ? at : undefined,
      ),
    };
  },
};

type Told = Omit<Step, 'id' | 'place'>;

/** A prompt, results of calls, or the news that calls were refused, with what the person said instead. */
function asked(user: Fields): Told {
  const content = fieldsOf(user['content']) ?? {};
  const [kind] = ['Prompt', 'CancelledToolUses', 'ToolUseResults']
    .map((name) => fieldsOf(content[name]))
    .filter((found) => found !== undefined);
  const typed = (textOf(kind?.['prompt']) ?? '').trim();
  const results = objectsOf(kind?.['tool_use_results']).map(
    (result) => [textOf(result['tool_use_id']) ?? '', resultIn(result)] as const,
  );
  const parts = textParts(typed);
  return {
    role: typed === '' ? 'none' : 'user',
    at: timeOf(user['timestamp']),
    typed,
    parts,
    results,
  };
}

function answered(assistant: Fields, request: Fields): Told {
  const answer = fieldsOf(assistant['ToolUse']) ?? fieldsOf(assistant['Response']);
  if (answer === undefined) return { role: 'none', parts: [] };
  const calls = objectsOf(answer['tool_uses']).flatMap(({ id, name, args }) =>
    callParts({ id: textOf(id) ?? '', name: textOf(name) ?? '', input: args }, undefined),
  );
  const at = request['stream_end_timestamp_ms'];
  return {
    role: 'assistant',
    at: typeof at === 'number' && at > 0 ? at : undefined,
    model: textOf(request['model_id']),
    parts: [...textParts(textOf(answer['content'])), ...calls],
  };
}

/** Items are texts or JSON, each named by its kind. */
function resultIn({ content, status }: Fields): ToolResult {
  const items = isString(content) ? [{ Text: content }] : objectsOf(content);
  const text = items
    .map(
      (item) =>
        textOf(item['Text']) ?? textOf(item['text']) ?? JSON.stringify(item['Json'] ?? item),
    )
    .join('\n');
  return { text, isError: isString(status) && /^(?:error|cancelled)$/i.test(status) };
}
