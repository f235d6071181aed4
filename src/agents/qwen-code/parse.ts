import type { Thread } from '../../core/model/thread.js';
import { activeBranch, type TreeNode } from '../branch.js';
import { decode, rescue, type Decoded } from '../decode.js';
import { geminiParser } from '../gemini-cli/parse.js';
import { isString, textOf, type Fields } from '../json.js';
import { RecordLog } from '../recordLog.js';
import type { ParserOptions, RecordPlace, ThreadParser } from '../source.js';
import { shortened } from '../titles.js';
import { isMessage, isSidechain, linkOf, payloadOf } from './record.js';
import { QwenTally } from './tally.js';
import { buildTurns } from './turns.js';

export const agent = 'qwen-code';

/** A fold over the records of one file of Qwen Code, of the chained form or of Gemini CLI's. */
export const qwenParser = (nativeId: string, options: ParserOptions = {}): ThreadParser =>
  new EitherParser(
    new QwenParser(nativeId, options.turns !== false),
    geminiParser(nativeId, options, agent),
  );

/** Records go to both parsers until one tells by its form whose they are. */
class EitherParser implements ThreadParser {
  private decided: ThreadParser | undefined;

  constructor(
    private readonly chained: ThreadParser,
    private readonly messages: ThreadParser,
  ) {}

  push(record: Uint8Array, place?: RecordPlace): void {
    if (this.decided !== undefined) {
      this.decided.push(record, place);
      return;
    }
    this.chained.push(record, place);
    this.messages.push(record, place);
    const { fields } = decode(record);
    if (isString(fields?.['uuid'])) this.decided = this.chained;
    else if (isString(fields?.['projectHash']) || isString(fields?.['id'])) {
      this.decided = this.messages;
    }
  }

  get working(): boolean {
    return this.chosen.working;
  }

  thread(options?: { readonly turns?: boolean }): Thread {
    return this.chosen.thread(options);
  }

  private get chosen(): ThreadParser {
    return this.decided ?? this.chained;
  }
}

interface Kept extends TreeNode {
  readonly sidechain: boolean;
  readonly fields: () => Fields;
}

class QwenParser implements ThreadParser {
  private readonly log = new RecordLog();
  private readonly main = new QwenTally();
  private readonly side = new QwenTally();
  private readonly seen = new Set<string>();
  private readonly kept: Kept[] = [];
  private hasMain = false;
  private hasSide = false;
  private sessionId: string | undefined;
  private agentId: string | undefined;
  private cwd: string | undefined;
  private branch: string | undefined;
  private version: string | undefined;
  private title: string | undefined;

  constructor(
    private readonly nativeId: string,
    private readonly keeps: boolean,
  ) {}

  push(record: Uint8Array, place?: RecordPlace): void {
    const decoded: Decoded = this.log.take(record, place);
    if (decoded.fields === undefined) {
      for (const piece of this.keeps ? rescue(decoded.text) : []) this.keep(piece, () => piece);
      return;
    }
    this.note(decoded.fields);
    const uuid = textOf(decoded.fields['uuid']);
    if (uuid !== undefined && this.seen.has(uuid)) return;
    if (uuid !== undefined) this.seen.add(uuid);
    const sidechain = isSidechain(decoded.fields);
    if (isMessage(decoded.fields) && sidechain) this.hasSide = true;
    else if (isMessage(decoded.fields)) this.hasMain = true;
    (sidechain ? this.side : this.main).add(decoded.fields, uuid ?? `#${this.log.line}`);
    if (this.keeps) this.keep(decoded.fields, () => decode(record).fields ?? {});
  }

  get working(): boolean {
    return this.own.working;
  }

  thread(options: { readonly turns?: boolean } = {}): Thread {
    const counts = this.own.counts();
    return {
      agent,
      nativeId: this.id,
      title: this.title ?? shortened(counts.firstPrompt),
      cwd: this.cwd,
      branch: this.branch,
      parent: this.parent,
      session: this.parent,
      version: this.version,
      turns: options.turns === false ? [] : this.turns(),
      todos: this.own.todos,
      counts: { ...counts, ...this.log.counts },
      skipped: [...this.log.skipped],
    };
  }

  /** A subagent's own file holds nothing but a side conversation: there it is the main one. */
  private get isSubagent(): boolean {
    return this.hasSide && !this.hasMain;
  }

  private get own(): QwenTally {
    return this.isSubagent ? this.side : this.main;
  }

  private get id(): string {
    if (this.nativeId !== '') return this.nativeId;
    const fromAgent = this.agentId === undefined ? undefined : `agent-${this.agentId}`;
    return (this.isSubagent ? fromAgent : undefined) ?? this.sessionId ?? '';
  }

  /** A subagent's records carry the id of the session that started it. */
  private get parent(): string | undefined {
    return this.isSubagent && this.id !== this.sessionId ? this.sessionId : undefined;
  }

  private note(record: Fields): void {
    this.sessionId ??= textOf(record['sessionId']);
    this.agentId ??= textOf(record['agentId']);
    this.cwd ??= textOf(record['cwd']);
    this.branch = textOf(record['gitBranch']) ?? this.branch;
    this.version = textOf(record['version']) ?? this.version;
    if (record['subtype'] === 'custom_title') {
      this.title = textOf(payloadOf(record)['customTitle']) ?? this.title;
    }
    this.log.note(record['timestamp']);
  }

  private keep(record: Fields, fields: () => Fields): void {
    const link = linkOf(record);
    if (link === undefined && !isMessage(record)) return;
    const before = { uuid: `#${this.kept.length}`, parent: this.kept.at(-1)?.uuid };
    this.kept.push({
      logicalParent: undefined,
      ...(link ?? before),
      messageId: undefined,
      isCompaction: false,
      isOffTree: false,
      sidechain: isSidechain(record),
      fields,
    });
  }

  private turns(): Thread['turns'] {
    const own = this.kept.filter(({ sidechain }) => sidechain === this.isSubagent);
    const records = new Map(own.map((node) => [node, node.fields()]));
    const branch = activeBranch(own, undefined).map((node) => records.get(node) ?? {});
    return buildTurns(branch, [...records.values()]);
  }
}
