import { checklistIn } from '../checklist.js';
import { answerSayings, textsIn } from '../contentBlocks.js';
import { fieldsOf, isString, textOf, type Fields } from '../json.js';
import { tokenSayings, type RecordReader, type Said, type Saying } from '../sayings.js';
import { usageApart, usageWithin } from '../tokens.js';
import { readUserContent, type NamedResult } from './userContent.js';
import { folderIn } from './workingFolder.js';
import { stretchesOf } from './xmlCalls.js';

/** What was said to the model and by it: `api_conversation_history.json` and its likes. */
export function modelLogReader(): RecordReader {
  const calls = new OpenCalls();
  return (record) => {
    const { role, content } = record;
    const says =
      eventSayings(record) ??
      (role === 'user'
        ? userSayings(content, calls)
        : role === 'assistant'
          ? assistantSayings(record, calls)
          : aboutSession(record));
    return { id: textOf(record['id']), times: [record['ts']], says };
  };
}

/** Roo Code keeps what a summary or a cut hides from the model, and marks where that was. */
function eventSayings(record: Fields): Said['says'] | undefined {
  const { content, text } = record;
  if (record['isSummary'] === true) {
    return [{ kind: 'notice', notice: 'compaction', text: textsIn(content).join('\n') }];
  }
  if (record['isTruncationMarker'] === true) {
    return [{ kind: 'notice', notice: 'compaction', text: '' }];
  }
  if (record['type'] === 'reasoning') {
    const said = textOf(text) ?? textsIn(content).join('\n');
    return [{ kind: 'thinking', text: said }];
  }
  return undefined;
}

/** What stands around the messages in newer files. */
const aboutSession = (record: Fields): Said['says'] => [
  {
    kind: 'about',
    id: textOf(record['sessionId']),
    title: textOf(record['title']),
    cwd: folderIn(textOf(record['system_prompt']) ?? ''),
    version: textOf(fieldsOf(record['origin'])?.['version']),
  },
];

function userSayings(content: unknown, calls: OpenCalls): Said['says'] {
  const { prompts, images, results, named } = readUserContent(content);
  const cwd = textsIn(content).map(folderIn).find(isString);
  const says: Saying[] = [...results, ...named.flatMap((one) => calls.answered(one))];
  const typed = prompts.map((text, at): Saying => ({
    kind: 'prompt',
    text,
    media: at === 0 ? images : [],
  }));
  const shown = images.map((part): Saying => ({ kind: 'media', part }));
  return [...says, ...(typed.length > 0 ? typed : shown), { kind: 'about', cwd }];
}

function assistantSayings(record: Fields, calls: OpenCalls): Said['says'] {
  const { content } = record;
  const model = textOf(
    fieldsOf(record['modelInfo'])?.['modelId'] ?? fieldsOf(record['modelInfo'])?.['id'],
  );
  const reasoning = textOf(record['reasoning_content']);
  const said = answerSayings(content).flatMap((saying) => calls.made(saying));
  const thought: readonly Saying[] =
    reasoning === undefined ? [] : [{ kind: 'thinking', text: reasoning }];
  const todos = said.flatMap((saying) => (saying.kind === 'call' ? todosOf(saying.input) : []));
  const asks = said.some((saying) => saying.kind === 'call' && endsTurn.has(saying.name));
  return [
    { kind: 'answer', model },
    ...thought,
    ...said,
    ...todos,
    ...tokenSayings(
      usageWithin(fieldsOf(record['metrics'])?.['tokens']) ?? usageApart(record['metrics']),
    ),
    ...(asks ? [{ kind: 'working', is: false } as const] : []),
  ];
}

/** After these the person has the word. */
const endsTurn = new Set(['attempt_completion', 'ask_followup_question', 'plan_mode_respond']);

function todosOf(input: unknown): readonly Saying[] {
  const list = textOf(fieldsOf(input)?.['task_progress']) ?? textOf(fieldsOf(input)?.['todos']);
  return list === undefined ? [] : [{ kind: 'todos', todos: checklistIn(list) }];
}

/** Calls that may be answered by a text under a heading with the tool's name. */
class OpenCalls {
  private readonly open: { readonly id: string; readonly tool: string }[] = [];
  private count = 0;

  /** An answer's saying; a call that is written as an element gets an id of ours. */
  made(saying: Saying): readonly Saying[] {
    if (saying.kind === 'call') this.open.push({ id: saying.id, tool: saying.name });
    if (saying.kind !== 'text') return [saying];
    return stretchesOf(saying.text).map((stretch): Saying => {
      if ('text' in stretch) return { kind: 'text', text: stretch.text };
      const id = `element-${this.count++}`;
      this.open.push({ id, tool: stretch.tool });
      return { kind: 'call', id, isMadeUp: true, name: stretch.tool, input: stretch.input };
    });
  }

  answered({ tool, result }: NamedResult): readonly Saying[] {
    const at = this.open.findIndex((call) => call.tool === tool);
    const [call] = at < 0 ? [] : this.open.splice(at, 1);
    return call === undefined ? [] : [{ kind: 'result', id: call.id, isMadeUp: true, result }];
  }
}
