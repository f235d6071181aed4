import { answerSayings, blocksOf, imagesIn, textsIn } from '../contentBlocks.js';
import { fieldsOf, isString, objectsOf, textOf, type Fields } from '../json.js';
import type { ToolResult } from '../parts.js';
import { folderOfUri } from '../places.js';
import { sayingsParser } from '../sayingsParser.js';
import { tokenSayings, type Said, type Saying } from '../sayings.js';
import { usageApart } from '../tokens.js';

export const agent = 'amp';

/** A parser of threads: each message, then what stands around them. */
export const ampParser = sayingsParser({ agent, reader: messagesOnce });

/** Messages are numbered within a thread; one that is there again says nothing more. */
function messagesOnce(): (record: Fields) => Said {
  const seen = new Set<unknown>();
  return (record) => {
    const { messageId } = record;
    if (messageId !== undefined && seen.has(messageId)) return { times: [], says: [] };
    seen.add(messageId);
    return readRecord(record);
  };
}

function readRecord(record: Fields): Said {
  const { role } = record;
  if (role !== 'user' && role !== 'assistant') return aboutThread(record);
  const sentAt = fieldsOf(record['meta'])?.['sentAt'];
  const usage = fieldsOf(record['usage']);
  return {
    times: [sentAt, usage?.['timestamp']],
    says: role === 'user' ? userSayings(record) : answer(record, usage),
  };
}

function aboutThread(record: Fields): Said {
  const initial = fieldsOf(fieldsOf(record['env'])?.['initial']);
  const uri = textOf(objectsOf(initial?.['trees'])[0]?.['uri']);
  const about: Saying = {
    kind: 'about',
    id: textOf(record['id']),
    title: textOf(record['title']),
    cwd: uri && folderOfUri(uri),
  };
  return { times: [record['created']], says: [about] };
}

function answer({ content, state }: Fields, usage: Fields | undefined): readonly Saying[] {
  const isCancelled = fieldsOf(state)?.['type'] === 'cancelled';
  return [
    { kind: 'answer', model: textOf(usage?.['model']) },
    ...answerSayings(content),
    ...tokenSayings(usageApart(usage)),
    ...(isCancelled ? [{ kind: 'notice', notice: 'interrupted', text: '' } as const] : []),
  ];
}

function userSayings({ content }: Fields): readonly Saying[] {
  const results = blocksOf(content).flatMap((block): readonly Saying[] =>
    block['type'] === 'tool_result'
      ? [{ kind: 'result', id: textOf(block['toolUseID']) ?? '', result: resultIn(block) }]
      : [],
  );
  const text = textsIn(content).join('\n').trim();
  const media = imagesIn(content);
  const isTyped = text !== '' || (media.length > 0 && results.length === 0);
  return isTyped ? [...results, { kind: 'prompt', text, media }] : results;
}

function resultIn({ run }: Fields): ToolResult {
  const { status, result, error } = fieldsOf(run) ?? {};
  const failure = fieldsOf(error)?.['message'] ?? error;
  const output = fieldsOf(result)?.['output'] ?? fieldsOf(result)?.['content'] ?? result;
  const media = imagesIn(output);
  const words = media.length > 0 ? textsIn(output).join('\n') : output;
  const shown = failure ?? words ?? '';
  return {
    text: isString(shown) ? shown : JSON.stringify(shown),
    isError: status === 'error' || status === 'cancelled' || failure !== undefined,
    media,
  };
}
