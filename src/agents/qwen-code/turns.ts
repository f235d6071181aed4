import type { NoticeKind, Part } from '../../core/model/thread.js';
import { genAiCall, genAiMedia, genAiParts, isThought, saidIn, thoughtOf } from '../genAi.js';
import { objectsOf, textOf, timeOf, type Fields } from '../json.js';
import { callParts, textParts, type ToolResult } from '../parts.js';
import { usageWithin } from '../tokens.js';
import { TurnList } from '../turnList.js';
import { partsOf, payloadOf, promptOf, resultsOf } from './record.js';

/** Makes turns of a branch's records; results are taken from all records of the thread. */
export function buildTurns(branch: readonly Fields[], all: readonly Fields[]): TurnList['turns'] {
  const results = new Map<string, ToolResult>();
  for (const record of all) {
    for (const result of resultsOf(record)) results.set(result.id, result);
  }
  const list = new TurnList();
  for (const record of branch) addRecord(list, record, results);
  return list.turns;
}

function addRecord(list: TurnList, record: Fields, results: ReadonlyMap<string, ToolResult>): void {
  const origin = {
    id: textOf(record['uuid']),
    at: timeOf(record['timestamp']),
    model: textOf(record['model']),
  };
  const prompt = promptOf(record);
  if (prompt !== undefined) {
    const parts = [...textParts(prompt.text), ...prompt.parts.flatMap(genAiMedia)];
    list.open('user', { ...origin, model: undefined }, parts);
  } else if (record['type'] === 'assistant') {
    list.open(
      'assistant',
      { ...origin, tokens: usageWithin(record['usageMetadata']) },
      partsOf(record).flatMap((part) => answerPart(part, results)),
    );
  } else if (record['subtype'] === 'chat_compression') {
    list.compaction(summaryIn(record), origin);
  } else {
    const [notice, text] = noticeOf(record) ?? [];
    if (notice !== undefined && text) list.notice(notice, text, origin);
  }
}

function answerPart(part: Fields, results: ReadonlyMap<string, ToolResult>): readonly Part[] {
  if (isThought(part)) return [{ kind: 'thinking', text: thoughtOf(part) }];
  const call = genAiCall(part);
  return call
    ? callParts(call, results.get(call.id))
    : [...textParts(saidIn(part)), ...genAiMedia(part)];
}

/** The compressed history begins with the summary, in the person's name. */
const summaryIn = (record: Fields): string => {
  const [first] = objectsOf(payloadOf(record)['compressedHistory']);
  return genAiParts(first?.['parts']).map(saidIn).join('').trim();
};

function noticeOf(record: Fields): readonly [NoticeKind, string] | undefined {
  const payload = payloadOf(record);
  switch (record['subtype']) {
    case 'notification':
    case 'cron':
      return ['info', textOf(payload['displayText']) ?? partsOf(record).map(saidIn).join('')];
    case 'slash_command':
      return payload['phase'] === 'invocation'
        ? ['command', textOf(payload['rawCommand']) ?? '']
        : ['info', outputOf(payload)];
    case 'at_command':
      return ['info', `Attached ${namesIn(payload['filesRead']).join(', ')}`];
    default:
      return undefined;
  }
}

const outputOf = (payload: Fields): string =>
  objectsOf(payload['outputHistoryItems'])
    .map(({ text }) => textOf(text) ?? '')
    .filter(Boolean)
    .join('\n');

const namesIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
