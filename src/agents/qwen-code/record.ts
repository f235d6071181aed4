import type { Link } from '../branch.js';
import { genAiCall, genAiParts, genAiResult, isThought, typedIn, typedParts } from '../genAi.js';
import { fieldsOf, textOf, type Fields } from '../json.js';
import type { ToolResult } from '../parts.js';

export const partsOf = (record: Fields): readonly Fields[] =>
  genAiParts(fieldsOf(record['message'])?.['parts'] ?? fieldsOf(record['message'])?.['content']);

export const payloadOf = (record: Fields): Fields => fieldsOf(record['systemPayload']) ?? {};

/** A record of the conversation itself, as opposed to events that hang in its chain. */
export const isMessage = ({ type }: Fields): boolean =>
  type === 'user' || type === 'assistant' || type === 'tool_result';

/** What a person typed; notices of the program and timed prompts go in the person's name, too. */
export function promptOf(record: Fields): { text: string; parts: readonly Fields[] } | undefined {
  const subtype = record['subtype'] ?? 'mid_turn_user_message';
  const provenance = record['provenance'] ?? 'real_user';
  if (record['type'] !== 'user' || subtype !== 'mid_turn_user_message') return undefined;
  if (provenance !== 'real_user' || record['externalInputKind'] === 'notification') {
    return undefined;
  }
  const parts = typedParts(partsOf(record));
  if (parts.length === 0) return undefined;
  // Where the prompt was expanded for the model, what was typed stands beside it.
  const shown = textOf(payloadOf(record)['displayText']);
  return { text: shown === undefined ? typedIn(parts) : shown.trim(), parts };
}

export const thoughtsIn = (record: Fields): number => partsOf(record).filter(isThought).length;

export const callsOf = (record: Fields) => partsOf(record).flatMap((part) => genAiCall(part) ?? []);

/** Results that a record holds; whether the tool failed stands beside them. */
export function resultsOf(record: Fields): readonly (ToolResult & { readonly id: string })[] {
  const about = fieldsOf(record['toolCallResult']);
  const failed = about?.['status'] === 'error' || about?.['status'] === 'cancelled';
  const results = partsOf(record).flatMap((part) => genAiResult(part) ?? []);
  const named = textOf(about?.['callId']);
  return results.map((result) => ({
    ...result,
    id: result.id || (named ?? ''),
    isError: result.isError || failed,
  }));
}

export function linkOf(record: Fields): Link | undefined {
  const uuid = textOf(record['uuid']);
  return uuid === undefined
    ? undefined
    : { uuid, parent: textOf(record['parentUuid']), logicalParent: undefined };
}
