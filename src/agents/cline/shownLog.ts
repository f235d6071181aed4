import { checklistIn } from '../checklist.js';
import { fieldsOf, isString, objectsOf, textOf, type Fields } from '../json.js';
import { imageOfUrl } from '../parts.js';
import type { RecordReader, Saying } from '../sayings.js';
import { usageApart } from '../tokens.js';
import { folderIn } from './workingFolder.js';

/** What the extension showed: `ui_messages.json`. Its calls have no ids. */
export function shownLogReader(): RecordReader {
  const state: State = { hasTask: false, commands: 0, output: '' };
  return (record) => {
    const model = textOf(fieldsOf(record['modelInfo'])?.['modelId']);
    const says = sayings(record, state);
    return {
      times: [record['ts']],
      says: [{ kind: 'about', model, hasCallIds: false }, ...says],
    };
  };
}

interface State {
  /** The first thing said is what the person asked for. */
  hasTask: boolean;
  /** Commands so far, which stand for their ids. */
  commands: number;
  /** What the newest command printed so far. */
  output: string;
}

function sayings(record: Fields, state: State): readonly Saying[] {
  const text = textOf(record['text']) ?? '';
  const kind = record['type'] === 'ask' ? record['ask'] : record['say'];
  if (record['type'] === 'ask') return askSayings(kind, text, state);
  if (record['type'] !== 'say') return [];
  if (!state.hasTask && (kind === 'task' || kind === 'text')) {
    state.hasTask = true;
    return [prompt(record, text)];
  }
  switch (kind) {
    case 'user_feedback':
      return [prompt(record, text)];
    case 'text':
      return [{ kind: 'answer' }, { kind: 'text', text }];
    case 'reasoning':
      return [{ kind: 'thinking', text }];
    case 'completion_result':
      return [
        { kind: 'text', text },
        { kind: 'working', is: false },
      ];
    case 'command_output':
      return output(text, state);
    case 'api_req_started':
      return requestSayings(objectIn(text));
    case 'task_progress':
      return [{ kind: 'todos', todos: checklistIn(text) }];
    case 'condense_context':
      return [{ kind: 'notice', notice: 'compaction', text: summaryIn(record) }];
    case 'error':
    case 'diff_error':
    case 'api_req_failed':
      return [{ kind: 'notice', notice: 'error', text }];
    default:
      return callSayings(kind, text, state);
  }
}

/** A request begins an answer, and says what it cost once it is over. */
function requestSayings(request: Fields): readonly Saying[] {
  const about: Saying = { kind: 'about', cwd: folderIn(textOf(request['request']) ?? '') };
  const tokens = usageApart(request);
  return tokens === undefined ? [about] : [about, { kind: 'tokens', tokens, isAhead: true }];
}

/** Asks show the person something, or wait for a decision about a call. */
function askSayings(kind: unknown, text: string, state: State): readonly Saying[] {
  const asked = objectIn(text);
  switch (kind) {
    case 'followup':
    case 'plan_mode_respond': {
      const words = textOf(asked['question']) ?? textOf(asked['response']) ?? text;
      return [
        { kind: 'text', text: words },
        { kind: 'working', is: false },
      ];
    }
    case 'completion_result':
    case 'resume_task':
    case 'resume_completed_task':
      return [{ kind: 'working', is: false }];
    case 'api_req_failed':
      return [{ kind: 'notice', notice: 'error', text }];
    case 'command_output':
      return output(text, state);
    default:
      return callSayings(kind, text, state);
  }
}

function callSayings(kind: unknown, text: string, state: State): readonly Saying[] {
  if (kind === 'command') {
    state.commands += 1;
    state.output = '';
    const id = idOfCommand(state);
    return [
      { kind: 'call', id, isMadeUp: true, name: 'execute_command', input: { command: text } },
    ];
  }
  if (kind !== 'tool' && kind !== 'use_mcp_server' && kind !== 'browser_action') return [];
  const { tool, ...input } = objectIn(text);
  return [{ kind: 'call', id: '', name: textOf(tool) ?? kind, input }];
}

/** Output comes in pieces. */
function output(text: string, state: State): readonly Saying[] {
  if (state.commands === 0) return [];
  state.output = [state.output, text].filter(Boolean).join('\n');
  const result = { text: state.output, isError: false };
  return [{ kind: 'result', id: idOfCommand(state), isMadeUp: true, result }];
}

const idOfCommand = ({ commands }: State): string => `command-${commands}`;

const prompt = (record: Fields, text: string): Saying => ({
  kind: 'prompt',
  text: text.trim(),
  media: listOf(record['images']).map(imageOfUrl),
});

const listOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter(isString) : [];

const summaryIn = (record: Fields): string =>
  textOf(fieldsOf(record['contextCondense'])?.['summary']) ?? '';

function objectIn(text: string): Fields {
  try {
    return objectsOf([JSON.parse(text)])[0] ?? {};
  } catch {
    return {};
  }
}
