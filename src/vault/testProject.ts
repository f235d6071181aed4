import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { ThreadEvent } from '../core/model/records.js';
import type { SessionEvent } from '../core/model/session.js';
import type { Snapshot } from '../core/model/snapshot.js';
import { encodeBatch } from './batch.js';
import type { NewFrame } from './frame.js';
import { readFrames } from './reader.js';
import { SealedFile } from './sealedReader.js';
import { pollAll } from './testVault.js';
import type { FrameRef } from './types.js';
import { FrameType } from './types.js';
import type { Vault } from './vault.js';
import { openVault } from './vault.js';

/** A project's vault that is filled as windows fill it, for tests of what is taken out of it. */
export class TestProject {
  private constructor(
    /** The project's folder. */
    readonly folder: string,
    private vault: Vault,
  ) {}

  static async open(folder: string): Promise<TestProject> {
    return new TestProject(folder, await openVault({ folder }));
  }

  get packs(): string {
    return join(this.folder, 'packs');
  }

  /** Goes on in another process, as it were: with a pack of its own, and knowing what content there is. */
  async restart(): Promise<void> {
    await this.vault.close();
    const blobs = new Map<string, FrameRef>();
    const blobRef = (hash: string): FrameRef | undefined => blobs.get(hash);
    this.vault = await openVault({ folder: this.folder, blobRef });
    for (const { type, hash, pack, offset } of (await pollAll(this.vault)).frames) {
      if (type === FrameType.blob) blobs.set(hash, { pack, offset });
    }
  }

  close(): Promise<void> {
    return this.vault.close();
  }

  /** An event of a session; a new one without an id. Answers with the id. */
  async session(set: SessionEvent['set'], id: string = randomUUID(), joins: string[] = []) {
    await this.json(FrameType.session, { schemaVersion: 1, sessionId: id, at: 1, joins, set }, id);
    return id;
  }

  /** A snapshot whose editors are a part that names a draft. Answers with its id. */
  async snapshot(
    sessionId: string,
    draft: string,
    rest: Partial<Omit<Snapshot, 'parts' | 'sessionId'>> = {},
  ): Promise<string> {
    const text = await this.blob(JSON.stringify(draft));
    const editors = await this.blob(JSON.stringify({ drafts: [{ text, label: `of ${draft}` }] }));
    const snapshot: Snapshot = {
      schemaVersion: 1,
      id: randomUUID(),
      sessionId,
      at: Date.now(),
      reason: 'edits',
      parts: { editors },
      threads: [],
      summary: { tabs: 1, changes: 0, turns: 0 },
      ...rest,
    };
    await this.json(FrameType.snapshot, snapshot, sessionId);
    return snapshot.id;
  }

  async records(
    thread: string,
    texts: readonly string[],
    first = 0,
    parent?: string,
  ): Promise<void> {
    const records = first + texts.length;
    const cursor = { path: `/store/${thread}`, offset: records, generation: 0, records, state: {} };
    const count = texts.length;
    const head = { schemaVersion: 1, thread, generation: 0, first, count, parent, cursor } as const;
    const payload = encodeBatch(
      head,
      texts.map((text) => Buffer.from(JSON.stringify({ text }))),
    );
    await this.add({ type: FrameType.records, payload });
  }

  thread(thread: string, state: ThreadEvent['state']): Promise<void> {
    return this.json(FrameType.thread, { schemaVersion: 1, thread, at: 1, state });
  }

  /** Answers with the hash. */
  async blob(text: string): Promise<string> {
    return (await this.vault.putBlob(Buffer.from(text))).hash;
  }

  private async json(type: number, value: unknown, sessionId?: string): Promise<void> {
    await this.add({ type, sessionId, payload: Buffer.from(JSON.stringify(value)) });
  }

  private async add(frame: NewFrame): Promise<void> {
    await this.vault.append([frame]);
  }

  /** Lets all files be of so many days ago. */
  async age(days: number): Promise<void> {
    const then = new Date(Date.now() - days * 24 * 60 * 60 * 1000);
    for (const name of await this.files()) await utimes(join(this.packs, name), then, then);
  }

  files(): Promise<readonly string[]> {
    return readdir(this.packs);
  }
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Whether any file below a folder holds the text, also inside compressed records and as JSON escapes it. */
export async function holds(folder: string, text: string): Promise<boolean> {
  const needles = [text, JSON.stringify(text).slice(1, -1)];
  const has = (bytes: Uint8Array): boolean =>
    needles.some((needle) => Buffer.from(bytes).includes(needle));
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    if (has(await readFile(path)) || has(Buffer.from(path))) return true;
    for await (const payload of payloadsOf(path)) if (has(payload)) return true;
  }
  return false;
}

/** Everything in a pack or a sealed file, whether it counts or not. */
async function* payloadsOf(path: string): AsyncGenerator<Uint8Array> {
  if (path.endsWith('.sealed')) {
    const file = await SealedFile.open(path);
    for (const pack of file.names) {
      for await (const { payload } of file.frames(pack, 0, () => undefined)) yield payload;
    }
  } else {
    for await (const { payload } of readFrames(path, 0, () => undefined)) yield payload;
  }
}
