// Bytes in the vault after 800 snapshots of a thread that grows by 1 KB a turn, against what the last state
// alone takes in a vault. Usage: growth.ts SCRATCH FIGURES (with a home of its own)
import { appendFileSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { encodeFolder } from '../src/agents/claude-code/folders.js';
import type { Capture } from '../src/core/engine.js';
import { createEngine } from '../src/library/engine.js';
import { times, writeFigures } from './figures.js';
import { folderBytes, openRequest, prose, silent, wasm } from './project.js';

const turns = 800;
const [scratch = '', figures = ''] = process.argv.slice(2);
const sessionId = '3e1f0a4c-7a52-4a5e-9a63-2b8d52a1c7f0';
const folder = realpathSync(path.dirname(openRequest(scratch).store));
const project = path.join(folder, 'project');
const transcripts = path.join(os.homedir(), '.claude', 'projects', encodeFolder(project));
const transcript = path.join(transcripts, `${sessionId}.jsonl`);
mkdirSync(transcripts, { recursive: true });

/** A prompt or an answer that makes a line of 1 KB. */
const addTurn = (index: number): void => {
  const asked = index % 2 === 0;
  const record = {
    parentUuid: index === 0 ? null : uuid(index - 1),
    isSidechain: false,
    type: asked ? 'user' : 'assistant',
    cwd: project,
    sessionId,
    version: '2.1.197',
    uuid: uuid(index),
    timestamp: new Date(Date.UTC(2026, 0, 5) + index * 10_000).toISOString(),
    message: asked
      ? { role: 'user', content: prose(650) }
      : { role: 'assistant', model: 'claude', content: [{ type: 'text', text: prose(620) }] },
  };
  appendFileSync(transcript, `${JSON.stringify(record)}\n`);
};
const uuid = (index: number): string =>
  `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

/** A window whose cursor is at another line each time. */
const capture = (line: number): Capture => {
  const place = { uri: 'file:///project/src/main.ts', folder: 'project', path: 'src/main.ts' };
  return {
    editors: {
      groups: [{ tabs: [{ kind: 'text', place, label: 'main.ts', active: true }] }],
      activeGroup: 0,
      views: [{ place, group: 0, selections: [[line, 0, line, 0]], top: line }],
    },
    drafts: [],
    environment: {
      ...{ keepthread: '0.1.0', os: 'linux', arch: 'x64', node: '22' },
      folders: [{ name: 'project', uri: 'file:///project' }],
      agents: {},
    },
  };
};

/** Bytes of a vault that has taken a snapshot at some of the turns. */
const vaultBytes = async (name: string, snapshotAt: (turn: number) => boolean): Promise<number> => {
  const request = { ...openRequest(scratch), store: path.join(folder, name) };
  const engine = createEngine({ wasm, events: silent });
  await engine.open(request);
  const { id } = await engine.createSession({ title: 'growth', status: 'active' });
  for (let turn = 0; turn < turns; turn += 1) {
    if (name === 'every') addTurn(turn);
    if (!snapshotAt(turn)) continue;
    await engine.scanThreads();
    const result = await engine.save(capture(turn), { sessionId: id, reason: 'manual' });
    if (!result.stored) throw new Error('A snapshot was not stored.');
  }
  const [thread] = await engine.listThreads(id);
  if (thread?.records !== turns) throw new Error('The thread is not whole.');
  await engine.close();
  return folderBytes(request.store);
};

const every = await vaultBytes('every', () => true);
const last = await vaultBytes('last', (turn) => turn === turns - 1);
const raw = statSync(transcript).size;
const kb = (bytes: number): string => `${(bytes / 1024).toFixed(0)} KB`;
writeFigures(figures, [
  {
    what: `vault after ${turns} snapshots of a thread growing by 1 KB a turn, against the agent's own file at the end`,
    measured: `${times(every / raw)} (${kb(every)} against ${kb(raw)})`,
    goal: 'below 2x',
  },
  {
    what: 'the same against a vault that took one snapshot at the end',
    measured: `${times(every / last)} (${kb(every)} against ${kb(last)})`,
    goal: '',
  },
]);
