import { readdirSync, writeFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { ExpectedError, fill } from '../../src/core/errors.js';
import { importPage } from '../../src/extension/handoff/page.js';
import { ageMark, decrypted } from '../../src/handoff/age.js';
import { SessionInspector } from '../../src/handoff/inspectSession.js';
import { readSession } from '../../src/handoff/readSession.js';
import { Machine } from '../../src/library/testMachine.js';
import { watchWrites } from '../watchWrites.mjs';
import { mutations } from './mutateHandoff.js';
import { randomFrom } from './random.js';
import type { FuzzResult } from './fuzzResult.js';

/*
 * Reads changed session files, in a process of its own whose memory is measured. Arguments: number of the first file, how
 * many. Tells the process that started it how far it is, then what became of them.
 */

const [first = 0, count = 0] = process.argv.slice(2).map(Number);

/** So many files are read for one that is taken in, which takes longer. */
const TAKEN_EVERY = 20;

const written: string[] = [];
const machine = await new Machine().open();
const quarantine = join(machine.root, 'quarantine');
const incoming = join(machine.root, 'in.keepthread');
const isBelow = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder + sep);
watchWrites((name, path) => {
  const full = path instanceof URL ? fileURLToPath(path) : resolve(String(path));
  if (full === incoming) return;
  if (!isBelow(machine.root, full)) throw new Error(`${name} of ${full}`);
  // A content that is here already is touched, so that no collection takes it away meanwhile.
  if (name !== 'utimes') written.push(full);
});

const identity = await generateX25519Identity();
const { whole, make } = await mutations(await identityToRecipient(identity));

async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

const around = {
  target: { session: () => undefined, origin: () => undefined, isDeleted: () => false },
  signers: [],
  isKnownAgent: () => true,
  findBase: () => Promise.resolve({ folder: undefined, isHere: undefined }),
};
const words = {
  l10n: { t: (text: string, ...values: (string | number)[]) => fill(text, values) },
  agentName: (agent: string) => agent,
  moment: (at: number) => new Date(at).toISOString(),
  importLink: 'command:x',
  takeTheirsLink: 'command:x',
  nonce: 'n',
};

/** Reads a file to its end, and shows it as a person would see it. */
async function look(bytes: Buffer): Promise<void> {
  const isLocked = bytes.subarray(0, ageMark.length).equals(ageMark);
  const plain = isLocked ? decrypted(chunks(bytes), { identities: [identity] }) : chunks(bytes);
  const inspector = new SessionInspector(around);
  const end = await readSession(plain, inspector);
  const seen = { bytes: bytes.length, encryption: isLocked ? 'recipients' : 'none' } as const;
  importPage(await inspector.finish('/in.keepthread', seen, end), words);
}

/** Takes a file in as a person would, and looks what was written where. */
async function take(bytes: Buffer): Promise<string> {
  writeFileSync(incoming, bytes);
  written.length = 0;
  const outcome = await outcomeOf(async () => {
    await machine.import(incoming, { unlock: { identities: [identity] } });
  });
  const left = readdirSync(quarantine);
  if (left.length > 0) throw new Error(`In quarantine is left ${left.join(', ')}.`);
  const outside = written.find((path) => !isBelow(quarantine, path));
  if (outcome !== 'read' && outside !== undefined) {
    throw new Error(`It was refused, and ${outside} written.`);
  }
  return outcome;
}

/** What became of a file: `read`, or the reason of its refusal. Anything else would be a bug that a file sets off. */
async function outcomeOf(work: () => Promise<void>): Promise<string> {
  try {
    await work();
    return 'read';
  } catch (error) {
    if (error instanceof ExpectedError) return error.reason;
    throw error;
  }
}

const outcomes: Record<string, number> = {};
let slowest = 0;
let taken = 0;

async function read(number: number): Promise<void> {
  const { way, bytes } = make(randomFrom(number));
  const before = process.cpuUsage();
  let outcome = await outcomeOf(() => look(bytes));
  if (number % TAKEN_EVERY === 0) {
    taken += 1;
    const again = await take(bytes);
    if (outcome === 'read') outcome = again;
    else if (again === 'read') throw new Error('It was taken, and was not to be read.');
  }
  const { user, system } = process.cpuUsage(before);
  slowest = Math.max(slowest, (user + system) / 1e6);
  outcomes[`${way}: ${outcome}`] = (outcomes[`${way}: ${outcome}`] ?? 0) + 1;
}

if ((await outcomeOf(() => look(whole))) !== 'read') throw new Error('The whole file is not read.');
for (let number = first; number < first + count; number += 1) {
  if (number % 50 === 0) process.send?.(number);
  try {
    await read(number);
  } catch (error) {
    throw new Error(`File ${number}`, { cause: error });
  }
}
await machine.close();
const result: FuzzResult = {
  outcomes,
  taken,
  slowest,
  // Kilobytes: https://nodejs.org/api/process.html#processresourceusage
  memory: process.resourceUsage().maxRSS * 1024,
  polluted: Object.keys(Object.prototype).length,
};
if (process.send) process.send(result, () => process.disconnect());
else console.log(JSON.stringify(result));
