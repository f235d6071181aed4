import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writing } from '../../../test/agents/claudeRecords.js';
import type { FindResult } from '../source.js';
import { encodeFolder } from './folders.js';
import { createClaudeCode } from './source.js';

const id = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;

suite('finding Claude Code’s threads', () => {
  let home: string;
  let source: ReturnType<typeof createClaudeCode>;
  setup(async () => {
    home = await mkdtemp(join(tmpdir(), 'claude-home-'));
    source = createClaudeCode();
  });
  teardown(() => rm(home, { recursive: true }));

  const put = async (path: string, text: string) => {
    const file = join(home, '.claude/projects', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    return file;
  };
  const session = (cwd: string, extra: Readonly<Record<string, unknown>> = {}) =>
    `${writing((to) => to.user('go', { cwd, ...extra })).join('\n')}\n`;
  const find = (
    folders: readonly string[],
    more: { homes?: readonly string[]; env?: Record<string, string> } = {},
  ) => source.find({ folders, homes: more.homes ?? [], env: more.env ?? {}, userHome: home });
  const ids = ({ threads }: FindResult) => threads.map(({ nativeId }) => nativeId).sort();

  test('sessions of the folder and of folders inside it, no others', async () => {
    await put(`${encodeFolder('/w/app')}/${id(1)}.jsonl`, session('/w/app'));
    await put(`${encodeFolder('/w/app/sub')}/${id(2)}.jsonl`, session('/w/app/sub'));
    await put(`${encodeFolder('/w/apple')}/${id(3)}.jsonl`, session('/w/apple'));
    await put(`${encodeFolder('/w')}/${id(4)}.jsonl`, session('/w'));
    const found = await find(['/w/app']);
    assert.deepEqual(ids(found), [id(1), id(2)]);
    assert.equal(found.filesLookedAt, 2);
    assert.deepEqual(found.problems, []);
  });

  const tell = (title: string, mine: string, theirs: string) =>
    test(`${title}: two projects in one folder are told apart by their records`, async () => {
      assert.equal(encodeFolder(mine), encodeFolder(theirs));
      await put(`${encodeFolder(mine)}/${id(1)}.jsonl`, session(mine));
      await put(`${encodeFolder(mine)}/${id(2)}.jsonl`, session(theirs));
      assert.deepEqual(ids(await find([mine])), [id(1)]);
      assert.deepEqual(ids(await find([theirs])), [id(2)]);
      assert.equal((await find([mine])).filesLookedAt, 2);
    });
  tell('dash and slash', '/a/b-c', '/a-b/c');
  tell('underscore and dot', '/w/my_app', '/w/my.app');
  tell('names of one length in Chinese', '/w/项目', '/w/测试');
  tell('space and dash', '/w/my app', '/w/my-app');

  test('a folder whose path is longer than a name may be', async () => {
    const long = `/w/${'x'.repeat(260)}`;
    await put(`${encodeFolder(long)}/${id(1)}.jsonl`, session(long));
    await put(`${encodeFolder(`${long}/sub`)}/${id(2)}.jsonl`, session(`${long}/sub`));
    await put(`${encodeFolder(`${long}y`)}/${id(3)}.jsonl`, session(`${long}y`));
    assert.deepEqual(ids(await find([long])), [id(1), id(2)]);
  });

  test('a Windows folder, whichever way its drive letter was written', async () => {
    await put(`c--Users-x-app/${id(1)}.jsonl`, session('c:\\Users\\x\\app'));
    await put(`C--Users-x-app/${id(2)}.jsonl`, session('C:\\Users\\x\\app'));
    assert.deepEqual(ids(await find(['C:\\Users\\x\\app'])), [id(1), id(2)]);
  });

  test('subagents of both layouts, each with its session as parent', async () => {
    const name = encodeFolder('/w/app');
    await put(`${name}/${id(1)}.jsonl`, session('/w/app'));
    await put(
      `${name}/${id(1)}/subagents/agent-new.jsonl`,
      session('/w/worktree', { isSidechain: true }),
    );
    await put(`${name}/${id(1)}/subagents/agent-new.meta.json`, '{}');
    await put(`${name}/${id(1)}/tool-results/x.txt`, 'x');
    await put(
      `${name}/agent-old.jsonl`,
      session('/w/app', { isSidechain: true, sessionId: id(1) }),
    );
    const { threads, filesLookedAt } = await find(['/w/app']);
    const parents = Object.fromEntries(threads.map(({ nativeId, parent }) => [nativeId, parent]));
    assert.deepEqual(parents, { [id(1)]: undefined, 'agent-new': id(1), 'agent-old': id(1) });
    assert.equal(filesLookedAt, 3);
  });

  test('subagents stay out with their session, and outlive a session that was swept away', async () => {
    const name = encodeFolder('/w/app');
    await put(`${name}/${id(1)}.jsonl`, session('/w-app'));
    await put(`${name}/${id(1)}/subagents/agent-a.jsonl`, session('/w/app'));
    await put(`${name}/${id(2)}/subagents/agent-b.jsonl`, session('/w/app'));
    assert.deepEqual(ids(await find(['/w/app'])), ['agent-b']);
  });

  test('folders and files that hold no session are left alone', async () => {
    const name = encodeFolder('/w/app');
    await put(`${name}/memory/notes.jsonl`, session('/w/app'));
    await put(`${name}/memory/MEMORY.md`, 'x');
    await put(`${name}/sessions-index.json`, '{}');
    await put(`${name}/${id(1)}.jsonl.bak`, session('/w/app'));
    assert.deepEqual(await find(['/w/app']), { threads: [], filesLookedAt: 0, problems: [] });
  });

  test('a session whose first record comes late is found', async () => {
    const late = `${'{"type":"file-history-snapshot","snapshot":{}}\n'.repeat(5000)}${session('/w/app')}`;
    await put(`${encodeFolder('/w/app')}/${id(1)}.jsonl`, late);
    const image = JSON.stringify({ type: 'x', data: 'y'.repeat(3_000_000) });
    await put(`${encodeFolder('/w/app')}/${id(2)}.jsonl`, `${image}\n${session('/w/app')}`);
    assert.deepEqual(ids(await find(['/w/app'])), [id(1), id(2)]);
  });

  test('a session with a damaged head is found, by later records or by its folder’s name', async () => {
    const name = encodeFolder('/w/app');
    await put(`${name}/${id(1)}.jsonl`, `{"cwd":"/w/ap\n\0\0\0\n${session('/w/app')}`);
    await put(`${name}/${id(2)}.jsonl`, '{"type":"user","message":{"con');
    await put(`${name}/${id(3)}.jsonl`, '');
    assert.deepEqual(ids(await find(['/w/app'])), [id(1), id(2), id(3)]);
  });

  test('homes: the usual one, the one in the environment instead of it, and those that are given', async () => {
    const name = encodeFolder('/w/app');
    const other = join(home, 'other');
    const third = join(home, 'third');
    await put(`${name}/${id(1)}.jsonl`, session('/w/app'));
    await put(`../../other/projects/${name}/${id(2)}.jsonl`, session('/w/app'));
    await put(`../../third/projects/${name}/${id(3)}.jsonl`, session('/w/app'));
    assert.deepEqual(ids(await find(['/w/app'])), [id(1)]);
    assert.deepEqual(ids(await find(['/w/app'], { env: { CLAUDE_CONFIG_DIR: other } })), [id(2)]);
    assert.deepEqual(ids(await find(['/w/app'], { homes: [third] })), [id(1), id(3)]);
    assert.deepEqual(ids(await find(['/w/app'], { homes: [join(home, 'missing')] })), [id(1)]);
  });

  test('one conversation in two homes is listed once, the fuller one with the other as its copy', async () => {
    const name = encodeFolder('/w/app');
    const lesser = await put(`${name}/${id(1)}.jsonl`, session('/w/app'));
    const fuller = await put(
      `../../other/projects/${name}/${id(1)}.jsonl`,
      session('/w/app') + session('/w/app'),
    );
    const found = await find(['/w/app'], { homes: [join(home, 'other')] });
    assert.deepEqual(
      found.threads.map(({ path, copies = [] }) => [path, copies.map((copy) => copy.path)]),
      [[fuller, [lesser]]],
    );
    assert.deepEqual(found.problems, []);
  });

  test('what cannot be read is said, and the rest is found', async () => {
    const name = encodeFolder('/w/app');
    await put(`${name}/${id(1)}.jsonl`, session('/w/app'));
    await mkdir(join(home, '.claude/projects', name, `${id(2)}.jsonl`));
    const found = await find(['/w/app']);
    assert.deepEqual(ids(found), [id(1)]);
    assert.deepEqual(
      found.problems.map(({ where }) => where),
      [join(home, '.claude/projects', name, `${id(2)}.jsonl`)],
    );
  });

  test('a window without a folder gets no threads', async () => {
    await put(`${encodeFolder('/w/app')}/${id(1)}.jsonl`, session('/w/app'));
    assert.deepEqual(await find([]), { threads: [], filesLookedAt: 0, problems: [] });
  });

  test('a second look opens no file that did not change', async () => {
    const path = await put(`${encodeFolder('/a/b-c')}/${id(1)}.jsonl`, session('/a/b-c'));
    await utimes(path, 1000, 1000);
    const inode = (await stat(path)).ino;
    await find(['/a/b-c']);
    // Written over in place with the same length and times: only a reader that opens it can tell.
    await writeFile(path, session('/a-b/c'), { flag: 'r+' });
    await utimes(path, 1000, 1000);
    assert.equal((await stat(path)).ino, inode);
    assert.deepEqual(ids(await find(['/a/b-c'])), [id(1)]);
    await utimes(path, 2000, 2000);
    assert.deepEqual(ids(await find(['/a/b-c'])), []);
  });

  test('another file in a session’s place is looked into, a growing one is not', async () => {
    const path = await put(`${encodeFolder('/a/b-c')}/${id(1)}.jsonl`, session('/a/b-c'));
    await find(['/a/b-c']);
    await put(`${encodeFolder('/a/b-c')}/new`, session('/a-b/c').repeat(2));
    await rename(join(dirname(path), 'new'), path);
    assert.deepEqual(ids(await find(['/a/b-c'])), []);
    await writeFile(path, session('/a/b-c').repeat(3), { flag: 'r+' });
    assert.deepEqual(ids(await find(['/a/b-c'])), []);
  });
});
