import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { databaseScript, OpenCodeWriter } from '../../../test/agents/openCodeRows.js';
import { treeHash } from '../../../test/agents/treeHash.js';
import { show } from '../../../test/agents/claudeThreads.js';
import type { Cursor } from '../../core/model/records.js';
import { inspectFile } from '../inspect.js';
import { kiloCode } from '../kilo-code/source.js';
import type { FoundThread, Source } from '../source.js';
import { imagesAfter, walOf, writeDatabase } from '../sqlite/testDatabase.js';
import { createOpenCode, openCode } from './source.js';

suite('OpenCode, its store', () => {
  let home: string;
  let data: string;
  setup(async () => {
    home = await mkdtemp(join(tmpdir(), 'opencode-'));
    data = join(home, '.local', 'share', 'opencode');
    await mkdir(data, { recursive: true });
  });
  teardown(() => rm(home, { recursive: true }));

  const folder = '/home/user/project';
  const find = (source: Source = openCode, env = {}, folders = [folder]) =>
    source.find({ folders, homes: [], env, userHome: home });
  const idsOf = async (...asked: Parameters<typeof find>) => {
    const { threads, problems } = await find(...asked);
    assert.deepEqual(problems, []);
    return threads.map(({ nativeId }) => nativeId).sort();
  };
  const talk = (id: string, prompt = 'Hello', where = folder) =>
    new OpenCodeWriter(id, where).user(prompt).say('Hi');
  const threadOf = async (found: FoundThread, source: Source = openCode) => {
    const parser = source.parser(found.nativeId);
    for (const record of (await source.read(found, undefined)).records) parser.push(record);
    return parser.thread();
  };
  const onlyThread = async (source?: Source) => {
    const { threads } = await find(source);
    assert.equal(threads.length, 1);
    return threadOf(threads[0] ?? assert.fail(), source);
  };
  const writeTree = async (files: Readonly<Record<string, unknown>>) => {
    for (const [name, content] of Object.entries(files)) {
      const path = join(data, 'storage', name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    }
  };
  const oldSession = (id: string, more = {}) => ({
    [`session/p1/${id}.json`]: {
      id: 'stale',
      directory: folder,
      title: 'Old',
      version: '0.9',
      ...more,
    },
    [`message/${id}/msg_1.json`]: { role: 'user', time: { created: 1 } },
    [`part/msg_1/prt_1.json`]: { type: 'text', text: 'Hello' },
    [`message/${id}/msg_2.json`]: {
      role: 'assistant',
      modelID: 'm1',
      time: { created: 2, completed: 3 },
    },
    [`part/msg_2/prt_2.json`]: { type: 'text', text: 'Hi' },
    [`todo/${id}.json`]: [{ content: 'Write', status: 'in_progress' }],
  });

  test('of many sessions each change is seen, also in one that rested for long', async () => {
    const name = (at: number) => `ses_${String(at).padStart(2, '0')}`;
    const path = join(data, 'opencode.db');
    const images = await imagesAfter(
      databaseScript(...Array.from({ length: 40 }, (_, at) => talk(name(at)))),
      `INSERT INTO part SELECT id || 'x', message_id, session_id, time_created, time_updated, data
       FROM part WHERE session_id = '${name(0)}' LIMIT 1`,
      `DELETE FROM session WHERE id = '${name(1)}'; DELETE FROM message WHERE session_id = '${name(1)}';
       DELETE FROM part WHERE session_id = '${name(1)}'`,
    );
    const listed = async (at: number) => {
      await writeFile(path, images[at] ?? assert.fail());
      return (await find()).threads.toSorted((one, other) =>
        one.nativeId < other.nativeId ? -1 : 1,
      );
    };
    const before = await listed(0);
    assert.equal(before.length, 40);
    const sizes = (threads: readonly FoundThread[]) => threads.map(({ bytes }) => bytes);
    const [grown = 0, ...others] = sizes(await listed(1));
    assert.ok(grown > (before[0]?.bytes ?? 0));
    assert.deepEqual(others, sizes(before).slice(1));
    assert.deepEqual(sizes(await listed(2)), [grown, ...others.slice(1)]);
  });

  test('sessions of a folder and of those in it are found, and nothing is touched', async () => {
    await writeDatabase(
      join(data, 'opencode.db'),
      databaseScript(
        talk('ses_a'),
        talk('ses_in', 'x', `${folder}/packages/a`),
        talk('ses_other', 'x', '/home/user/other'),
        talk('ses_sub', 'x', '/elsewhere').setSession({ parent_id: 'ses_a' }),
        new OpenCodeWriter('ses_empty'),
      ),
    );
    const before = await treeHash(home);
    assert.deepEqual(await idsOf(), ['ses_a', 'ses_in', 'ses_sub']);
    const { threads, filesLookedAt } = await find();
    assert.equal(filesLookedAt, 1);
    assert.equal(threads.find(({ nativeId }) => nativeId === 'ses_sub')?.parent, 'ses_a');
    for (const thread of threads) await threadOf(thread);
    assert.equal(await treeHash(home), before);
  });

  test('what is in the log only is found too, and a growing session costs its new rows', async () => {
    const writer = talk('ses_a');
    const [before, after] = [
      databaseScript(writer),
      databaseScript(writer.user('More').say('Done')),
    ];
    const script = after.slice(before.length);
    const images = await imagesAfter(before, script.replace(/^;/, ''));
    const path = join(data, 'opencode.db');
    await writeFile(path, images[0] ?? []);
    const [first] = (await find()).threads;
    assert.ok(first);
    const { records, cursor } = await openCode.read(first, undefined);
    const parser = openCode.parser('ses_a');
    for (const record of records) parser.push(record);

    await writeFile(`${path}-wal`, walOf(images));
    const [now] = (await find()).threads;
    assert.ok(now && now.bytes > first.bytes);
    const news = await openCode.read(now, cursor);
    assert.equal(news.records.length, 4);
    assert.equal(news.restarted, undefined);
    for (const record of news.records) parser.push(record);
    assert.deepEqual(show(parser.thread()), [
      'user: Hello',
      'assistant: Hi',
      'user: More',
      'assistant: Done',
    ]);
    assert.deepEqual((await openCode.read(now, news.cursor)).records, []);
  });

  test('rows that OpenCode deleted leave the conversation, and stay counted', async () => {
    const path = join(data, 'opencode.db');
    const writer = talk('ses_a').user('Undo me').say('Undone');
    await writeDatabase(path, databaseScript(writer));
    const [first] = (await find()).threads;
    const parser = openCode.parser('ses_a');
    let cursor: Cursor | undefined;
    const follow = async (found = first ?? assert.fail()) => {
      const read = await openCode.read(found, cursor);
      for (const record of read.records) parser.push(record);
      ({ cursor } = read);
    };
    await follow();
    const last = `id IN (SELECT id FROM message ORDER BY id DESC LIMIT 2)`;
    await writeDatabase(
      path,
      `${databaseScript(writer)};
       DELETE FROM part WHERE message_id IN (SELECT id FROM message WHERE ${last}); DELETE FROM message WHERE ${last}`,
    );
    await follow((await find()).threads[0]);
    assert.deepEqual(show(parser.thread()), ['user: Hello', 'assistant: Hi']);
    assert.equal(parser.thread().counts.userTurns, 2);
  });

  test('databases of other channels, of variables and of other homes are read', async () => {
    const elsewhere = join(home, 'else.db');
    await writeDatabase(join(data, 'opencode-dev.db'), databaseScript(talk('ses_dev')));
    await writeDatabase(elsewhere, databaseScript(talk('ses_else')));
    await mkdir(join(home, 'xdg', 'opencode'), { recursive: true });
    await writeDatabase(
      join(home, 'xdg', 'opencode', 'opencode.db'),
      databaseScript(talk('ses_xdg')),
    );
    assert.deepEqual(await idsOf(), ['ses_dev']);
    const env = { OPENCODE_DB: elsewhere, XDG_DATA_HOME: join(home, 'xdg') };
    assert.deepEqual(await idsOf(openCode, env), ['ses_dev', 'ses_else', 'ses_xdg']);
  });

  test('the JSON files before the database are read; what is in both is not listed twice', async () => {
    await writeTree(oldSession('ses_old'));
    const thread = await onlyThread();
    assert.deepEqual(show(thread), ['user: Hello', 'assistant: Hi']);
    assert.deepEqual([thread.nativeId, thread.title, thread.cwd], ['ses_old', 'Old', folder]);
    assert.deepEqual(thread.todos, [{ text: 'Write', state: 'doing' }]);

    await writeDatabase(
      join(data, 'opencode.db'),
      databaseScript(talk('ses_old', 'From the database')),
    );
    assert.deepEqual(show(await onlyThread()), ['user: From the database', 'assistant: Hi']);
  });

  test('broken and empty JSON files cost themselves only', async () => {
    await writeTree({
      ...oldSession('ses_old'),
      'part/msg_2/prt_3.json': '',
      'part/msg_2/prt_4.json': '{"type":"text","te',
      'message/ses_old/msg_3.json': '[]',
    });
    const thread = await onlyThread();
    assert.deepEqual(show(thread), ['user: Hello', 'assistant: Hi']);
    assert.equal(thread.counts.malformed, 3);
  });

  test('a database of an unknown format says so, and hides nothing else', async () => {
    await writeDatabase(
      join(data, 'opencode.db'),
      'CREATE TABLE session (id, directory); CREATE TABLE turn (id)',
    );
    await writeTree(oldSession('ses_old'));
    const { threads, problems } = await find();
    assert.deepEqual(
      threads.map(({ nativeId }) => nativeId),
      ['ses_old'],
    );
    assert.match(
      problems[0]?.message ?? '',
      /format .* is not known: it has no session\.time_updated, message, part\./,
    );
  });

  test('a layout that is too old is said to be there', async () => {
    const info = join(data, 'project', 'p', 'storage', 'session', 'info');
    await mkdir(info, { recursive: true });
    await writeFile(join(info, 'ses_1.json'), '{}');
    assert.match((await find()).problems[0]?.message ?? '', /before 0\.6 are not read/);
  });

  test('Kilo Code’s sessions are its own, wherever its database lies', async () => {
    const script = `${databaseScript(talk('ses_k'))}; CREATE TABLE kilo_board (id)`;
    const path = join(home, 'copy.db');
    await writeDatabase(path, script);
    assert.equal((await inspectFile(path)).agent, 'kilo-code');
    const store = join(home, '.local', 'share', 'kilo');
    await mkdir(store, { recursive: true });
    await writeDatabase(join(store, 'kilo.db'), databaseScript(talk('ses_k')));
    assert.deepEqual(await idsOf(kiloCode), ['ses_k']);
    const argv = (nativeId: string) => kiloCode.resume?.({ nativeId });
    assert.deepEqual(argv('ses_k'), ['kilo', '--session', 'ses_k']);
    for (const hostile of ['', '--help', 'ses_x y', 'ses_\n', '../ses_x']) {
      assert.equal(argv(hostile), undefined, hostile);
    }
  });

  test('of a database the newest conversation is inspected, or the one that is named', async () => {
    const path = join(home, 'some.db');
    const sub = talk('ses_sub', 'Do it').setSession({ parent_id: 'ses_b', time_updated: 9e12 });
    const newer = talk('ses_b').user('Newer').say('Yes').setSession({ time_updated: 8e12 });
    await writeDatabase(path, databaseScript(talk('ses_a'), newer, sub));
    const found = async (id?: string) => {
      const { agent, sessionId, userTurns, conversations } = await inspectFile(path, undefined, id);
      return [agent, sessionId, userTurns, conversations];
    };
    assert.deepEqual(await found(), ['opencode', 'ses_b', 2, 3]);
    assert.deepEqual(await found('ses_a'), ['opencode', 'ses_a', 1, 3]);
    await assert.rejects(found('ses_x'), /holds no conversation ses_x/);
  });

  test('an exported session is inspected like the session itself', async () => {
    const path = join(home, 'export.json');
    const info = { id: 'ses_e', directory: folder, time: { created: 1, updated: 9 } };
    const message = { info: { id: 'msg_1', role: 'user', time: { created: 2 } } };
    const parts = [{ id: 'prt_1', messageID: 'msg_1', type: 'text', text: 'Hello' }];
    await writeFile(
      path,
      JSON.stringify({ info, messages: [{ ...message, parts }] }, undefined, 2),
    );
    const { agent, sessionId, cwd, firstPrompt, firstAt, lastAt } = await inspectFile(path);
    assert.deepEqual([agent, sessionId, cwd, firstPrompt], ['opencode', 'ses_e', folder, 'Hello']);
    assert.deepEqual([firstAt, lastAt], ['1970-01-01T00:00:00.001Z', '1970-01-01T00:00:00.009Z']);
  });

  test('a store that is not there is no fault', async () => {
    const other = createOpenCode({
      agent: 'other',
      name: 'Other',
      word: 'other',
      databaseVariable: 'OTHER_DB',
      owns: () => true,
    });
    assert.deepEqual(await find(other), { threads: [], filesLookedAt: 0, problems: [] });
  });
});
