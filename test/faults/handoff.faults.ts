import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fuzzResultSchema, type FuzzResult } from './fuzzResult.js';
import { rounds } from './lane.js';

const script = path.join(import.meta.dirname, 'handoffFuzz.ts');

/** Files for one process, which then gives its memory back. */
const CHUNK = 20_000;
/** A process is given up when no file was done for so long: it hangs. */
const HANG_MS = 5 * 60_000;

/** Reads so many files in a process of their own; says which file it was when the process did not end well. */
async function read(first: number, count: number): Promise<FuzzResult> {
  const child = spawn(process.execPath, ['--import', 'tsx', script, String(first), String(count)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let file = first;
  let result: unknown;
  let errors = '';
  const hang = setTimeout(() => child.kill('SIGKILL'), HANG_MS);
  child.on('message', (message) => {
    hang.refresh();
    if (typeof message === 'number') file = message;
    else result = message;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const code = await new Promise((done, fail) => child.on('error', fail).on('close', done));
  clearTimeout(hang);
  assert.equal(code, 0, `soon after file ${file}: ${errors}`);
  return fuzzResultSchema.parse(result);
}

suite('a session file that somebody has changed (R7)', () => {
  const files = rounds(2000, 1_000_000);

  test(`takes down, holds up, fills or changes nothing, in ${files} forms of it`, async () => {
    const total: Record<string, number> = {};
    let [done, taken, slowest, memory] = [0, 0, 0, 0];
    while (done < files) {
      const count = Math.min(CHUNK, files - done);
      const result = await read(done, count);
      done += count;
      taken += result.taken;
      slowest = Math.max(slowest, result.slowest);
      memory = Math.max(memory, result.memory);
      for (const [outcome, times] of Object.entries(result.outcomes)) {
        total[outcome] = (total[outcome] ?? 0) + times;
      }
      assert.equal(result.polluted, 0);
      assert.ok(result.slowest < 10, `one took ${result.slowest} s`);
      assert.ok(result.memory < 512 * 2 ** 20, `${result.memory} bytes`);
      if (files > CHUNK) {
        const most = `${slowest.toFixed(2)} s and ${(memory / 2 ** 20).toFixed(0)} MB at most`;
        console.log(`${done} files, ${taken} taken in too, ${most}: ${JSON.stringify(total)}`);
      }
    }
    // No check stands so far in front that nothing comes to what is behind it.
    for (const way of ['entries', 'lines', 'manifest', 'first line', 'frames', 'signature']) {
      assert.ok((total[`${way}: read`] ?? 0) > 0, `${way}: none was read`);
    }
    for (const way of ['entries', 'lines', 'signature', 'large']) {
      assert.ok((total[`${way}: handoffRefused`] ?? 0) > 0, `${way}: none was refused`);
    }
    assert.equal(total['bytes: read'], undefined, 'a changed byte was not noticed');
  });
});
