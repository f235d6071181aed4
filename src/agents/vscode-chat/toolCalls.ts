import type { Part, ToolCall } from '../../core/model/thread.js';
import { fieldsOf, isFields, isString, objectsOf, textOf } from '../json.js';
import type { Fields } from '../json.js';
import { imageInResult } from './images.js';
import { resultItemText, uriOf, wordsOf } from './values.js';

/** A call as the answer shows it, or one that only the model's rounds know (no `part`). */
export interface Call {
  readonly id: string;
  readonly part?: Fields | undefined;
  readonly round?: Fields | undefined;
  readonly result: ToolCall['result'];
  /** Items of the result as they are. */
  readonly items: readonly Fields[];
}

export interface RequestCalls {
  /** In the order of the answer, then those that it does not show. */
  readonly calls: readonly Call[];
  /** Ids of results that belong to none of the calls. */
  readonly orphans: readonly string[];
}

/**
 * The tool calls of one request. VS Code keeps each of them twice: as a part of the answer (what was
 * shown) and, once the turn ended, in `result.metadata.toolCallRounds` and `toolCallResults` (what
 * the model asked for and got). Newer versions give both the same id but for a suffix; versions of
 * 2025 gave the part an id of its own, so there they are paired by name and order.
 */
export function callsOf(request: Fields): RequestCalls {
  const parts = objectsOf(request['response']).filter(
    (part) => part['kind'] === 'toolInvocationSerialized',
  );
  const metadata = fieldsOf(fieldsOf(request['result'])?.['metadata']);
  const rounds = objectsOf(metadata?.['toolCallRounds']).flatMap((round) =>
    objectsOf(round['toolCalls']),
  );
  const results = new Map(
    Object.entries(fieldsOf(metadata?.['toolCallResults']) ?? {}).map(([id, result]) => [
      plainId(id),
      result,
    ]),
  );
  const shown = distinct(parts, 'toolCallId', textOf(request['requestId']) ?? '');
  const asked = distinct(rounds, 'id', '');
  const roundFor = pair(shown, asked);
  const taken = new Set(roundFor.values());
  const answer = (id: string, round: string | undefined, part?: Fields) => {
    const result = results.get(round ?? id);
    const items = objectsOf(fieldsOf(result)?.['content'] ?? outputIn(part));
    return { result: toResult(result) ?? (part && resultInPart(part)), items };
  };
  const calls: Call[] = [...shown].map(([id, part]) => {
    const round = roundFor.get(id);
    return {
      id,
      part,
      round: round === undefined ? undefined : asked.get(round),
      ...answer(id, round, part),
    };
  });
  for (const [id, round] of asked) {
    if (!taken.has(id)) calls.push({ id, round, ...answer(id, id) });
  }
  const known = new Set([...shown.keys(), ...asked.keys()]);
  return { calls, orphans: [...results.keys()].filter((id) => !known.has(id)) };
}

/** Without the mark that VS Code adds to keep the ids of several turns apart. */
export const plainId = (id: string): string => id.replace(/__vscode-\d+$/, '');

function distinct(
  items: readonly Fields[],
  key: string,
  owner: string,
): ReadonlyMap<string, Fields> {
  const byId = new Map<string, Fields>();
  for (const [index, item] of items.entries()) {
    const id = textOf(item[key]);
    // A part that is written again under its id is the newer state of the same call.
    byId.set(id === undefined ? `${owner}/${key}/${index}` : plainId(id), item);
  }
  return byId;
}

/** Which round's call a shown part stands for, by id. */
function pair(
  shown: ReadonlyMap<string, Fields>,
  asked: ReadonlyMap<string, Fields>,
): ReadonlyMap<string, string> {
  const same = [...shown.keys()].filter((id) => asked.has(id));
  const pairs = new Map(same.map((id) => [id, id]));
  // Where some ids are equal, all would be: what is left over has no other half.
  if (pairs.size > 0) return pairs;
  const parts = [...shown].filter(([, part]) => part['subAgentInvocationId'] === undefined);
  const left: string[] = [];
  let from = 0;
  for (const [id, round] of asked) {
    const at = parts.findIndex(([, part], index) => index >= from && sameTool(part, round));
    const found = parts[at];
    if (found === undefined) {
      left.push(id);
      continue;
    }
    pairs.set(found[0], id);
    from = at + 1;
  }
  const free = parts.filter(([id]) => !pairs.has(id));
  for (const [index, id] of left.entries()) {
    const part = free[index];
    if (part) pairs.set(part[0], id);
  }
  return pairs;
}

