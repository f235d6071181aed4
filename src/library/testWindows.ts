import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { wasmPath } from '../agents/sqlite/wasm.js';
import type { Engine, EngineSettings, OpenRequest, OpenResult, Problem } from '../core/engine.js';
import { createEngine, type EngineOptions } from './engine.js';

export interface TestWindow {
  readonly engine: Engine;
  readonly opened: OpenResult;
}

/** A user's disk with one store, and windows on its folders, each with the real engine. */
export class TestWindows {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'keepthread-windows-')));
  readonly store = join(this.root, 'store');
  readonly said: Problem[] = [];
  private readonly engines: Engine[] = [];

  at(...names: readonly string[]): string {
    return join(this.root, ...names);
  }

  /** Writes a file with the folders that it is in; answers with its path. */
  put(name: string, text: string): string {
    const path = this.at(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  folder(name: string): string {
    mkdirSync(this.at(name), { recursive: true });
    return this.at(name);
  }

  git(folder: string, ...args: readonly string[]): string {
    const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.invalid'];
    return execFileSync('git', [...who, '-C', folder, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  }

  /** A repository with one commit, that no other has. */
  repository(name: string, remote?: string): string {
    const folder = this.folder(name);
    this.git(folder, 'init', '-q', '-b', 'main');
    writeFileSync(join(folder, 'a.txt'), `${name}\n`);
    this.git(folder, 'add', '.');
    this.git(folder, 'commit', '-q', '-m', `the first commit of ${name}`);
    if (remote !== undefined) this.git(folder, 'remote', 'add', 'origin', remote);
    return folder;
  }

  /** Opens a window on folders. `view`: name of the folder of its database; absent: in memory. */
  async open(
    folders: string | readonly string[],
    change: {
      readonly view?: string;
      readonly workspace?: string;
      readonly settings?: Partial<EngineSettings>;
      readonly options?: Partial<EngineOptions>;
      readonly trusted?: boolean;
    } = {},
  ): Promise<TestWindow> {
    const events = {
      changed: () => undefined,
      turnEnded: () => undefined,
      activity: () => undefined,
      problem: (problem: Problem) => void this.said.push(problem),
    };
    const engine = createEngine({ wasm: wasmPath(), events, ...change.options });
    this.engines.push(engine);
    const uris = [folders].flat().map((folder) => pathToFileURL(folder).href);
    const request: OpenRequest = {
      store: this.store,
      view: change.view === undefined ? undefined : this.at('views', change.view),
      folders: uris.map((uri) => ({ name: uri.slice(uri.lastIndexOf('/') + 1), uri })),
      workspace: change.workspace ?? uris[0],
      trusted: change.trusted ?? true,
      chatStores: [],
      settings: {
        maxFileBytes: 1e6,
        maxFiles: 100,
        redact: true,
        agentHomes: {},
        pollMs: 0,
        ...change.settings,
      },
    };
    return { engine, opened: await engine.open(request) };
  }

  /** Opens a window, begins a session in it, saves and closes. */
  async work(folders: string | readonly string[], title: string, workspace?: string) {
    const window = await this.open(folders, workspace === undefined ? {} : { workspace });
    const session = await window.engine.createSession({ title, status: 'active' });
    await this.save(window, session.id);
    await window.engine.close();
    return { ...window.opened, session };
  }

  save({ engine }: TestWindow, sessionId: string, label?: string) {
    const environment = {
      keepthread: '0',
      os: 'x',
      arch: 'x',
      node: '20',
      folders: [],
      agents: {},
    };
    return engine.save({ drafts: [], environment }, { sessionId, reason: 'manual', label });
  }

  /** Titles of the sessions that a window on folders lists. */
  async titles(
    folders: string | readonly string[],
    workspace?: string,
  ): Promise<readonly string[]> {
    const { engine } = await this.open(folders, workspace === undefined ? {} : { workspace });
    const titles = (await engine.listSessions()).map(({ title }) => title);
    await engine.close();
    return titles.toSorted();
  }

  async dispose(): Promise<void> {
    await Promise.allSettled(this.engines.map((engine) => engine.close()));
    rmSync(this.root, { recursive: true, force: true });
  }
}
