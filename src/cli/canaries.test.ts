import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { ClaudeWriter } from '../../test/agents/claudeRecords.js';
import { readPack } from '../vault/testVault.js';
import { buildCli, TestUser } from './testCli.js';

const secrets = new Map<string, string>();

/** A token as a vendor makes them, for each place another one, behind a word to know the place by. */
function canary(place: string): string {
  const letters = createHash('sha256')
    .update(place)
    .digest('base64')
    .replace(/[^A-Za-z0-9]/g, '');
  const secret = `ghp_${letters.slice(0, 36).padEnd(36, 'q7')}`;
  secrets.set(place, secret);
  return `${markOf(place)} ${secret}`;
}

const markOf = (place: string): string => `place${place.replaceAll(' ', '')}`;

const leakedInto = (text: string): readonly string[] =>
  [...secrets].flatMap(([place, secret]) => (text.includes(secret) ? [place] : []));

/** Every file below a folder. */
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());

suite('a token in an agent’s transcript', function () {
  this.timeout(600_000);
  let cli: string;
  let ann: TestUser;
  suiteSetup(async () => {
    cli = await buildCli();
  });
  suiteTeardown(() => rmSync(dirname(cli), { recursive: true }));
  setup(() => {
    ann = new TestUser(cli);
    const writer = new ClaudeWriter({ cwd: ann.folder });
    writer.user([{ type: 'text', text: canary('prompt') }]);
    writer.answer('m1', { type: 'thinking', thinking: canary('thought'), signature: 'c2ln' });
    writer.say('m2', canary('answer'));
    writer.call('m3', 'c1', 'Bash', { command: canary('command'), [canary('name')]: 1 });
    writer.result('c1', canary('result'), { toolUseResult: { stdout: canary('output') } });
    writer.call('m4', 'c2', 'TodoWrite', {
      todos: [{ content: canary('todo'), status: 'pending' }],
    });
    writer.result('c2', JSON.stringify({ nested: canary('nested') }));
    writer.loose({ type: 'summary', summary: canary('title'), leafUuid: 'u1' });
    const store = join(ann.home, '.claude/projects', ann.folder.replace(/[^A-Za-z0-9]/g, '-'));
    mkdirSync(store, { recursive: true });
    const name = '5f2c9d1e-7a43-4b8f-9c56-0d1e2f3a4b5c.jsonl';
    writeFileSync(join(store, name), `${writer.lines.join('\n')}\n`);
  });
  teardown(() => ann.remove());

  test('is neither in the vault nor in a backup, nor in what any command prints', async () => {
    const printed: string[] = [];
    const run = async (...args: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await ann.run(args);
      assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
      printed.push(stdout, stderr);
      return stdout;
    };
    await run('capture', '--folder', ann.folder);
    const { sessions } = z
      .object({ sessions: z.array(z.object({ id: z.string() })) })
      .parse(JSON.parse(await run('session', 'list', '--json')));
    const id = sessions[0]?.id ?? '';
    await run('session', 'show', id);
    await run('search', markOf('answer'), '--json');
    await run('vault', 'check', '--json');
    const backup = join(ann.home, 'backup');
    await run('vault', 'backup', backup);
    assert.deepEqual(leakedInto(printed.join('\n')), []);
    assert.match(printed.join('\n'), /place\w+ \[REDACTED/);

    for (const folder of [ann.store, backup]) {
      let told = '';
      for (const file of filesIn(folder)) {
        assert.deepEqual(leakedInto(readFileSync(file, 'latin1')), [], file);
        if (!file.endsWith('.pack')) continue;
        const { frames } = await readPack(file);
        told += frames.map(({ payload }) => Buffer.from(payload).toString('latin1')).join('\n');
      }
      assert.deepEqual(leakedInto(told), []);
      for (const place of secrets.keys()) assert.ok(told.includes(markOf(place)), place);
    }
  });
});
