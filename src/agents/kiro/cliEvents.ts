import { imagePart, type ToolResult } from '../parts.js';
import { fieldsOf, isFields, isString, objectsOf, textOf, type Fields } from '../json.js';
import type { Said, Saying } from '../sayings.js';

/*
 * Kiro's command line keeps a session as lines: those of its second engine (`sessions/cli/<id>.jsonl`) have a kind and
 * a message, those of its third, which the editor shares (`sessions/<workspace>/sess_<id>/messages.jsonl`), a payload.
 */

const kinds = new Set<unknown>(['Prompt', 'AssistantMessage', 'ToolResults', 'Compaction']);
const payloads = new Set<unknown>([
  ...['user', 'assistant', 'tool_call', 'tool_result', 'sub_agent_start', 'usage_summary'],
]);

export const isKindRecord = (record: Fields): boolean =>
  kinds.has(record['kind']) && isFields(record['data']);

export const isPayloadRecord = (record: Fields): boolean =>
  !('type' in record) && payloads.has(fieldsOf(record['payload'])?.['type']);

export function readKind(record: Fields): Said {
  const data = fieldsOf(record['data']) ?? {};
  const at = fieldsOf(data['meta'])?.['timestamp'];
  return {
    id: textOf(data['message_id']),
    times: [typeof at === 'number' && at < 1e11 ? at * 1000 : at],
    says: kindSayings(record['kind'], objectsOf(data['content']), data),
  };
}

function kindSayings(kind: unknown, content: readonly Fields[], data: Fields): readonly Saying[] {
  switch (kind) {
    case 'Prompt':
      return [{ kind: 'prompt', text: textIn(content).trim(), media: content.flatMap(imageIn) }];
    case 'AssistantMessage':
      return [{ kind: 'answer' }, ...content.flatMap(answerSayings)];
    case 'ToolResults':
      return content.flatMap((item): readonly Saying[] => {
        const result = fieldsOf(item['data']);
        if (item['kind'] !== 'toolResult' || result === undefined) return [];
        return [
          { kind: 'result', id: textOf(result['toolUseId']) ?? '', result: resultIn(result) },
        ];
      });
    case 'Compaction':
      return [{ kind: 'notice', notice: 'compaction', text: textOf(data['summary']) ?? '' }];
    default:
      return [];
  }
}

function answerSayings({ kind, data }: Fields): readonly Saying[] {
  if (kind === 'text') return [{ kind: 'text', text: textOf(data) ?? '' }];
  if (kind === 'thinking') {
    const text = textOf(data) ?? textOf(fieldsOf(data)?.['text']) ?? '';
    return [{ kind: 'thinking', text }];
  }
  const call = kind === 'toolUse' ? fieldsOf(data) : undefined;
  if (call === undefined) return [];
  const [id, name] = [textOf(call['toolUseId']) ?? '', textOf(call['name']) ?? ''];
  return [{ kind: 'call', id, name, input: call['input'] }];
}

function resultIn({ content, status }: Fields): ToolResult {
  const items = objectsOf(content);
  const text = items
    .flatMap(({ kind, data }) =>
      kind === 'image' ? [] : [isString(data) ? data : JSON.stringify(data ?? '')],
    )
    .join('\n');
  return { text, isError: status === 'error', media: items.flatMap(imageIn) };
}

const textIn = (content: readonly Fields[]): string =>
  content.flatMap(({ kind, data }) => (kind === 'text' ? (textOf(data) ?? []) : [])).join('');

function imageIn({ kind, data }: Fields) {
  const image = kind === 'image' ? fieldsOf(data) : undefined;
  if (image === undefined) return [];
  const bytes = fieldsOf(image['source'])?.['data'];
  const held = Array.isArray(bytes) ? Buffer.from(bytes.map(Number)).toString('base64') : bytes;
  return [imagePart(`image/${textOf(image['format']) ?? 'png'}`, held)];
}

export function readPayload(record: Fields): Said {
  const payload = fieldsOf(record['payload']) ?? {};
  const at = record['timestamp'];
  return {
    id: textOf(record['id']),
    times: [typeof at === 'number' && at < 1e11 ? at * 1000 : at],
    says: payloadSayings(payload),
  };
}

function payloadSayings(payload: Fields): readonly Saying[] {
  const id = textOf(payload['toolCallId']) ?? '';
  const text = wordsIn(payload['content']);
  switch (payload['type']) {
    case 'user':
      return text.trim() === '' ? [] : [{ kind: 'prompt', text: text.trim() }];
    case 'assistant':
      if (payload['operationType'] === 'Reasoning') return [{ kind: 'thinking', text }];
      return [{ kind: 'answer' }, { kind: 'text', text }];
    case 'tool_call':
      return [
        { kind: 'call', id, name: textOf(payload['toolName']) ?? '', input: payload['args'] },
      ];
    case 'tool_result':
      return [{ kind: 'result', id, result: { text, isError: payload['success'] === false } }];
    default:
      return [];
  }
}

/** A text, or blocks of it, some within others. */
function wordsIn(content: unknown): string {
  if (isString(content)) return content;
  if (Array.isArray(content)) return content.map(wordsIn).filter(Boolean).join('\n');
  const fields = fieldsOf(content);
  return fields === undefined ? '' : wordsIn(fields['text'] ?? fields['content']);
}
