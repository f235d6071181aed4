import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { TestWindows } from '../library/testWindows.js';
import { holds } from '../vault/testProject.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Forgets a text as the command does, once it was interrupted. */
const script = `
  import { once } from 'node:events';
  import { reportFailure } from './src/cli/failure.ts';
  import { interruptible } from './src/cli/interruptible.ts';
  import { forgetInStore } from './src/library/forgetting.ts';
  import { wasmPath } from './src/agents/sqlite/wasm.ts';
  const [store, text] = process.argv.slice(1);
  try {
    await interruptible({ json: true }, 'Nothing was changed.', async (control) => {
      const stopped = once(control.signal, 'abort');
      process.stdout.write('ready');
      // Keeps the process alive, as work does.
      const working = setInterval(() => undefined, 1000);
      await stopped;
      clearInterval(working);
      await forgetInStore({ text }, { store, wasm: wasmPath(), ...control });
    });
  } catch (error) {
    process.exitCode = reportFailure(error, true);
  }`;

suite('a command that is interrupted', function () {
  this.timeout(900_000);
  let disk: TestWindows;
  setup(() => (disk = new TestWindows()));
  teardown(() => disk.dispose());

  test('says so, and has changed nothing', async function () {
    // There is no way to send Ctrl+C to another process there.
    if (process.platform === 'win32') this.skip();
    const secret = 'the password is swordfish';
    await disk.work(disk.folder('work'), secret);
    const args = ['--import', 'tsx', '--input-type=module', '--eval', script, disk.store, secret];
    const child = spawn(process.execPath, args, { cwd: root });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    await once(child, 'close');
    assert.equal(child.exitCode, 1, errors);
    assert.deepEqual(JSON.parse(errors), {
      error: { reason: 'interrupted', message: 'Stopped. Nothing was changed.' },
    });
    assert.equal(await holds(disk.store, secret), true);
  });
});
