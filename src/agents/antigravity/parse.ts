import { isString, objectsOf, textOf, type Fields } from '../json.js';
import { sayingsParser } from '../sayingsParser.js';
import type { RecordReader, Said, Saying } from '../sayings.js';

export const agent = 'antigravity';

/** A parser of the transcripts that Antigravity's agent keeps of its steps: calls without ids. */
export const antigravityParser = sayingsParser({ agent, reader: stepReader });

const withoutIds: Saying = { kind: 'about', hasCallIds: false };

/** What came of a tool is a step of its own, behind the answer that called; steps come in the calls' order. */
function stepReader(): RecordReader {
  let open: string[] = [];
  let calls = 0;

  const answer = (step: Fields): readonly Saying[] => {
    const thinking = textOf(step['thinking']);
    const called = objectsOf(step['tool_calls']).map(({ name, args }): Saying => {
      const id = `call-${calls++}`;
      open.push(id);
      const input = Object.fromEntries(Object.entries(args ?? {}).map(decoded));
      return { kind: 'call', id, isMadeUp: true, name: textOf(name) ?? '', input };
    });
    return [
      { kind: 'answer', model: textOf(step['model']) },
      ...(thinking === undefined ? [] : [{ kind: 'thinking', text: thinking } as const]),
      { kind: 'text', text: textOf(step['content']) ?? '' },
      ...called,
    ];
  };

  const result = (step: Fields): readonly Saying[] => {
    const [id, ...rest] = open;
    open = rest;
    const text = textOf(step['content']) ?? '';
    const isError = step['status'] === 'ERROR';
    return id === undefined
      ? []
      : [{ kind: 'result', id, isMadeUp: true, result: { text, isError } }];
  };

  const says = (step: Fields): readonly Saying[] => {
    const content = textOf(step['content']) ?? '';
    switch (step['type']) {
      case 'USER_INPUT':
      case 'USER_MESSAGE':
        open = [];
        return prompt(content);
      case 'PLANNER_RESPONSE':
        return answer(step);
      case 'CHECKPOINT':
        return [{ kind: 'notice', notice: 'compaction', text: content }];
      case 'ERROR_MESSAGE':
        return [{ kind: 'notice', notice: 'error', text: content }];
      default:
        return step['source'] === 'MODEL' ? result(step) : [];
    }
  };

  return (step): Said =>
    isStep(step)
      ? { times: [step['created_at']], says: [withoutIds, ...says(step)] }
      : { says: [] };
}

export const isStep = ({ type, source, step_index: index }: Fields): boolean =>
  isString(type) && /^[A-Z_]+$/.test(type) && (isString(source) || typeof index === 'number');

/** Blocks that the program puts behind what a person typed. */
const appended = /<(ADDITIONAL_METADATA|USER_SETTINGS_CHANGE)>[\s\S]*?(?:<\/\1>|$)/g;
const chosenModel = /`Model Selection` from .*? to (.+?)\.(?:\s|$)/;

function prompt(content: string): readonly Saying[] {
  const inner = /<USER_REQUEST>([\s\S]*?)(?:<\/USER_REQUEST>|$)/.exec(content)?.[1];
  const text = (inner ?? content.replace(appended, '')).trim();
  const model = chosenModel.exec(content)?.[1];
  return [
    ...(model === undefined ? [] : [{ kind: 'about', model } as const]),
    ...(text === '' ? [] : [{ kind: 'prompt', text } as const]),
  ];
}

/** Arguments are JSON in strings. */
function decoded([name, value]: [string, unknown]): [string, unknown] {
  if (!isString(value)) return [name, value];
  try {
    return [name, JSON.parse(value)];
  } catch {
    return [name, value];
  }
}
