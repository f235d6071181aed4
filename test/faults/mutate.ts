// Shows that the fault suite notices when a safeguard is missing: takes each out in a copy of the sources, and
// runs the tests that should fail. Usage: node --import tsx test/faults/mutate.ts
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

interface Mutation {
  readonly what: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Tests that should fail: a file, and a part of their titles. */
  readonly tests: readonly [file: string, title: string];
}

const mutations: readonly Mutation[] = [
  {
    what: 'the hash of a record is not compared',
    file: 'src/vault/frame.ts',
    from: 'return hash === head.hash ? { payload }',
    to: 'return hash !== undefined ? { payload }',
    tests: ['src/vault/frame.test.ts', ''],
  },
  {
    what: 'the checksum of a record is not compared',
    file: 'src/vault/frame.ts',
    from: 'if (crc32.buf(stored) !== head.crc) return',
    to: 'if (head.crc === undefined) return',
    tests: ['src/vault/frame.test.ts', ''],
  },
  {
    what: 'the checksum of a head is not compared',
    file: 'src/vault/frame.ts',
    from: 'if (crc32.buf(bytes.subarray(4, 72)) !== bytes.readInt32LE(72)) return undefined;',
    to: '',
    tests: ['test/faults/damage.faults.ts', 'of bits'],
  },
  {
    what: 'a save is not synced before it is acknowledged',
    file: 'src/vault/pack.ts',
    from: 'await pack.file.sync();',
    to: '',
    tests: ['src/vault/pack.test.ts', 'a loss of power'],
  },
  {
    what: 'a new pack’s name is not synced',
    file: 'src/vault/pack.ts',
    from: 'await this.io.syncFolder(this.folder);',
    to: '',
    tests: ['src/vault/pack.test.ts', 'a loss of power'],
  },
  {
    what: 'a sealed file is not synced',
    file: 'src/vault/sealedWriter.ts',
    from: 'await this.file.sync();',
    to: '',
    tests: ['test/faults/power.faults.ts', ''],
  },
  {
    what: 'a sealed file’s name is not synced before the old ones go',
    file: 'src/vault/sealedWriter.ts',
    from: 'await io.syncFolder(folder);',
    to: '',
    tests: ['src/vault/seal.test.ts', 'takes the old file away only when'],
  },
  {
    what: 'a sealed file is not read back',
    file: 'src/vault/sealedWriter.ts',
    from: "await verify(temporary, packs, digest.digest('hex'));",
    to: '',
    tests: ['src/vault/sealedWriter.test.ts', ''],
  },
  {
    what: 'a writer does not look whether its pack has lost its name',
    file: 'src/vault/pack.ts',
    from: 'if (await pack.file.isThere()) {',
    to: 'if (pack) {',
    tests: ['src/vault/seal.test.ts', 'process that still writes'],
  },
  {
    what: 'the lock lets everybody in',
    file: 'src/vault/lock.ts',
    from: "if (codeOf(error) === 'EEXIST') return false;",
    to: "if (codeOf(error) === 'EEXIST') return true;",
    tests: ['src/vault/lock.test.ts', 'one work at a time'],
  },
  {
    what: 'a lock that a killed process left is never broken',
    file: 'src/vault/lock.ts',
    from: 'await breakLock(file, state);',
    to: 'await Promise.resolve();',
    tests: ['src/vault/lock.test.ts', 'killed process left'],
  },
  {
    what: 'the clock follows the wall clock back',
    file: 'src/core/clock.ts',
    from: 'this.last = wall > this.last ? wall : this.last + 1n;',
    to: 'this.last = wall;',
    tests: ['test/faults/clock.faults.ts', ''],
  },
  {
    what: 'the clock does not observe other processes',
    file: 'src/core/clock.ts',
    from: 'if (remote > this.last && remote < TOO_LATE) this.last = remote;',
    to: 'if (remote < 0n) this.last = remote;',
    tests: ['test/faults/clock.faults.ts', ''],
  },
  {
    what: 'ages of snapshots are those of the wall clock',
    file: 'src/core/retention.ts',
    from: 'age += Math.min(DAY, Math.max(0, newer.at - snapshot.at));',
    to: 'age += newer.at - snapshot.at;',
    tests: ['src/core/retention.test.ts', 'a clock'],
  },
  {
    what: 'collection does not look whether a file is relied upon',
    file: 'src/vault/collect.ts',
    from: 'const isRelied = (await lastNeeded(packs, file)) !== lastTime;',
    to: 'const isRelied = lastTime === undefined;',
    tests: ['src/vault/collect.test.ts', 'about to be named again'],
  },
];

const root = path.join(import.meta.dirname, '..', '..');
const copy = mkdtempSync(path.join(tmpdir(), 'keepthread-mutations-'));
for (const name of [
  'src',
  'test/faults',
  'test/fixtures',
  'scripts',
  'package.json',
  'tsconfig.json',
]) {
  cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
}
writeFileSync(
  path.join(copy, 'mocha.json'),
  JSON.stringify({ import: 'tsx', ui: 'tdd', timeout: 120_000 }),
);
symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));

/** Whether the tests pass in the copy. */
function passes([file, title]: Mutation['tests']): boolean {
  const mocha = path.join(root, 'node_modules/mocha/bin/mocha.js');
  const args = [mocha, '--config', 'mocha.json', '--bail', file, '--grep', title];
  const { status } = spawnSync(process.execPath, args, { cwd: copy });
  return status === 0;
}

let survivors = 0;
for (const { what, file, from, to, tests } of mutations) {
  const source = path.join(copy, file);
  const text = readFileSync(source, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${file} has not one "${from}"`);
  if (!passes(tests)) throw new Error(`${tests[0]} fails as it is`);
  writeFileSync(
    source,
    text.replace(from, () => to),
  );
  const survived = passes(tests);
  writeFileSync(source, text);
  if (survived) survivors += 1;
  console.log(
    `${survived ? 'SURVIVED' : 'noticed '}  ${what} (${tests.filter(Boolean).join(': ')})`,
  );
}
rmSync(copy, { recursive: true });
console.log(`${mutations.length - survivors} of ${mutations.length} were noticed.`);
process.exitCode = survivors > 0 ? 1 : 0;