/** `copilot_readFile` is shown for what the model calls `read_file`. */
function sameTool(part: Fields, round: Fields): boolean {
  const shown = bareName(part['toolId']);
  const asked = bareName(round['name']);
  return shown !== '' && asked !== '' && (shown.startsWith(asked) || asked.startsWith(shown));
}

const bareName = (name: unknown): string =>
  isString(name)
    ? name
        .replace(/^(copilot|vscode)_/, '')
        .replace(/_internal$/, '')
        .replace(/[^a-z0-9]/gi, '')
        .toLowerCase()
    : '';

const outputIn = (part: Fields | undefined): unknown =>
  fieldsOf(part?.['resultDetails'])?.['output'];

/** Pictures that a call was answered with. */
export const mediaOf = ({ items }: Call, images: boolean | undefined): readonly Part[] =>
  items.flatMap((item) => imageInResult(item, images) ?? []);

function toResult(value: unknown): ToolCall['result'] {
  if (!isFields(value)) return undefined;
  const content = Array.isArray(value['content']) ? value['content'] : [];
  return {
    text: content.map(resultItemText).filter(Boolean).join('\n'),
    isError: value['hasError'] === true || value['isError'] === true,
  };
}

/** What a part itself keeps of the outcome; the only trace of it while the turn goes on. */
function resultInPart(part: Fields): ToolCall['result'] {
  const details = part['resultDetails'];
  if (Array.isArray(details)) {
    return { text: details.map(uriOf).filter(isString).join('\n'), isError: false };
  }
  if (isFields(details) && details['output'] !== undefined) {
    const output = Array.isArray(details['output']) ? details['output'] : [details['output']];
    return {
      text: output.map(resultItemText).filter(Boolean).join('\n'),
      isError: details['isError'] === true,
    };
  }
  const specific = fieldsOf(part['toolSpecificData']);
  const terminal = textOf(fieldsOf(specific?.['terminalCommandOutput'])?.['text']);
  if (terminal !== undefined) {
    const exit = fieldsOf(specific?.['terminalCommandState'])?.['exitCode'];
    return { text: terminal, isError: typeof exit === 'number' && exit !== 0 };
  }
  const subagent = specific?.['kind'] === 'subagent' ? textOf(specific['result']) : undefined;
  return subagent === undefined ? undefined : { text: subagent, isError: false };
}

/** The call as a thread shows it: the model's own name and arguments where they are known. */
export function toToolCall({ id, part, round, result }: Call): ToolCall {
  const name = textOf(round?.['name']) ?? textOf(part?.['toolId']) ?? 'tool';
  return {
    kind: 'toolCall',
    id,
    name,
    input: round ? argumentsOf(round['arguments']) : inputInPart(part ?? {}),
    result,
  };
}

function argumentsOf(value: unknown): unknown {
  if (!isString(value)) return value ?? {};
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function inputInPart(part: Fields): unknown {
  const specific = fieldsOf(part['toolSpecificData']);
  switch (specific?.['kind']) {
    case 'terminal': {
      const line = fieldsOf(specific['commandLine']);
      return { command: line?.['userEdited'] ?? line?.['original'] ?? specific['command'] };
    }
    case 'input':
      return specific['rawInput'];
    case 'subagent': {
      const { agentName, description, prompt } = specific;
      return { agentName, description, prompt };
    }
    case 'todoList':
      return { todoList: specific['todoList'] };
    default: {
      const input = fieldsOf(part['resultDetails'])?.['input'];
      if (isString(input)) return argumentsOf(input);
      const message = wordsOf(part['pastTenseMessage']) || wordsOf(part['invocationMessage']);
      return message === '' ? {} : { message };
    }
  }
}
