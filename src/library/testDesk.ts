import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Capture, Engine, EngineEvents, OpenRequest, Problem } from '../core/engine.js';
import { createEngine } from './engine.js';

export const wasm = path.resolve('node_modules/sql.js/dist/sql-wasm.wasm');

/** A folder with a repository, a home with a Claude Code store, and windows on it. */
export class Desk {
  readonly root = mkdtempSync(path.join(tmpdir(), 'keepthread-engine-'));
  readonly folder = path.join(this.root, 'work');
  readonly store = path.join(this.root, 'store');
  readonly said: Problem[] = [];
  readonly ended: string[] = [];
  private readonly engines: Engine[] = [];

  constructor() {
    mkdirSync(this.folder, { recursive: true });
    this.git('init', '-q', '-b', 'main');
    writeFileSync(path.join(this.folder, 'a.txt'), 'one\n');
    this.git('add', '.');
    this.git('-c', 'user.name=T', '-c', 'user.email=t@example.invalid', 'commit', '-qm', 'first');
    process.env['CLAUDE_CONFIG_DIR'] = path.join(this.root, 'claude');
  }

  git(...args: readonly string[]): void {
    execFileSync('git', args, { cwd: this.folder });
  }

  async open(change: Partial<OpenRequest> = {}): Promise<Engine> {
    const events: EngineEvents = {
      changed: () => undefined,
      activity: () => undefined,
      turnEnded: (id) => void this.ended.push(id),
      problem: (problem) => void this.said.push(problem),
    };
    const engine = createEngine({ wasm, events });
    this.engines.push(engine);
    const uri = pathToFileURL(this.folder).href;
    await engine.open({
      store: this.store,
      view: path.join(this.root, 'view'),
      folders: [{ name: 'work', uri }],
      workspace: uri,
      trusted: true,
      chatStores: [],
      settings: { maxFileBytes: 1e6, maxFiles: 100, redact: true, agentHomes: {}, pollMs: 0 },
      ...change,
    });
    return engine;
  }

  get transcript(): string {
    const encoded = this.folder.replace(/[^A-Za-z0-9]/g, '-');
    return path.join(this.root, 'claude/projects', encoded, `${claudeId}.jsonl`);
  }

  /** Appends records as Claude Code does. */
  say(...records: readonly object[]): void {
    mkdirSync(path.dirname(this.transcript), { recursive: true });
    const lines = records.map((record) => `${JSON.stringify({ cwd: this.folder, ...record })}\n`);
    appendFileSync(this.transcript, lines.join(''));
  }

  async dispose(): Promise<void> {
    await Promise.allSettled(this.engines.map((engine) => engine.close()));
    delete process.env['CLAUDE_CONFIG_DIR'];
    rmSync(this.root, { recursive: true, force: true });
  }
}

export const claudeId = '11111111-2222-4333-8444-555555555555';
export const threadId = `claude-code:${claudeId}`;
let records = 0;
const uuid = (count: number) => `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
const tree = () => ({
  parentUuid: uuid(records),
  uuid: uuid(++records),
  sessionId: claudeId,
  timestamp: new Date().toISOString(),
  version: '2.1.197',
});
export const prompt = (text: string) => ({
  type: 'user',
  ...tree(),
  message: { role: 'user', content: text },
});
export const answer = (text: string) => ({
  type: 'assistant',
  ...tree(),
  message: {
    id: `msg_${records}`,
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
  },
});

export const capture = (label: string, drafts: Capture['drafts'] = []): Capture => ({
  editors: {
    groups: [{ tabs: [{ kind: 'text', label, place: { uri: `file:///work/${label}` } }] }],
    activeGroup: 0,
    views: [],
  },
  drafts,
  environment: { keepthread: '0', os: 'x', arch: 'x', node: '20', folders: [], agents: {} },
});
