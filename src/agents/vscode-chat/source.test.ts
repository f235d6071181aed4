import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { line, request, state } from '../../../test/agents/chatRecords.js';
import type { Cursor } from '../../core/model/records.js';
import type { FoundThread, ReadResult } from '../source.js';
import { vscodeChat } from './source.js';

suite('chat source', () => {
  let home: string;
  setup(async () => {
    home = await mkdtemp(join(tmpdir(), 'chat-source-'));
  });
  teardown(() => rm(home, { recursive: true, force: true }));

  const query = (...homes: string[]) => ({ folders: [], homes, env: {}, userHome: home });
  const write = async (name: string, content: string): Promise<FoundThread> => {
    const path = join(home, name);
    await writeFile(path, content);
    return { nativeId: name, path, bytes: content.length, modifiedAt: 0 };
  };
  const log = (...values: unknown[]) => values.map((value) => `${line(value)}\n`).join('');
  const whole = (...requests: unknown[]) => JSON.stringify(state(requests));

  suite('find', () => {
    test('chats of both forms are found; one that was opened and never used is only looked at', async () => {
      await write('a.json', whole(request(1)));
      await write(
        'b.jsonl',
        log({ kind: 0, v: state([]) }, { kind: 2, k: ['requests'], v: [request(1)] }),
      );
      await write('empty.jsonl', log({ kind: 0, v: state([]) }));
      await write('empty.json', whole());
      await write('notes.txt', 'x');
      const { threads, filesLookedAt, problems } = await vscodeChat.find(query(home));
      assert.deepEqual(threads.map(({ nativeId }) => nativeId).sort(), ['a', 'b']);
      assert.equal(filesLookedAt, 4);
      assert.deepEqual(problems, []);
    });

    test('a chat that is used later is found then', async () => {
      const { path } = await write('a.jsonl', log({ kind: 0, v: state([]) }));
      assert.equal((await vscodeChat.find(query(home))).threads.length, 0);
      await appendFile(path, log({ kind: 2, k: ['requests'], v: [request(1)] }));
      assert.equal((await vscodeChat.find(query(home))).threads.length, 1);
    });

    test('a request far into a file is seen', async () => {
      const attachments = 'x'.repeat(1024 * 1024 - 9);
      await write('a.json', JSON.stringify({ attachments, requests: [request(1)] }));
      assert.equal((await vscodeChat.find(query(home))).threads.length, 1);
    });

    test('of the two forms of one chat the log leads, of two copies the fuller', async () => {
      const twin = join(home, 'twin');
      await mkdir(twin);
      await write('a.json', whole(request(1), request(2)));
      await write('a.jsonl', log({ kind: 0, v: state([request(1)]) }));
      await write('b.json', whole(request(1)));
      await write('twin/b.json', whole(request(1), request(2)));
      await utimes(join(twin, 'b.json'), 2_000_000_000, 2_000_000_000);
      const { threads } = await vscodeChat.find(query(home, twin));
      assert.deepEqual(threads.map(({ path }) => path).sort(), [
        join(home, 'a.jsonl'),
        join(twin, 'b.json'),
      ]);
    });

    test('a store that is not there is no problem, one that cannot be read is', async () => {
      const file = (await write('file', 'x')).path;
      const { problems, filesLookedAt } = await vscodeChat.find(query(join(home, 'none'), file));
      assert.equal(filesLookedAt, 0);
      assert.deepEqual(
        problems.map(({ where }) => where),
        [file],
      );
    });

    test('a chat that cannot be read is said, the others are found', async () => {
      await mkdir(join(home, 'a.json'));
      await write('b.json', whole(request(1)));
      const { threads, problems } = await vscodeChat.find(query(home));
      assert.deepEqual(
        threads.map(({ nativeId }) => nativeId),
        ['b'],
      );
      assert.deepEqual(
        problems.map(({ where }) => where),
        [join(home, 'a.json')],
      );
    });
  });

  /** Reads to the end, in the engine's way. */
  const read = async (found: FoundThread, from?: Cursor) => {
    const results: ReadResult[] = [];
    let cursor = from;
    do results.push(await vscodeChat.read(found, cursor));
    while ((cursor = results.at(-1)?.cursor) && results.at(-1)?.more);
    const last = results.at(-1);
    assert.ok(last);
    return {
      ...last,
      restarted: results[0]?.restarted,
      records: results.flatMap(({ records }) =>
        records.map((record) => Buffer.from(record).toString('utf8')),
      ),
    };
  };

  suite('read', () => {
    test('a log is read on from where it was left', async () => {
      const found = await write('a.jsonl', log({ kind: 0, v: state([request(1)]) }));
      const first = await read(found);
      assert.equal(first.records.length, 1);
      await appendFile(found.path, log({ kind: 1, k: ['customTitle'], v: 'x' }));
      const second = await read(found, first.cursor);
      assert.deepEqual(second.records, [line({ kind: 1, k: ['customTitle'], v: 'x' })]);
      assert.equal(second.restarted, undefined);
      assert.equal(second.cursor.records, 2);
    });

    test('a log that VS Code compacted begins anew', async () => {
      const found = await write(
        'a.jsonl',
        log(
          { kind: 0, v: state([]) },
          { kind: 2, k: ['requests'], v: [request(1)] },
          { kind: 1, k: ['customTitle'], v: 'x' },
        ),
      );
      const { cursor } = await read(found);
      await writeFile(found.path, log({ kind: 0, v: state([request(1)], { customTitle: 'x' }) }));
      const again = await read(found, cursor);
      assert.deepEqual(again.restarted, { reused: 0 });
      assert.equal(again.cursor.generation, 1);
      assert.equal(again.records.length, 1);
    });

    const rewritten = (
      title: string,
      before: readonly unknown[],
      after: readonly unknown[],
      reused: number,
    ) =>
      test(`a whole-state file: ${title}`, async () => {
        const found = await write('a.json', whole(...before));
        const first = await read(found);
        assert.equal(first.records.length, before.length + 1);
        assert.equal(first.cursor.generation, 0);
        await writeFile(found.path, JSON.stringify(state(after, { lastMessageDate: 1 })));
        const second = await read(found, first.cursor);
        assert.deepEqual(second.restarted, { reused });
        assert.equal(second.cursor.generation, 1);
        const { requests, ...rest } = state(after, { lastMessageDate: 1 });
        assert.deepEqual(second.records, [...requests.slice(reused), rest].map(line));
        assert.equal(second.cursor.records, after.length + 1);
      });
    const six = [1, 2, 3, 4, 5, 6].map((index) => request(index));
    rewritten('a new turn costs that turn', six.slice(0, 3), six.slice(0, 4), 3);
    rewritten(
      'a growing answer costs its own turn',
      six.slice(0, 3),
      [...six.slice(0, 2), request(3, { response: [{ value: 'longer' }] })],
      2,
    );
    rewritten('a turn that was taken back is told', six, six.slice(0, 5), 5);
    rewritten(
      'a change at the beginning tells everything again',
      six,
      [request(1, { vote: 1 }), ...six.slice(1)],
      0,
    );

    test('a whole-state file that did not change is not read again', async () => {
      const found = await write('a.json', whole(request(1)));
      const first = await read(found);
      const second = await read(found, first.cursor);
      assert.equal(second.bytesRead, 0);
      assert.deepEqual(second.cursor, first.cursor);
      const touched = new Date();
      await utimes(found.path, touched, touched);
      const third = await read(found, first.cursor);
      assert.equal(third.restarted, undefined);
      assert.deepEqual(third.records, []);
      assert.equal(third.cursor.generation, 0);
    });

    test('a chat that moved from one form to the other begins anew', async () => {
      const json = await write('a.json', whole(request(1)));
      const { cursor } = await read(json);
      const jsonl = await write('a.jsonl', log({ kind: 0, v: state([request(1)]) }));
      const after = await read(jsonl, cursor);
      assert.deepEqual(after.restarted, { reused: 0 });
      assert.equal(after.cursor.generation, 1);
      const back = await read(json, after.cursor);
      assert.equal(back.cursor.generation, 2);
      assert.equal(back.records.length, 2);
    });

    test('the cursor of a long chat stays small', async () => {
      const many = Array.from({ length: 5000 }, (_, index) => request(index));
      const { cursor } = await read(await write('a.json', whole(...many)));
      assert.ok(JSON.stringify(cursor).length < 1000);
      await writeFile(cursor.path, whole(...many, request(5000)));
      assert.deepEqual(
        (await read({ nativeId: 'a', path: cursor.path, bytes: 0, modifiedAt: 0 }, cursor))
          .restarted,
        { reused: 5000 },
      );
    });

    test('a log under another name is known by its first line', async () => {
      assert.equal(
        (
          await read(
            await write('copy.txt', log({ kind: 0, v: state([]) }, { kind: 1, k: ['a'], v: 1 })),
          )
        ).records.length,
        2,
      );
    });

    test('an empty file has no records and is read on when something comes', async () => {
      for (const name of ['a.json', 'a.jsonl']) {
        const found = await write(name, '');
        const { records, cursor } = await read(found);
        assert.deepEqual(records, []);
        await writeFile(
          found.path,
          name === 'a.json' ? whole(request(1)) : log({ kind: 0, v: state([request(1)]) }),
        );
        const next = await read(found, cursor);
        assert.ok(next.records.length > 0);
        assert.equal(next.cursor.records, next.records.length);
      }
    });

    test('reading leaves no trace in the store', async () => {
      const found = await write('a.json', whole(request(1)));
      const before = await stat(found.path);
      await vscodeChat.find(query(home));
      await read(found);
      const after = await stat(found.path);
      assert.deepEqual(
        [after.mtimeMs, after.ctimeMs, after.size],
        [before.mtimeMs, before.ctimeMs, before.size],
      );
      assert.deepEqual(await readdir(home), ['a.json']);
    });
  });

  suite('recognises', () => {
    const knows = (title: string, head: string, expected: boolean) =>
      test(title, () => assert.equal(vscodeChat.recognises?.(head), expected));
    knows('a log', log({ kind: 0, v: state([]) }), true);
    knows(
      'a log whose first line is broken',
      `{"kin\n${line({ kind: 2, k: ['requests'], v: [] })}`,
      true,
    );
    knows('a whole state', whole(request(1)), true);
    knows(
      'an exported chat, written over many lines',
      JSON.stringify({ responderUsername: '', requests: [] }, undefined, 2),
      true,
    );
    knows(
      'not a transcript of Claude Code',
      '{"type":"user","message":{"role":"user"},"uuid":"a"}\n',
      false,
    );
    knows('not events of Copilot CLI', '{"type":"session.start","data":{}}\n', false);
    knows('not any JSON', '{"requests":1}', false);
    knows('not text', 'hello', false);
  });
});
