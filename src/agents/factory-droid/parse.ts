import type { Todo } from '../../core/model/thread.js';
import { checklistIn } from '../checklist.js';
import { answerSayings, imagesIn, resultSayings, textsIn } from '../contentBlocks.js';
import { withoutHeadBlocks } from '../headBlocks.js';
import { fieldsOf, isString, objectsOf, textOf, type Fields } from '../json.js';
import { sayingsParser } from '../sayingsParser.js';
import type { Said, Saying } from '../sayings.js';

export const agent = 'factory-droid';

/** A parser of sessions of Factory's droid: messages as Anthropic's service takes them, in envelopes. */
export const droidParser = sayingsParser({ agent, reader: () => readRecord });

function readRecord(record: Fields): Said {
  const { id, type, timestamp, parentId } = record;
  const says = sayings(record);
  const isPrompt = says.some(({ kind }) => kind === 'prompt');
  return {
    id: type === 'message' ? textOf(id) : undefined,
    // Results of parallel calls hang on the side; a prompt that does is one that was edited.
    parent: isPrompt ? textOf(parentId) : undefined,
    times: [timestamp],
    says,
  };
}

function sayings(record: Fields): readonly Saying[] {
  switch (record['type']) {
    case 'session_start':
      return [
        {
          kind: 'about',
          id: textOf(record['id']),
          title: textOf(record['sessionTitle']) ?? textOf(record['title']),
          cwd: textOf(record['cwd']),
        },
      ];
    case 'message':
      return messageSayings(fieldsOf(record['message']) ?? {});
    case 'todo_state':
      return [{ kind: 'todos', todos: todosIn(record['todos']) }];
    case 'compaction_state':
      return [{ kind: 'notice', notice: 'compaction', text: textOf(record['summaryText']) ?? '' }];
    default:
      return [];
  }
}

function messageSayings({ role, content, model }: Fields): readonly Saying[] {
  if (role === 'assistant') {
    return [{ kind: 'answer', model: textOf(model) }, ...answerSayings(content)];
  }
  if (role !== 'user') return [];
  const results = resultSayings(content);
  const text = [...plainIn(content), ...textsIn(content)].map(withoutReminders).join('\n').trim();
  const media = imagesIn(content);
  const isTyped = text !== '' || (media.length > 0 && results.length === 0);
  return isTyped ? [...results, { kind: 'prompt', text, media }] : results;
}

/** Texts may stand among the blocks as they are. */
const plainIn = (content: unknown): readonly string[] =>
  Array.isArray(content) ? content.filter(isString) : [];

const withoutReminders = (text: string): string => withoutHeadBlocks(text).trim();

const states: Readonly<Record<string, Todo['state']>> = { in_progress: 'doing', completed: 'done' };

/** A list of tasks, in an object or not; newer versions keep it as Markdown. */
function todosIn(value: unknown): readonly Todo[] {
  const list = fieldsOf(value)?.['todos'] ?? value;
  if (isString(list)) return checklistIn(list);
  return objectsOf(list).flatMap(({ content, status }) => {
    const text = textOf(content);
    return text === undefined ? [] : [{ text, state: states[textOf(status) ?? ''] ?? 'open' }];
  });
}
