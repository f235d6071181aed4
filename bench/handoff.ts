// Measures sending a session of 100 MB of conversation and taking it in: time, processor time and memory, each in a
// process of its own. Usage: handoff.ts SCRATCH FIGURES | handoff.ts SCRATCH step
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { ExportChoice } from '../src/core/handoff.js';
import { newId } from '../src/core/model/ids.js';
import type { Redactor } from '../src/core/redact/redactor.js';
import { encodeHandoff } from '../src/handoff/encode.js';
import { SessionExport } from '../src/handoff/exportSession.js';
import { writeStream } from '../src/handoff/handoffFile.js';
import { Sharing } from '../src/handoff/sharing.js';
import { exportSession, importHandoff, inspectHandoff } from '../src/library/handoff.js';
import { Store } from '../src/library/store.js';
import { SessionIndex } from '../src/vault/sessionIndex.js';
import { openVault } from '../src/vault/vault.js';
import { milliseconds, writeFigures, type Figure } from './figures.js';
import { prose, wasm } from './project.js';

const MB = 1024 ** 2;
const size = 100 * MB;
const [scratch = '', second = ''] = process.argv.slice(2);
const choice: ExportChoice = { files: true, images: false, filesWithSecrets: false };
const control = { signal: new AbortController().signal, onProgress: () => undefined };
const out = path.join(scratch, 'session.keepthread');

const openStore = async (
  name: string,
): Promise<{ readonly root: string; readonly store: Store }> => {
  const root = path.join(scratch, name);
  const { index } = await SessionIndex.open({ file: undefined, wasm });
  const vault = await openVault({
    folder: path.join(root, 'projects', 'p'),
    blobRef: (hash) => index.blobRef(hash),
  });
  const store = new Store([vault], index);
  await store.refresh(() => undefined);
  return { root, store };
};

/** A conversation of records as Claude Code writes them, 4 KB each. */
const fill = async (): Promise<void> => {
  const { store } = await openStore('ann');
  const thread = `claude-code:${newId()}`;
  let first = 0;
  for (let bytes = 0; bytes < size;) {
    const records = Array.from({ length: 60 }, (_, at) =>
      Buffer.from(
        JSON.stringify({
          type: at % 2 === 0 ? 'user' : 'assistant',
          uuid: newId(),
          sessionId: thread,
          message: { role: 'user', content: [{ type: 'text', text: prose(4000) }] },
        }),
      ),
    );
    const count = records.length;
    const cursor = { path: 'x', offset: 0, generation: 0, records: first + count, state: {} };
    const header = { schemaVersion: 1, thread, generation: 0, first, count, cursor } as const;
    await store.appendRecords(records, header);
    first += count;
    bytes += records.reduce((sum, { length }) => sum + length, 0);
  }
  const set = { title: 'A long session', goal: '', status: 'active', tags: [] } as const;
  const session = { ...set, tags: [] };
  await store.appendSession({
    schemaVersion: 1,
    sessionId: newId(),
    at: 1,
    joins: [thread],
    set: session,
  });
  await store.close();
};

/** Lets everything pass: what is left is reading, packing and writing. */
const passing = {
  value: (value: unknown) => ({ value, findings: [], withheld: false }),
  record: (record: Uint8Array) => ({ record, findings: [], withheld: false }),
  report: { kinds: [], homes: 0, dropped: 0 },
} as unknown as Redactor;

const send = async (redacts: boolean): Promise<void> => {
  const { root, store } = await openStore('ann');
  const sessionId = store.index.sessions()[0]?.id ?? '';
  const threads = (id: string) => Promise.resolve(store.index.threads(id));
  await measured(async () => {
    if (redacts) {
      const request = { sessionId, output: out, format: 'keepthread', choice } as const;
      await exportSession({ root, store, folders: [], threads }, request, control);
      return;
    }
    const source = {
      session: (id: string) => store.index.session(id),
      origin: () => undefined,
      snapshots: (id: string) => store.index.snapshots(id),
      threads,
      snapshotJson: (id: string) => store.readSnapshotJson(id),
      blob: (hash: string) => store.readBlob(hash),
      records: (id: string, generation: number, count: number) =>
        store.records(id, generation, count),
    };
    const about = { sessionId, choice, author: {}, tool: { name: 'bench', version: '1' } };
    const session = new SessionExport(source, new Sharing(passing, choice), about);
    await writeStream(
      out,
      encodeHandoff(session.entries(), () => session.facts()),
    );
  });
};

const take = async (): Promise<void> => {
  const { root, store } = await openStore(newId());
  const context = { root, store, folders: [], workspace: undefined, redact: false };
  await measured(() => importHandoff(context, { file: out }, control));
};

const look = async (): Promise<void> => {
  const { root, store } = await openStore(newId());
  await measured(() => inspectHandoff({ root, store, folders: [] }, { file: out }, control));
};

const resultSchema = z.object({ ms: z.number(), cpu: z.number(), rss: z.number() });

async function measured(work: () => Promise<unknown>): Promise<void> {
  const cpu = process.cpuUsage();
  const begin = performance.now();
  await work();
  const ms = performance.now() - begin;
  const { user, system } = process.cpuUsage(cpu);
  // Kilobytes: https://nodejs.org/api/process.html#processresourceusage
  const rss = process.resourceUsage().maxRSS * 1024;
  writeFileSync(
    path.join(scratch, 'step.json'),
    JSON.stringify({ ms, cpu: (user + system) / 1000, rss }),
  );
}

const steps: Readonly<Record<string, () => Promise<void>>> = {
  fill,
  export: () => send(true),
  pack: () => send(false),
  inspect: look,
  import: take,
};

function run(step: string): z.infer<typeof resultSchema> {
  const script = path.join(import.meta.dirname, 'handoff.ts');
  execFileSync(process.execPath, ['--import', 'tsx', script, scratch, step], { stdio: 'inherit' });
  const file = path.join(scratch, 'step.json');
  return step === 'fill'
    ? { ms: 0, cpu: 0, rss: 0 }
    : resultSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

const figure = (what: string, step: string, goal: string): Figure => {
  const { ms, cpu, rss } = run(step);
  const measure = `${milliseconds(ms)} (${milliseconds(cpu)} of processor), at most ${(rss / MB).toFixed(0)} MB of memory`;
  return { what, measured: measure, goal };
};

const step = steps[second];
if (step) {
  await step();
} else {
  mkdirSync(scratch, { recursive: true });
  run('fill');
  const goal = 'below 1.5 s and 300 MB';
  const figures = [
    figure('a session of 100 MB is written, without looking for secrets', 'pack', goal),
    figure('a session of 100 MB is exported', 'export', goal),
    figure('its file is looked into', 'inspect', goal),
    figure('its file is taken in', 'import', goal),
    {
      what: 'size of its file',
      measured: `${(statSync(out).size / MB).toFixed(1)} MB`,
      goal: '',
    },
  ];
  writeFigures(second, figures);
}
