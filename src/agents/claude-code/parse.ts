import type { Thread } from '../../core/model/thread.js';
import { activeBranch, branchesOf, chosenLeaf, type Link, type TreeNode } from '../branch.js';
import { ChainedSession, isSidechain } from '../chainedSession.js';
import { conversation, noTurns, type Conversation } from '../conversation.js';
import { rescue } from '../decode.js';
import { fieldsOf, textOf, type Fields } from '../json.js';
import { Recall } from '../recall.js';
import { RecordLog } from '../recordLog.js';
import type { ParserOptions, RecordPlace, ThreadParser } from '../source.js';
import { PromptQueue } from './queue.js';
import { isMessage, linkOf } from './record.js';
import { Tally } from './tally.js';
import { Titles } from './title.js';
import { spokenIn } from './spoken.js';
import { buildTurns } from './turns.js';

/** A fold over the records of one Claude Code file; see docs/agents.md for what is counted. */
export const claudeParser = (nativeId: string, options: ParserOptions = {}): ThreadParser =>
  new ClaudeParser(nativeId, options);

/** A record in the tree; those that turns are made of are parsed again when somebody wants to read. */
interface Kept extends TreeNode {
  readonly sidechain: boolean;
  readonly fields: () => Fields;
}

class ClaudeParser implements ThreadParser {
  private readonly main = new Tally();
  private readonly side = new Tally();
  private readonly titles = new Titles();
  private readonly queue = new PromptQueue();
  private readonly seen = new Set<string>();
  private readonly kept: Kept[] = [];
  private readonly log = new RecordLog();
  private readonly recall = new Recall();
  private readonly session: ChainedSession;
  private lastLeaf: string | undefined;

  constructor(
    nativeId: string,
    private readonly options: ParserOptions,
  ) {
    this.session = new ChainedSession(nativeId);
  }

  push(record: Uint8Array, place?: RecordPlace): void {
    const decoded = this.log.take(record, place);
    if (decoded.fields === undefined) {
      if (this.keeps) this.keepRescued(decoded.text);
      return;
    }
    this.note(decoded.fields);
    const link = linkOf(decoded.fields);
    if (link !== undefined && this.seen.has(link.uuid)) return;
    if (link !== undefined) this.seen.add(link.uuid);
    this.count(decoded.fields);
    if (this.keeps) this.keep(decoded.fields, this.recall.of(record, decoded.fields));
  }

  get working(): boolean {
    return this.own.working;
  }

  thread(options: { readonly turns?: boolean } = {}): Thread {
    const counts = this.own.counts();
    return {
      agent: 'claude-code',
      nativeId: this.session.id,
      title: this.titles.title((uuid) => this.seen.has(uuid), counts.firstPrompt),
      cwd: this.session.cwd,
      branch: this.session.branch,
      parent: this.session.parent,
      session: this.session.parent,
      version: this.session.version,
      ...(options.turns === false ? noTurns : this.conversation()),
      todos: this.own.todos,
      counts: { ...counts, ...this.log.counts },
      skipped: [...this.log.skipped],
    };
  }

  private get keeps(): boolean {
    return this.options.turns !== false;
  }

  private get own(): Tally {
    return this.session.isSubagent ? this.side : this.main;
  }

  private note(record: Fields): void {
    this.session.note(record);
    if (record['type'] === 'last-prompt') this.lastLeaf = textOf(record['leafUuid']);
    this.titles.add(record);
    this.log.note(record['timestamp']);
  }

  private count(record: Fields): void {
    const sidechain = isSidechain(record);
    if (isMessage(record)) this.session.noteMessage(record);
    (sidechain ? this.side : this.main).add(record);
  }

  private keep(record: Fields, fields: () => Fields): void {
    const queued = this.queue.taken(record);
    if (queued !== undefined) this.keepQueued(record, queued);
    const link = linkOf(record) ?? (isMessage(record) ? this.looseLink() : undefined);
    if (link === undefined) return;
    this.kept.push({
      ...link,
      messageId: textOf(fieldsOf(record['message'])?.['id']),
      isCompaction: record['subtype'] === 'compact_boundary',
      isOffTree: false,
      sidechain: isSidechain(record),
      fields: shownTypes.has(record['type']) ? fields : () => ({}),
    });
  }

  private keepQueued(record: Fields, text: string): void {
    const shown = { type: 'queued-prompt', timestamp: record['timestamp'], text };
    this.kept.push({
      ...this.looseLink(),
      messageId: undefined,
      isCompaction: false,
      isOffTree: true,
      sidechain: false,
      fields: () => shown,
    });
  }

  /** A record without an id hangs on the one before it. */
  private looseLink(): Link {
    const parent = this.kept.findLast(({ isOffTree }) => !isOffTree)?.uuid;
    return { uuid: `#${this.log.line}`, parent, logicalParent: undefined };
  }

  private keepRescued(line: string): void {
    for (const record of rescue(line)) this.keep(record, () => record);
  }

  private conversation(): Conversation {
    const own = this.kept.filter(({ sidechain }) => sidechain === this.session.isSubagent);
    const records = new Map(own.map((node) => [node, node.fields()]));
    const leaf = chosenLeaf(own, this.options.leaf, this.lastLeaf);
    const branch = activeBranch(own, leaf).map((node) => records.get(node) ?? {});
    const branches = branchesOf(own, this.lastLeaf, (node) => spokenIn(records.get(node) ?? {}));
    return conversation(buildTurns(branch, [...records.values()]), branches, this.options);
  }
}

const shownTypes = new Set<unknown>(['user', 'assistant', 'attachment', 'system']);
