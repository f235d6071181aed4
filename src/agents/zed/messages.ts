import type { Part } from '../../core/model/thread.js';
import { fieldsOf, isString, objectsOf, textOf, timeOf, type Fields } from '../json.js';
import { callParts, imagePart, textParts, type ToolResult } from '../parts.js';
import { usageApart } from '../tokens.js';
import type { RowDialect } from '../sqlite/rowThread.js';
import type { Step } from '../sqlite/steps.js';

/**
 * A thread of Zed's own agent. Since 0.3 a message is `{User: …}`, `{Agent: …}` or `"Resume"`, its content a list
 * of `{Text: …}`, `{ToolUse: …}` and so on; before, it had a role, segments, uses and results.
 */
export const zedDialect: RowDialect = {
  agent: 'zed',
  table: 'message',
  rowsArePlaces: true,
  stepOf: (row) => {
    const place = typeof row['place'] === 'number' ? row['place'] : 0;
    const base = { id: `message-${place}`, place };
    const value = fieldsOf(row['value']);
    if (value === undefined) return { ...base, role: 'none', parts: [] };
    const { User: user, Agent: agent } = value;
    if (isString(value['role'])) return { ...base, ...oldStep(value) };
    if (fieldsOf(user)) return { ...base, ...prompt(objectsOf(fieldsOf(user)?.['content'])) };
    if (fieldsOf(agent)) return { ...base, ...answer(fieldsOf(agent) ?? {}) };
    const summary = fieldsOf(value['Compaction'])?.['summary'] ?? value['Summary'];
    const notice = isString(summary) ? ({ kind: 'compaction', text: summary } as const) : undefined;
    return { ...base, role: 'none', parts: [], ...(notice && { notice }) };
  },
  about: (before, table, row) => {
    if (table !== 'thread') return before;
    const thread = fieldsOf(row['thread']) ?? {};
    const { initial_project_snapshot: snapshot, model } = thread;
    const [tree] = objectsOf(fieldsOf(snapshot)?.['worktree_snapshots']);
    return {
      id: textOf(row['id']),
      title: textOf(row['summary']) ?? textOf(thread['title']) ?? textOf(thread['summary']),
      cwd: foldersOf(row)[0] ?? textOf(tree?.['worktree_path']),
      branch: textOf(fieldsOf(tree?.['git_state'])?.['current_branch']),
      parent: textOf(row['parent_id']),
      version: textOf(thread['version']),
      model: textOf(fieldsOf(model)?.['model']),
      tokens: usageApart(thread['cumulative_token_usage']),
      times: [timeOf(row['created_at']), timeOf(row['updated_at'])],
    };
  },
};

/** The folders that a thread was about: a line each. */
export const foldersOf = (row: Fields): readonly string[] =>
  (textOf(row['folder_paths']) ?? '').split('\n').filter((path) => path !== '');

type Told = Omit<Step, 'id' | 'place'>;

function prompt(content: readonly Fields[]): Told {
  const parts = content.flatMap((item): readonly Part[] => {
    const { Text: text, Mention: mention, Image: image } = item;
    if (isString(text)) return textParts(text);
    if (fieldsOf(mention)) return [mentioned(fieldsOf(mention)?.['uri'])];
    return fieldsOf(image) ? [imagePart('image/png', fieldsOf(image)?.['source'])] : [];
  });
  const typed = content
    .map(({ Text: text }) => textOf(text) ?? '')
    .join('')
    .trim();
  return { role: parts.length > 0 ? 'user' : 'none', typed, parts };
}

/** `{File: {abs_path}}`, `{Selection: {…}}` and others; the path is what tells most. */
function mentioned(uri: unknown): Part {
  const [kind = 'mention', inner] = Object.entries(fieldsOf(uri) ?? {})[0] ?? [];
  const fields = fieldsOf(inner);
  const name = textOf(fields?.['abs_path']) ?? textOf(fields?.['path']) ?? textOf(fields?.['name']);
  return { kind: 'attachment', name: name ?? textOf(uri) ?? kind };
}

function answer({ content, tool_results: results }: Fields): Told {
  const parts = objectsOf(content).flatMap((item): readonly Part[] => {
    const { Text: text, Thinking: thinking, ToolUse: use } = item;
    if (isString(text)) return textParts(text);
    if (fieldsOf(thinking)) {
      return [{ kind: 'thinking', text: textOf(fieldsOf(thinking)?.['text']) ?? '' }];
    }
    if ('RedactedThinking' in item) return [{ kind: 'thinking', text: '' }];
    return fieldsOf(use) ? call(fieldsOf(use) ?? {}) : [];
  });
  const answers = Object.entries(fieldsOf(results) ?? {});
  return {
    role: 'assistant',
    parts,
    results: answers.map(([id, result]) => [id, resultOf(fieldsOf(result) ?? {})]),
  };
}

const call = ({ id, name, input }: Fields): readonly Part[] =>
  callParts({ id: textOf(id) ?? '', name: textOf(name) ?? '', input }, undefined);

/** Content is a text, or tagged as one, or an image. */
function resultOf({ content, output, is_error: isError }: Fields): ToolResult {
  const tagged = fieldsOf(content);
  const text = textOf(content) ?? textOf(tagged?.['Text']) ?? textOf(output);
  const image = fieldsOf(tagged?.['Image']);
  return {
    text: text ?? '',
    isError: isError === true,
    media: image ? [imagePart('image/png', image['source'])] : [],
  };
}

function oldStep(message: Fields): Told {
  const segments = objectsOf(message['segments']);
  const thinking = ({ type }: Fields): boolean =>
    type === 'thinking' || type === 'redacted_thinking';
  const said = segments.flatMap((segment): readonly Part[] =>
    thinking(segment)
      ? [{ kind: 'thinking', text: textOf(segment['text']) ?? '' }]
      : textParts(textOf(segment['text'])),
  );
  const results = objectsOf(message['tool_results']).map(
    (result) => [textOf(result['tool_use_id']) ?? '', resultOf(result)] as const,
  );
  if (message['role'] === 'assistant') {
    const calls = objectsOf(message['tool_uses']).flatMap(call);
    return { role: 'assistant', parts: [...said, ...calls], results };
  }
  const typed = segments
    .map(({ text }) => textOf(text) ?? '')
    .join('')
    .trim();
  // Results came back in messages of the user's without words.
  const isTyped = message['role'] === 'user' && typed !== '';
  return { role: isTyped ? 'user' : 'none', typed, parts: isTyped ? said : [], results };
}
