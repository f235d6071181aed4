import { fieldsOf, textOf, type Fields } from '../json.js';
import type { RowDialect } from '../sqlite/rowThread.js';
import { pathOfUri, uriOf } from '../vscode-chat/values.js';
import { momentOf, stepOfBubble, todosOf } from './bubbles.js';

/** A conversation of Cursor's editor: its composer, some members at a time, and its bubbles. */
export const composerDialect: RowDialect = {
  agent: 'cursor',
  table: 'bubble',
  stepOf: (row) => {
    const value = fieldsOf(row['value']);
    const id = textOf(row['id']) ?? '';
    if (value === undefined) return undefined;
    const place = row['place'];
    // What the conversation does not name is left over from something that was taken back.
    return typeof place === 'number'
      ? { ...stepOfBubble(id, value), place }
      : { ...stepOfBubble(id, value), place: -1, isLeftOver: true };
  },
  about: (before, table, row) => {
    const composer = table === 'composer' ? (fieldsOf(row['value']) ?? {}) : {};
    const { status, createdAt, lastUpdatedAt } = composer;
    const model = textOf(fieldsOf(composer['modelConfig'])?.['modelName']);
    return {
      id: textOf(composer['composerId']) ?? before.id,
      title: textOf(composer['name']) ?? before.title,
      cwd: folderOf(composer) ?? before.cwd,
      model: model ?? before.model,
      todos: 'todos' in composer ? todosOf(composer) : before.todos,
      times: [momentOf(createdAt), momentOf(lastUpdatedAt)],
      working: status === 'generating' ? true : undefined,
    };
  },
};

function folderOf(composer: Fields): string | undefined {
  const uri = fieldsOf(composer['workspaceIdentifier'])?.['uri'];
  const text = uriOf(uri);
  return textOf(fieldsOf(uri)?.['fsPath']) ?? (text === undefined ? undefined : pathOfUri(text));
}
