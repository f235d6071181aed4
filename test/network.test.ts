import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import dgram from 'node:dgram';
import dns from 'node:dns';
import net from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import { z } from 'zod';
import { bundles } from '../scripts/bundles.mjs';
import { buildCli, TestUser } from '../src/cli/testCli.js';

const source = path.join(import.meta.dirname, '..', 'src');
const preload = new URL('noNetwork.mjs', import.meta.url).href;

suite('nothing leaves the machine unless somebody sends it (R27)', function () {
  this.timeout(600_000);

  test('these tests run where every socket fails', async () => {
    assert.throws(() => net.connect(80, '127.0.0.1'), /A socket/);
    assert.throws(() => net.createServer().listen(0), /A socket/);
    assert.throws(() => dgram.createSocket('udp4').send('x', 9, '127.0.0.1'), /A socket/);
    assert.throws(() => dns.lookup('example.invalid', () => undefined), /A socket/);
    await assert.rejects(fetch('http://127.0.0.1:9/'));
  });

  test('no file of ours names what would open one', () => {
    const ways =
      /(?:from |import\(|require\()['"](?:node:)?(?:net|tls|http|https|http2|dgram|dns|undici|ws)(?:\/promises)?['"]|\bfetch\(|\bWebSocket\(|\bEventSource\(|sendBeacon|XMLHttpRequest/;
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.ts$/.test(file) && !/\.test\.ts$/.test(file))
      .filter((file) => !file.split(path.sep).includes('corpus'));
    assert.ok(files.length > 300);
    const users = files.filter((file) => ways.test(readFileSync(path.join(source, file), 'utf8')));
    assert.deepEqual(users, []);
  });

  test('no program that is shipped has a library that would', async () => {
    const opens = /^(?:node:)?(?:net|tls|http|https|http2|dgram|dns|undici|ws)(?:\/promises)?$/;
    const outside: string[] = [];
    for (const bundle of bundles) {
      const { metafile } = await build({ ...bundle, outdir: 'dist', write: false, metafile: true });
      const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
      outside.push(...imports.filter(({ external }) => external === true).map((one) => one.path));
    }
    assert.ok(outside.includes('node:fs'), 'what a bundle takes from outside is not seen');
    assert.deepEqual(
      outside.filter((name) => opens.test(name)),
      [],
    );
  });

  test('the command line opens none, whatever it is asked for', async () => {
    const cli = await buildCli();
    const user = new TestUser(cli);
    const notes = path.join(user.home, 'sockets');
    const env = { NODE_OPTIONS: `--import=${preload}`, KEEPTHREAD_TEST_SOCKETS: notes };
    const run = async (...args: readonly string[]): Promise<unknown> => {
      const { code, stdout, stderr } = await user.run([...args, '--json'], { env });
      assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
      return stdout === '' ? undefined : JSON.parse(stdout);
    };
    try {
      user.claude('Fix the login page, see https://example.invalid/issue/1');
      await run('capture', '--folder', user.folder);
      const { sessions } = z
        .object({ sessions: z.array(z.object({ id: z.string() })) })
        .parse(await run('session', 'list'));
      const id = sessions[0]?.id ?? '';
      await run('session', 'show', id);
      await run('thread', 'list', '--folder', user.folder);
      await run('search', 'login');
      await run('agents');
      await run('key', 'new', '--name', 'Ann');
      for (const format of ['keepthread', 'markdown', 'json', 'html', 'atif', 'otel']) {
        const output = path.join(user.home, `out.${format}`);
        await run('session', 'export', id, '--output', output, '--format', format);
      }
      const file = path.join(user.home, 'out.keepthread');
      await run('session', 'verify', file);
      await run('session', 'import', file, '--folder', user.folder);
      await run('vault', 'check');
      assert.equal(existsSync(notes), false, 'a socket was tried');
      const control = await user.run(['session', 'list'], {
        env: { ...env, NODE_OPTIONS: `--import=${preload} --import=${connecting}` },
      });
      assert.notEqual(control.code, 0);
      assert.match(readFileSync(notes, 'utf8'), /^connect/);
    } finally {
      user.remove();
      rmSync(path.dirname(cli), { recursive: true });
    }
  });
});

/** A program that opens a socket, to see that it is noticed. */
const connecting = `data:text/javascript,${encodeURIComponent(
  "import net from 'node:net'; net.connect(9, '127.0.0.1');",
)}`;
