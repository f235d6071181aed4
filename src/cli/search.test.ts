import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { holds } from '../vault/testProject.js';
import { buildCli, TestUser } from './testCli.js';

const found = z.strictObject({
  hits: z.array(
    z.object({
      kind: z.string(),
      threadId: z.string().optional(),
      place: z.object({ turnId: z.string(), turn: z.number(), part: z.number() }).optional(),
      title: z.string(),
      sessionIds: z.array(z.string()),
      snippet: z.object({
        text: z.string(),
        matches: z.array(z.object({ start: z.number(), end: z.number() })),
      }),
    }),
  ),
  more: z.boolean(),
  complete: z.boolean(),
  pending: z.object({ threads: z.number(), bytes: z.number() }),
  problems: z.array(z.unknown()),
});

suite('searching on the command line', function () {
  this.timeout(900_000);
  let cli: string;
  let user: TestUser;
  suiteSetup(async () => {
    cli = await buildCli();
  });
  suiteTeardown(() => rmSync(dirname(cli), { recursive: true }));
  setup(async () => {
    user = new TestUser(cli);
    user.claude('Keep the walrus in the bath: getUserById');
    await user.json('capture', '--folder', user.folder);
  });
  teardown(() => user.remove());

  const search = async (...args: readonly string[]) =>
    found.parse(await user.json('search', ...args));
  const snippets = async (...args: readonly string[]): Promise<readonly string[]> =>
    (await search(...args)).hits.map(({ kind, snippet }) => `${kind}: ${snippet.text}`);

  test('a prompt is found with its place, by words and by parts of identifiers', async () => {
    const { hits, more, complete, pending } = await search(
      'walrus',
      'by',
      'id',
      '--agent',
      'claude',
    );
    assert.deepEqual(
      { more, complete, pending },
      {
        more: false,
        complete: true,
        pending: { threads: 0, bytes: 0 },
      },
    );
    const [prompt, ...others] = hits;
    assert.deepEqual(others, []);
    assert.equal(prompt?.kind, 'prompt');
    assert.equal(prompt.place?.turn, 0);
    assert.match(prompt.threadId ?? '', /^claude-code:/);
    const words = prompt.snippet.matches.map(({ start, end }) =>
      prompt.snippet.text.slice(start, end),
    );
    assert.deepEqual(words, ['walrus', 'By', 'Id']);
  });

  test('an image is built once, and forgotten text is in no image', async () => {
    await search('walrus');
    const [key = ''] = readdirSync(join(user.store, 'projects'));
    const images = (): readonly string[] =>
      readdirSync(join(user.store, 'projects', key, 'search'));
    const [image] = images();
    assert.ok(image);
    await search('bath');
    assert.deepEqual(images(), [image]);
    assert.equal(await holds(join(user.store, 'projects', key, 'search'), 'walrus'), true);
    await user.json('vault', 'forget', '--text', 'walrus');
    assert.equal(await holds(user.store, 'walrus'), false);
    assert.deepEqual(await snippets('walrus'), []);
    assert.equal(await holds(user.store, 'walrus'), false);
    assert.equal((await snippets('bath')).length > 0, true);
  });

  const fails = (title: string, code: number, words: RegExp, ...args: readonly string[]): void => {
    test(title, async () => {
      const run = await user.run(['search', ...args, '--json']);
      assert.equal(run.code, code);
      assert.match(run.stderr, words);
    });
  };
  fails(
    'a bad filter in the query is answered in words',
    1,
    /“soon” is no date/,
    'x',
    'after:soon',
  );
  fails('a bad date is a wrong call', 2, /2026-01-31/, 'x', '--after', 'soon');
  fails('a bad role is a wrong call', 2, /Roles are user/, 'x', '--role', 'boss');
  fails('a search for nothing but signs says so', 1, /Type a word/, '=>');
  fails('a text is needed', 2, /missing required argument/);

  test('another folder is left out with --folder', async () => {
    assert.equal((await snippets('bath', '--folder', user.folder)).length > 0, true);
    assert.deepEqual(await snippets('bath', '--folder', user.home + '/elsewhere'), []);
  });

  test('a person reads who said it, where and what', async () => {
    const { stdout, code } = await user.run(['search', 'bath', 'role:user']);
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^Claude Code · you · .+\n {2}Keep the walrus in the bath: getUserById\n\n1 hit in 1 project\.\n$/,
    );
    const none = await user.run(['search', 'narwhal']);
    assert.equal(none.stdout, 'Nothing found in 1 project.\n');
  });

  test('a store that is not there is searched too', async () => {
    assert.deepEqual((await search('x', '--store', join(user.home, 'none'))).hits, []);
  });
});
