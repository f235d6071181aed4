import type { Part } from '../../core/model/thread.js';
import { isFields, textOf, timeOf, type Fields } from '../json.js';
import { callParts, textParts, type ToolResult } from '../parts.js';
import { usageApart } from '../tokens.js';
import { TurnList, type TurnOrigin } from '../turnList.js';
import { blocksOf, imagesIn, isToolCall, messageOf, plainText, resultOf } from './entry.js';

/** Makes turns of a branch's entries; results are taken from all entries of the file. */
export function buildTurns(branch: readonly Fields[], all: readonly Fields[]): TurnList['turns'] {
  const messages = all.map(messageOf).filter(isFields);
  const results = new Map(
    messages.flatMap((message) => {
      const result = resultOf(message);
      return result === undefined ? [] : [[result.id, result] as const];
    }),
  );
  const list = new TurnList();
  for (const entry of branch) addEntry(list, entry, results);
  return list.turns;
}

type Results = ReadonlyMap<string, ToolResult>;

function addEntry(list: TurnList, entry: Fields, results: Results): void {
  const message = messageOf(entry);
  const origin = { id: textOf(entry['id']), at: timeOf(entry['timestamp']) };
  if (message !== undefined) addMessage(list, message, origin, results);
  else if (entry['type'] === 'compaction') list.compaction(textOf(entry['summary']) ?? '', origin);
  else if (entry['type'] === 'branch_summary') addBranchSummary(list, entry, origin);
  else if (entry['type'] === 'custom_message') addCustom(list, entry, origin);
}

function addMessage(list: TurnList, message: Fields, origin: TurnOrigin, results: Results): void {
  const { content } = message;
  switch (message['role']) {
    case 'user':
      list.open('user', origin, [...textParts(plainText(content)), ...imagesIn(content)]);
      break;
    case 'assistant':
      addAnswer(list, message, origin, results);
      break;
    case 'bashExecution':
      list.notice('shell', textOf(message['command']) ?? '', origin);
      list.notice('info', textOf(message['output']) ?? '', origin);
      break;
    case 'compactionSummary':
      list.compaction(textOf(message['summary']) ?? '', origin);
      break;
    case 'branchSummary':
      addBranchSummary(list, message, origin);
      break;
    case 'custom':
    case 'hookMessage':
      addCustom(list, message, origin);
      break;
  }
}

function addAnswer(list: TurnList, message: Fields, origin: TurnOrigin, results: Results): void {
  const parts = blocksOf(message['content']).flatMap((block) => answerPart(block, results));
  if (parts.length > 0) {
    const tokens = usageApart(message['usage']);
    list.open('assistant', { ...origin, model: textOf(message['model']), tokens }, parts);
  }
  const { stopReason } = message;
  const why = textOf(message['errorMessage']) ?? '';
  if (stopReason === 'aborted') list.notice('interrupted', why, { at: origin.at });
  else if (stopReason === 'error') list.notice('error', why, { at: origin.at });
}

function answerPart(block: Fields, results: Results): readonly Part[] {
  if (block['type'] === 'thinking') {
    return [{ kind: 'thinking', text: textOf(block['thinking']) ?? '' }];
  }
  if (!isToolCall(block)) return [...textParts(textOf(block['text'])), ...imagesIn([block])];
  const id = textOf(block['id']) ?? '';
  const call = { id, name: textOf(block['name']) ?? '', input: block['arguments'] };
  return callParts(call, results.get(id));
}

const addBranchSummary = (list: TurnList, { summary }: Fields, origin: TurnOrigin): void =>
  list.notice('info', `Left another branch: ${textOf(summary) ?? ''}`, origin);

/** What an extension said; it may say that nobody needs to see it. */
function addCustom(list: TurnList, { content, display }: Fields, origin: TurnOrigin): void {
  if (display !== false) list.notice('info', plainText(content), origin);
}
