import type { NoticeKind, Part, Turn } from '../../core/model/thread.js';
import { fieldsOf, isString, textOf, timeOf, type Fields } from '../json.js';
import { callParts, imagePart, textParts, type ImagePart, type ToolResult } from '../parts.js';
import { usageApart } from '../tokens.js';
import { TurnList, type OpenTurn } from '../turnList.js';
import { attachedFile, queuedPrompt } from './attachment.js';
import { readUserText, type UserText } from './prompt.js';
import { blocksOf, isToolCall, isToolResult, plainText } from './record.js';

/**
 * Makes turns of a branch's records. Results are taken from all records of the thread: those of
 * parallel calls hang on side branches.
 */
export function buildTurns(branch: readonly Fields[], all: readonly Fields[]): readonly Turn[] {
  const builder = new TurnBuilder(resultsOf(all), promptsOf(all));
  for (const record of branch) builder.add(record);
  return builder.list.turns;
}

class TurnBuilder {
  readonly list = new TurnList();
  private readonly answers = new Map<string, OpenTurn>();

  constructor(
    private readonly results: ReadonlyMap<string, ToolResult>,
    private readonly prompts: ReadonlySet<string>,
  ) {}

  add(record: Fields): void {
    const { type } = record;
    if (type === 'user') this.addUser(record);
    else if (type === 'assistant') this.addAnswer(record);
    else if (type === 'attachment') this.addAttachment(record);
    else if (type === 'system') this.addSystem(record);
    else if (type === 'queued-prompt') this.addQueued(record);
  }

  private addUser(record: Fields): void {
    const blocks = blocksOf(fieldsOf(record['message'])?.['content']);
    if (record['isCompactSummary'] === true) this.addCompaction(record, plainText(blocks));
    else if (record['isMeta'] !== true) this.addTyped(record, blocks);
  }

  /** What came in the person's name: a prompt, a command, or what a command printed. */
  private addTyped(record: Fields, blocks: readonly Fields[]): void {
    const { kind, text } = readUserText(plainText(blocks));
    const images = blocks.flatMap(imageOf);
    if (kind === 'compaction') this.addCompaction(record, text);
    else if (kind === 'prompt' || images.length > 0) {
      const parts: Part[] = kind === 'prompt' ? [{ kind: 'text', text }] : [];
      this.open(record, 'user').parts.push(...parts, ...images, ...blocks.flatMap(documentOf));
    } else if (kind !== 'injected' && text !== '') this.addNotice(record, noticeKinds[kind], text);
  }

  private addAnswer(record: Fields): void {
    const message = fieldsOf(record['message']);
    const blocks = blocksOf(message?.['content']);
    if (record['isApiErrorMessage'] === true) {
      this.addNotice(record, 'error', plainText(blocks));
      return;
    }
    const id = textOf(message?.['id']);
    const turn = this.answers.get(id ?? '') ?? this.open(record, 'assistant', message);
    if (id !== undefined) this.answers.set(id, turn);
    // Every line of an answer tells what it has cost so far.
    const tokens = usageApart(message?.['usage']);
    if (tokens !== undefined) turn.tokens = tokens;
    turn.parts.push(...blocks.flatMap((block) => this.answerPart(block)));
  }

  private answerPart(block: Fields): readonly Part[] {
    const { type } = block;
    const text = textOf(block['text']);
    if (type === 'text') return textParts(text);
    if (type === 'thinking') return [{ kind: 'thinking', text: textOf(block['thinking']) ?? '' }];
    if (type === 'redacted_thinking') return [{ kind: 'thinking', text: '' }];
    if (!isToolCall(block)) return imageOf(block);
    const id = textOf(block['id']) ?? '';
    const name = textOf(block['name']) ?? '';
    return callParts({ id, name, input: block['input'] }, this.results.get(id));
  }

  private addAttachment(record: Fields): void {
    const prompt = queuedPrompt(record);
    const file = attachedFile(record);
    if (prompt !== undefined) this.addTyped(record, prompt);
    else if (file !== undefined) this.attach(file);
  }

  /** Newer versions write such a prompt a second time, as an attachment or beside a result. */
  private addQueued(record: Fields): void {
    const { kind, text } = readUserText(textOf(record['text']) ?? '');
    if (kind !== 'prompt' || this.prompts.has(text)) return;
    this.addNotice(record, 'info', `Typed while the agent worked: ${text}`);
  }

  private attach(file: Part): void {
    this.list.turns.findLast(({ role }) => role === 'user')?.parts.push(file);
  }

  private addSystem(record: Fields): void {
    const { subtype } = record;
    const content = textOf(record['content']) ?? '';
    if (subtype === 'compact_boundary') this.addCompaction(record, '');
    else if (subtype === 'local_command') this.addTyped(record, blocksOf(content));
  }

  private addCompaction(record: Fields, text: string): void {
    this.list.compaction(text, originOf(record));
  }

  private addNotice(record: Fields, notice: NoticeKind, text: string): void {
    this.list.notice(notice, text, originOf(record));
  }

  private open(record: Fields, role: Turn['role'], message?: Fields): OpenTurn {
    const model = textOf(message?.['model']);
    const origin = originOf(record);
    return this.list.open(role, {
      ...origin,
      id: textOf(message?.['id']) ?? origin.id,
      model: model === '<synthetic>' ? undefined : model,
    });
  }
}

const originOf = (record: Fields) => ({
  id: textOf(record['uuid']),
  at: timeOf(record['timestamp']),
});

const noticeKinds: Readonly<Record<UserText['kind'], NoticeKind>> = {
  prompt: 'info',
  command: 'command',
  shell: 'shell',
  output: 'info',
  interrupted: 'interrupted',
  notification: 'info',
  compaction: 'compaction',
  injected: 'info',
};

function resultsOf(records: readonly Fields[]): ReadonlyMap<string, ToolResult> {
  const results = new Map<string, ToolResult>();
  for (const record of records) {
    for (const block of blocksOf(fieldsOf(record['message'])?.['content']).filter(isToolResult)) {
      const id = textOf(block['tool_use_id']);
      if (id !== undefined) results.set(id, resultOf(block));
    }
  }
  return results;
}

function promptsOf(records: readonly Fields[]): ReadonlySet<string> {
  const contents = records.map((record) =>
    record['type'] === 'user'
      ? blocksOf(fieldsOf(record['message'])?.['content'])
      : (queuedPrompt(record) ?? []),
  );
  return new Set(contents.map((blocks) => readUserText(plainText(blocks)).text));
}

function resultOf(block: Fields): ToolResult {
  const { content } = block;
  const blocks = blocksOf(content);
  const text = blocks
    .filter((part) => part['type'] !== 'image')
    .map((part) => (isString(part['text']) ? part['text'] : nameOf(part)))
    .join('\n');
  return { text, isError: block['is_error'] === true, media: blocks.flatMap(imageOf) };
}

/** A result block without text: a found page, a tool that was looked up, a document. */
const nameOf = (block: Fields): string =>
  ['title', 'url', 'tool_name']
    .map((key) => textOf(block[key]))
    .filter(Boolean)
    .join(' ') || `[${textOf(block['type']) ?? 'unknown'}]`;

function imageOf(block: Fields): readonly ImagePart[] {
  if (block['type'] !== 'image') return [];
  const source = fieldsOf(block['source']);
  return [imagePart(textOf(source?.['media_type']), source?.['data'])];
}

function documentOf(block: Fields): readonly Part[] {
  if (block['type'] !== 'document') return [];
  return [{ kind: 'attachment', name: textOf(block['title']) ?? 'document' }];
}
