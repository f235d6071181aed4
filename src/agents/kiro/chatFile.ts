import { isString, objectsOf, fieldsOf, textOf, type Fields } from '../json.js';
import type { Said, Saying } from '../sayings.js';

/*
 * `.chat` files of Kiro's editor before February 2026, one for each execution of its agent:
 * `{executionId, actionId, context, validations, chat: [{role, content}], metadata: {modelId, modelProvider, workflow,
 * workflowId, startTime, endTime}}` (ms). Executions of one workflow are one conversation, each repeating what was said
 * before it. Known from what readers of theirs say; nobody has documented it.
 *
 * Everything is text. `human` is what went to the model: the instructions first, which `bot` takes note of with a set
 * phrase, and prompts with the workspace's rules before them and its state behind. What a tool answered is `tool`,
 * without an id. A call may stand in the answer, as `<tool_use><name>…</name>…</tool_use>`.
 */

const roles = new Set<unknown>(['human', 'bot', 'tool']);

const isMessage = (record: Fields): boolean =>
  roles.has(record['role']) && 'content' in record && !('type' in record);

/** Whether a record is of such a file: a message, or what stands around them. */
export const isChatRecord = (record: Fields): boolean =>
  isMessage(record) || ('executionId' in record && ('metadata' in record || 'actionId' in record));

/** What makes messages of two executions the same one: rules and state around a prompt change. */
export const messageKey = (record: Fields): string | undefined =>
  isMessage(record)
    ? `${String(record['role'])} ${record['role'] === 'human' ? typedIn(textIn(record)) || textIn(record) : textIn(record)}`
    : undefined;

/** A reader of the records of one conversation: messages, then for each execution what stands around them. */
export function chatReader(): (record: Fields) => Said {
  /** Calls of the answer before that nothing has answered yet. */
  let open: string[] = [];
  let calls = 0;
  return (record) => {
    if (!isMessage(record)) return about(record);
    const text = textIn(record);
    switch (record['role']) {
      case 'human': {
        open = [];
        const typed = typedIn(text);
        return said(typed === '' ? [] : [{ kind: 'prompt', text: typed }]);
      }
      case 'bot': {
        if (text.trim() === takenNote) return said([]);
        const parts = answerSayings(text, () => `call-${calls++}`);
        open = parts.flatMap((part) => (part.kind === 'call' ? [part.id] : []));
        return said([{ kind: 'answer' }, ...parts]);
      }
      default: {
        const id = open.shift();
        const result = { text, isError: false };
        // Most calls are not written down, only what came of them.
        return said([
          id === undefined
            ? {
                kind: 'call',
                id: `call-${calls++}`,
                isMadeUp: true,
                name: 'tool',
                input: {},
                result,
              }
            : { kind: 'result', id, isMadeUp: true, result },
        ]);
      }
    }
  };
}

/** Calls have no ids, so that nobody can count them. */
const said = (says: readonly Saying[]): Said => ({
  says: [{ kind: 'about', hasCallIds: false }, ...says],
});

const takenNote = 'I will follow these instructions.';

function about(record: Fields): Said {
  const metadata = fieldsOf(record['metadata']) ?? {};
  const { startTime, endTime } = metadata;
  return {
    times: [startTime, endTime].filter((at) => typeof at !== 'number' || at > 0),
    says: [
      {
        kind: 'about',
        id: textOf(metadata['workflowId']) ?? textOf(record['executionId']),
        model: textOf(metadata['modelId']),
        hasCallIds: false,
      },
    ],
  };
}

const textIn = ({ content }: Fields): string =>
  isString(content)
    ? content
    : objectsOf(content)
        .map(({ text }) => textOf(text) ?? '')
        .join('');

/** Beginnings of what Kiro itself says in the person's name. */
const instructions = /^(?:# System Prompt|# Identity|<identity>|You are operating in a workspace)/;
const longInstructions = /^Follow these instructions[^]{5000}/;

/** What a person typed in a message: without the rules before it, and the editor's state behind. */
function typedIn(message: string): string {
  const text = message.trim();
  if (instructions.test(text) || longInstructions.test(text)) return '';
  const [, inner] = /^<kiro-ide-message>([^]*?)(?:<\/kiro-ide-message>|$)/.exec(text) ?? [];
  const typed = (inner ?? text)
    .replace(/^[^]*<\/user-rule>`*/, '')
    .replace(/<steering-reminder>[^]*?(?:<\/steering-reminder>|$)/g, '')
    .replace(/<EnvironmentContext>[^]*$/, '')
    .trim();
  // Rules alone, without a prompt behind them.
  return /^## Included Rules/.test(typed) ? '' : typed;
}

const call = /<tool_use>\s*<name>([^<]+)<\/name>([^]*?)<\/tool_use>/g;

/** Arguments are elements, too; what has none is one text. */
function inputIn(text: string): Fields {
  const found = [...text.matchAll(/<(\w+)>([^]*?)<\/\1>/g)];
  return found.length === 0
    ? { text }
    : Object.fromEntries(found.map(([, key = '', value = '']) => [key, value]));
}

function answerSayings(text: string, newId: () => string): readonly Saying[] {
  const says: Saying[] = [];
  let from = 0;
  const say = (words: string): void => {
    if (words !== '') says.push({ kind: 'text', text: words });
  };
  for (const match of text.matchAll(call)) {
    const [whole, name = '', rest = ''] = match;
    say(text.slice(from, match.index).trim());
    says.push({
      kind: 'call',
      id: newId(),
      isMadeUp: true,
      name: name.trim(),
      input: inputIn(rest.trim()),
    });
    from = match.index + whole.length;
  }
  say(text.slice(from).trim());
  return says;
}
