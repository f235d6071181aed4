import type { Thread } from '../../core/model/thread.js';
import { activeBranch, branchesOf, chosenLeaf, type Spoken, type TreeNode } from '../branch.js';
import { conversation, noTurns, type Conversation } from '../conversation.js';
import { rescue } from '../decode.js';
import { textOf, timeOf, type Fields } from '../json.js';
import { Recall } from '../recall.js';
import { RecordLog } from '../recordLog.js';
import type { ParserOptions, RecordPlace, ThreadParser } from '../source.js';
import { ThreadTally } from '../threadTally.js';
import { shortened } from '../titles.js';
import { usageApart } from '../tokens.js';
import { blocksOf, isToolCall, messageOf, plainText, resultOf } from './entry.js';
import { buildTurns } from './turns.js';

/** A fold over the entries of one session of Pi, of any version of its form. */
export const piParser = (nativeId: string, options: ParserOptions = {}): ThreadParser =>
  new PiParser(nativeId, options);

interface Kept extends TreeNode {
  readonly fields: () => Fields;
}

class PiParser implements ThreadParser {
  private readonly log = new RecordLog();
  private readonly recall = new Recall();
  private readonly tally = new ThreadTally();
  private readonly seen = new Set<string>();
  private readonly kept: Kept[] = [];
  private header: Fields | undefined;
  private name: string | undefined;
  working = false;

  constructor(
    private readonly nativeId: string,
    private readonly options: ParserOptions,
  ) {}

  push(record: Uint8Array, place?: RecordPlace): void {
    const decoded = this.log.take(record, place);
    if (decoded.fields === undefined) {
      const pieces = this.keeps ? rescue(decoded.text) : [];
      for (const piece of pieces.filter(isEntry)) this.keep(piece, () => piece);
      return;
    }
    this.read(decoded.fields, this.recall.of(record, decoded.fields));
  }

  thread(options: { readonly turns?: boolean } = {}): Thread {
    const counts = this.tally.counts();
    return {
      agent: 'pi',
      nativeId: this.nativeId || (textOf(this.header?.['id']) ?? ''),
      title: this.name ?? shortened(counts.firstPrompt),
      cwd: textOf(this.header?.['cwd']),
      ...(options.turns === false ? noTurns : this.conversation()),
      todos: [],
      counts: { ...counts, ...this.log.counts },
      skipped: [...this.log.skipped],
    };
  }

  private read(entry: Fields, fields: () => Fields): void {
    const message = messageOf(entry);
    this.log.note(entry['timestamp'] ?? message?.['timestamp']);
    if (entry['type'] === 'session') {
      this.header ??= entry;
      return;
    }
    // The first version of the form had no ids.
    const id = textOf(entry['id']);
    if (id !== undefined && this.seen.has(id)) return;
    if (id !== undefined) this.seen.add(id);
    if (entry['type'] === 'session_info') this.name = textOf(entry['name']);
    if (message !== undefined) this.count(message, id ?? `#${this.log.line}`);
    if (this.keeps) this.keep(entry, fields);
  }

  private count(message: Fields, id: string): void {
    const { role, content } = message;
    const result = resultOf(message);
    if (result !== undefined) {
      this.tally.results.add(result.id);
      this.working = true;
    } else if (role === 'user') {
      this.tally.prompts.add(plainText(content).trim());
      this.working = true;
    } else if (role === 'assistant') {
      this.tally.answers.add(id);
      this.tally.tokens.add(usageApart(message['usage']), id);
      const model = textOf(message['model']);
      if (model !== undefined) this.tally.models.add(model);
      for (const block of blocksOf(content)) this.countBlock(block);
      this.working = message['stopReason'] === 'toolUse';
    }
  }

  private countBlock(block: Fields): void {
    const id = isToolCall(block) ? textOf(block['id']) : undefined;
    if (id !== undefined) this.tally.calls.add(id);
    if (block['type'] === 'thinking') this.tally.thinkingBlocks += 1;
  }

  private keep(entry: Fields, fields: () => Fields): void {
    const id = textOf(entry['id']);
    this.kept.push({
      uuid: id ?? `#${this.kept.length}`,
      parent: id === undefined ? this.kept.at(-1)?.uuid : textOf(entry['parentId']),
      logicalParent: undefined,
      messageId: undefined,
      isCompaction: false,
      isOffTree: false,
      fields,
    });
  }

  private get keeps(): boolean {
    return this.options.turns !== false;
  }

  private conversation(): Conversation {
    const records = new Map(this.kept.map((node) => [node, node.fields()]));
    const leaf = chosenLeaf(this.kept, this.options.leaf, undefined);
    const branch = activeBranch(this.kept, leaf).map((node) => records.get(node) ?? {});
    const branches = branchesOf(this.kept, undefined, (node) =>
      spokenIn(node.uuid, records.get(node) ?? {}),
    );
    return conversation(buildTurns(branch, [...records.values()]), branches, this.options);
  }
}

function spokenIn(key: string, entry: Fields): Spoken | undefined {
  const message = messageOf(entry);
  const at = timeOf(entry['timestamp']);
  if (message?.['role'] === 'user') {
    return { key, at, prompt: plainText(message['content']).trim() };
  }
  return message?.['role'] === 'assistant' ? { key, at } : undefined;
}

/** Of a broken line a block of a message may be whole, which is no entry. */
const isEntry = (piece: Fields): boolean => 'parentId' in piece || messageOf(piece) !== undefined;
