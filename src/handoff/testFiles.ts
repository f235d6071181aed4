import { createHash } from 'node:crypto';
import { encodeHandoff, type EncodeOptions, type ManifestFacts } from './encode.js';

/** A small session file with an entry of each kind, for tests of what reads it. */

const text = '"a draft \\ud83d"';
const draft = createHash('sha256').update(text).digest('hex');
const place = { uri: 'file:///w/a.txt', folder: 'w', path: 'a.txt' };

export const entriesOf = (): readonly object[] => [
  {
    kind: 'session',
    id: 's1',
    title: 'Fix the login',
    goal: 'Green tests',
    status: 'active',
    tags: ['bug'],
    createdAt: 1,
    updatedAt: 2,
    mood: 'good',
  },
  {
    kind: 'thread',
    id: 'claude-code:t1',
    generations: [{ generation: 0, records: 3 }],
    title: 'Fix',
    colour: 'red',
  },
  {
    kind: 'records',
    thread: 'claude-code:t1',
    generation: 0,
    first: 0,
    records: ['{"a":1}', '{}'],
  },
  {
    kind: 'records',
    thread: 'claude-code:t1',
    generation: 0,
    first: 2,
    records: [{ base64: '/w==' }],
  },
  { kind: 'blob', id: draft, size: Buffer.byteLength(text), at: 0, text },
  {
    kind: 'part',
    id: 'e1',
    part: 'editors',
    value: {
      groups: [{ tabs: [{ kind: 'text', place, label: 'a.txt', glow: 1 }] }],
      activeGroup: 0,
      views: [],
      drafts: [{ place, untitled: false, languageId: 'plaintext', text: draft }],
    },
  },
  {
    kind: 'snapshot',
    snapshot: {
      id: 'p1',
      sessionId: 's1',
      at: 2,
      reason: 'manual',
      parts: { editors: 'e1' },
      threads: [{ id: 'claude-code:t1', generation: 0, records: 3 }],
      summary: { tabs: 1, changes: 0, turns: 1 },
      weather: 'sunny',
    },
  },
  { kind: 'later', of: 'a newer version' },
];

export const noRedaction: ManifestFacts['redaction'] = {
  lane: 'share',
  masked: [],
  kept: [],
  homes: 0,
  sealed: 0,
  images: 0,
  shortened: 0,
  leftOut: [],
};

export const factsOf = (): ManifestFacts => ({
  tool: { name: 'test', version: '1' },
  createdAt: 3,
  author: {},
  contents: { sessions: 1, snapshots: 1, threads: 1, records: 3, parts: 1, blobs: 1 },
  chosen: { files: true, images: false, toolOutputs: 'whole' },
  bases: [],
  redaction: noRedaction,
});

/** The bytes of a session file. */
export async function fileOf(
  entries: readonly object[],
  facts: Partial<ManifestFacts> = {},
  options: EncodeOptions = {},
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const all = encodeHandoff(entries, () => ({ ...factsOf(), ...facts }), options);
  for await (const chunk of all) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export const sessionFile = (options: EncodeOptions = {}): Promise<Buffer> =>
  fileOf(entriesOf(), {}, options);
