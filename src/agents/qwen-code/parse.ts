import type { Thread } from '../../core/model/thread.js';
import { activeBranch, branchesOf, chosenLeaf, type Spoken, type TreeNode } from '../branch.js';
import { ChainedSession, isSidechain } from '../chainedSession.js';
import { conversation, noTurns, type Conversation } from '../conversation.js';
import { decode, rescue } from '../decode.js';
import { geminiParser } from '../gemini-cli/parse.js';
import { isString, textOf, timeOf, type Fields } from '../json.js';
import { Recall } from '../recall.js';
import { RecordLog } from '../recordLog.js';
import type { ParserOptions, RecordPlace, ThreadParser } from '../source.js';
import { shortened } from '../titles.js';
import { isMessage, linkOf, payloadOf, promptOf } from './record.js';
import { QwenTally } from './tally.js';
import { buildTurns } from './turns.js';

export const agent = 'qwen-code';

/** A fold over the records of one file of Qwen Code, of the chained form or of Gemini CLI's. */
export const qwenParser = (nativeId: string, options: ParserOptions = {}): ThreadParser =>
  new EitherParser(new QwenParser(nativeId, options), geminiParser(nativeId, options, agent));

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
  private readonly recall = new Recall();
  private readonly session: ChainedSession;
  private readonly main = new QwenTally();
  private readonly side = new QwenTally();
  private readonly seen = new Set<string>();
  private readonly kept: Kept[] = [];
  private title: string | undefined;

  constructor(
    nativeId: string,
    private readonly options: ParserOptions,
  ) {
    this.session = new ChainedSession(nativeId);
  }

  push(record: Uint8Array, place?: RecordPlace): void {
    const decoded = this.log.take(record, place);
    if (decoded.fields === undefined) {
      for (const piece of this.keeps ? rescue(decoded.text) : []) this.keep(piece, () => piece);
      return;
    }
    this.note(decoded.fields);
    const uuid = textOf(decoded.fields['uuid']);
    if (uuid !== undefined && this.seen.has(uuid)) return;
    if (uuid !== undefined) this.seen.add(uuid);
    const sidechain = isSidechain(decoded.fields);
    if (isMessage(decoded.fields)) this.session.noteMessage(decoded.fields);
    (sidechain ? this.side : this.main).add(decoded.fields, uuid ?? `#${this.log.line}`);
    if (this.keeps) this.keep(decoded.fields, this.recall.of(record, decoded.fields));
  }

  get working(): boolean {
    return this.own.working;
  }

  thread(options: { readonly turns?: boolean } = {}): Thread {
    const counts = this.own.counts();
    return {
      agent,
      nativeId: this.session.id,
      title: this.title ?? shortened(counts.firstPrompt),
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

  private get own(): QwenTally {
    return this.session.isSubagent ? this.side : this.main;
  }

  private note(record: Fields): void {
    this.session.note(record);
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

  private conversation(): Conversation {
    const own = this.kept.filter(({ sidechain }) => sidechain === this.session.isSubagent);
    const records = new Map(own.map((node) => [node, node.fields()]));
    const leaf = chosenLeaf(own, this.options.leaf, undefined);
    const branch = activeBranch(own, leaf).map((node) => records.get(node) ?? {});
    const branches = branchesOf(own, undefined, (node) =>
      spokenIn(node.uuid, records.get(node) ?? {}),
    );
    return conversation(buildTurns(branch, [...records.values()]), branches, this.options);
  }
}

function spokenIn(key: string, record: Fields): Spoken | undefined {
  const prompt = promptOf(record)?.text;
  if (prompt === undefined && record['type'] !== 'assistant') return undefined;
  return { key, at: timeOf(record['timestamp']), prompt };
}
