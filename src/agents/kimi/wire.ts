import { imagesIn, textsIn } from '../contentBlocks.js';
import { fieldsOf, isFields, isString, textOf, type Fields } from '../json.js';
import { tokenSayings, type Said, type Saying } from '../sayings.js';
import { usageApart } from '../tokens.js';
import { functionCall, kimiText, partSayings } from './content.js';

/*
 * `wire.jsonl` of Kimi CLI, the Python program (MoonshotAI/kimi-cli, kimi_cli/wire/types.py): what happened, each as
 * `{timestamp (seconds), message: {type, payload}}`. Pieces of one text are joined before they are written.
 */

/** The message of such a record. */
export const wireMessage = (record: Fields): Fields | undefined => {
  const message = fieldsOf(record['message']);
  return message !== undefined && isString(message['type']) && isFields(message['payload'])
    ? message
    : undefined;
};

export function readWire(record: Fields, message: Fields): Said {
  const at = record['timestamp'];
  const payload = fieldsOf(message['payload']) ?? {};
  return {
    times: [typeof at === 'number' ? at * 1000 : at],
    says: sayings(message['type'], payload),
  };
}

function sayings(type: unknown, payload: Fields): readonly Saying[] {
  switch (type) {
    case 'TurnBegin':
    case 'SteerInput': {
      const { user_input: input } = payload;
      return [{ kind: 'prompt', text: kimiText(input).trim(), media: imagesIn(input) }];
    }
    case 'StepBegin':
      return [{ kind: 'answer' }];
    case 'ContentPart':
      return partSayings(payload);
    case 'ToolCall':
      return [functionCall(payload)];
    case 'ToolResult':
      return [resultSaying(payload)];
    case 'StatusUpdate':
      return tokenSayings(usageApart(payload['token_usage']), textOf(payload['message_id']));
    case 'CompactionEnd':
      return [{ kind: 'notice', notice: 'compaction', text: '' }];
    case 'StepInterrupted':
      return [{ kind: 'notice', notice: 'interrupted', text: '' }, atRest];
    case 'TurnEnd':
      return [atRest];
    default:
      // A subagent's events are in its own file, too, and count there.
      return [];
  }
}

const atRest: Saying = { kind: 'working', is: false };

function resultSaying(payload: Fields): Saying {
  const {
    output,
    message,
    is_error: isError,
  } = fieldsOf(payload['return_value'] ?? payload['result']) ?? {};
  const text = isString(output) ? output : textsIn(output).join('\n');
  return {
    kind: 'result',
    id: textOf(payload['tool_call_id']) ?? '',
    result: {
      text: text === '' ? (textOf(message) ?? '') : text,
      isError: isError === true,
      media: imagesIn(output),
    },
  };
}
