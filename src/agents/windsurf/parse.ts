import { fieldsOf, isFields, isString, textOf, type Fields } from '../json.js';
import type { ToolResult } from '../parts.js';
import { sayingsParser } from '../sayingsParser.js';
import type { Said, Saying } from '../sayings.js';

export const agent = 'windsurf';

/** A parser of transcripts that Windsurf writes for its hooks: steps without ids and times. */
export const windsurfParser = sayingsParser({ agent, reader: () => readStep });

/** What a step says about itself: `{"type":"run_command","run_command":{...},"status":"done"}`. */
export const stepOf = (
  record: Fields,
): { readonly type: string; readonly body: Fields } | undefined => {
  const { type } = record;
  const body = isString(type) ? record[type] : undefined;
  return isString(type) && isFields(body) ? { type, body } : undefined;
};

const withoutIds: Saying = { kind: 'about', hasCallIds: false };

function readStep(record: Fields): Said {
  const step = stepOf(record);
  return {
    says: step === undefined ? [] : [withoutIds, ...stepSayings(step.type, step.body, record)],
  };
}

function stepSayings(type: string, body: Fields, { status }: Fields): readonly Saying[] {
  switch (type) {
    case 'user_input': {
      const text = textOf(body['user_response'])?.trim();
      return text === undefined ? [] : [{ kind: 'prompt', text }];
    }
    case 'planner_response': {
      const thought = textOf(body['thinking']);
      return [
        { kind: 'answer' },
        ...(thought === undefined ? [] : [{ kind: 'thinking', text: thought } as const]),
        { kind: 'text', text: textOf(body['response']) ?? '' },
      ];
    }
    case 'error_message':
      return [{ kind: 'notice', notice: 'error', text: textOf(body['message']) ?? '' }];
    default:
      return [{ kind: 'call', id: '', name: type, input: body, result: resultIn(body, status) }];
  }
}

const outputs = ['output', 'result', 'stdout', 'content'];

/** Some steps hold what came of them. */
function resultIn(body: Fields, status: unknown): ToolResult | undefined {
  const text = outputs.map((name) => textOf(body[name])).find(isString);
  const isError = status === 'error';
  return text === undefined && status !== 'done' && !isError
    ? undefined
    : { text: text ?? textOf(fieldsOf(body['error'])?.['message']) ?? '', isError };
}
