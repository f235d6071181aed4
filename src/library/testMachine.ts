import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wasmPath } from '../agents/sqlite/wasm.js';
import type {
  ExportChoice,
  ExportRequest,
  ExportResult,
  ImportRequest,
  ImportResult,
} from '../core/handoff.js';
import type { ThreadSummary } from '../core/model/thread.js';
import { SessionIndex } from '../vault/sessionIndex.js';
import { openVault } from '../vault/vault.js';
import { exportSession, importHandoff } from './handoff.js';
import { Store } from './store.js';

const control = { signal: new AbortController().signal, onProgress: () => undefined };
const whole: ExportChoice = { files: true, images: true, filesWithSecrets: true };

/** One machine, for tests of what goes from one to another: a store with one project, in a folder of its own. */
export class Machine {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'keepthread-handoff-')));
  store!: Store;
  /** A session's threads with what they mean, as far as the index knows. */
  threads = (id: string): Promise<readonly ThreadSummary[]> =>
    Promise.resolve(this.store.index.threads(id));

  async open(): Promise<this> {
    const { index } = await SessionIndex.open({ file: undefined, wasm: wasmPath() });
    const folder = join(this.root, 'projects', 'p');
    this.store = new Store(
      [await openVault({ folder, blobRef: (hash) => index.blobRef(hash) })],
      index,
    );
    await this.store.refresh(() => undefined);
    return this;
  }

  export(
    sessionId: string,
    more: Partial<ExportRequest> = {},
    choice: Partial<ExportChoice> = {},
  ): Promise<ExportResult> {
    const request: ExportRequest = {
      sessionId,
      output: join(this.root, 'out.keepthread'),
      format: 'keepthread',
      choice: { ...whole, ...choice },
      ...more,
    };
    return exportSession(
      { root: this.root, store: this.store, folders: [], threads: (id) => this.threads(id) },
      request,
      control,
    );
  }

  import(file: string, more: Partial<ImportRequest> = {}): Promise<ImportResult> {
    const context = {
      root: this.root,
      store: this.store,
      folders: [],
      workspace: undefined,
      redact: false,
    };
    return importHandoff(context, { file, ...more }, control);
  }

  async close(): Promise<void> {
    await this.store.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}
