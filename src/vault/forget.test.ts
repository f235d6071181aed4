import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { isExpected, messageOf } from '../core/errors.js';
import { automaticBackups, backUp } from './backup.js';
import { decodeBatch } from './batch.js';
import type { Forgotten } from '../core/forgetting.js';
import { forget, Forgetting, forgetInBackups } from './forget.js';
import { diskIo } from './io.js';
import { mask, needlesFor } from './needles.js';
import { openView } from './openView.js';
import { projectFile } from './projectFile.js';
import { sealPacks } from './seal.js';
import { emptyIndex, wasm } from './testFrames.js';
import { FaultyIo } from './testIo.js';
import { hashOf, holds, TestProject } from './testProject.js';
import { pollAll, temporaryFolder, textOf } from './testVault.js';
import { FrameType } from './types.js';
import { openVault } from './vault.js';

suite('forgetting', () => {
  const folder = temporaryFolder();
  const store = (): string => join(folder(), 'store');
  let project: TestProject;
  setup(async () => {
    project = await TestProject.open(dirname(projectFile(store(), 'git-abc')));
  });
  teardown(() => project.close());

  const run = (what: Forgotten) => forget(what, { folder: project.folder, wasm, io: diskIo });
  const seal = () => sealPacks(project.packs, { io: diskIo, now: Date.now() + 1e9 });
  const backup = () =>
    backUp({ store: store(), to: automaticBackups(store()), now: Date.now(), rotate: true });

  /** All that can be seen of the vault. */
  async function state(): Promise<unknown> {
    const { index, vault, problems, close } = await openView(project.folder, wasm);
    const frames: string[] = [];
    for (const frame of (await pollAll(await vault.another())).frames) frames.push(frame.hash);
    const deleted = [...index.deletedSessions().keys()];
    const threads = [...index.forgottenThreads()];
    const seen = { sessions: index.sessions(), deleted, threads, problems };
    await close();
    return { ...seen, frames: frames.sort() };
  }

  const secret = 'hunter2/"quoted" пароль';
  const own = 'claude-code:own';
  const shared = 'claude-code:shared';

  /** Two sessions with a conversation of their own and one of both; parts of it sealed, backed up twice. */
  async function filled(): Promise<{ gone: string; kept: string; asked: string }> {
    const gone = await project.session({ title: `go ${secret}` }, undefined, [own, shared]);
    await project.records(own, ['first prompt', `my password is ${secret}`, 'third']);
    await project.snapshot(gone, `draft with ${secret}`);
    await backup();
    await project.restart();
    await seal();
    const kept = await project.session({ title: 'stay' }, undefined, [shared]);
    await project.records(shared, ['shared prompt']);
    const asked = await project.snapshot(kept, 'a draft of both', { label: 'kept label' });
    await project.snapshot(gone, 'a draft of both');
    await project.snapshot(gone, 'only there');
    await backup();
    return { gone, kept, asked };
  }

  test('a session takes its bytes out of every file, backups too, and nothing else', async () => {
    const { gone, asked } = await filled();
    await run({ session: gone });
    await forgetInBackups(store(), automaticBackups(store()), Date.now());
    for (const text of [secret, 'my password', 'first prompt', 'only there']) {
      assert.equal(await holds(folder(), text), false, text);
    }
    const { index, vault, problems, close } = await openView(project.folder, wasm);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      index.sessions().map(({ title }) => title),
      ['stay'],
    );
    const [snapshot] = index.snapshots(index.sessions()[0]?.id ?? '');
    assert.equal(snapshot?.id, asked);
    const both = index.blobRef(hashOf(JSON.stringify('a draft of both')));
    assert.ok(both && (await vault.readFrame(both)));
    assert.deepEqual(
      index.threads(index.sessions()[0]?.id ?? '').map(({ id }) => id),
      [shared],
    );
    assert.deepEqual([...index.forgottenThreads()], [own]);
    await close();
  });

  test('a text takes it out of every file, backups too, and leaves the rest readable', async () => {
    const { gone } = await filled();
    await run({ text: secret });
    await forgetInBackups(store(), automaticBackups(store()), Date.now());
    assert.equal(await holds(folder(), secret), false);
    assert.equal(await holds(folder(), 'пароль'), false);
    const { index, vault, problems, close } = await openView(project.folder, wasm);
    assert.deepEqual(problems, []);
    assert.match(index.session(gone)?.title ?? '', /^go \*+$/);
    const [batch] = index.batches(own, 0);
    assert.ok(batch);
    const { payload } = await vault.readFrame(batch.ref);
    const records = decodeBatch(payload).records.map((r) => textOf({ payload: r }));
    assert.equal(records[0], '{"text":"first prompt"}');
    assert.match(records[1] ?? '', /^\{"text":"my password is \*+"\}$/);
    for (const { id } of index.snapshots(gone)) {
      const ref = index.snapshotRef(id);
      assert.ok(ref);
      const { parts } = JSON.parse(textOf(await vault.readFrame(ref))) as {
        parts: { editors: string };
      };
      assert.ok(index.blobRef(parts.editors), 'the list of editors is still there');
    }
    await close();
  });

  test('a conversation takes its bytes out of every file, and the name that a session has from it', async () => {
    const { gone, kept } = await filled();
    const named = await project.session({ title: 'my password is what' }, undefined, [own]);
    await run({ thread: own });
    await forgetInBackups(store(), automaticBackups(store()), Date.now());
    for (const text of ['my password', 'first prompt']) {
      assert.equal(await holds(folder(), text), false, text);
    }
    const { index, problems, close } = await openView(project.folder, wasm);
    assert.deepEqual(problems, []);
    const titles = [gone, kept, named].map((id) => index.session(id)?.title);
    assert.deepEqual(titles, ['', 'stay', '']);
    assert.equal(index.snapshots(gone).length, 3);
    assert.deepEqual(
      index.threads(gone).map(({ id }) => id),
      [shared],
    );
    assert.deepEqual(
      index.forgotten().map(({ id }) => id),
      [own],
    );
    await close();
  });

  test('a conversation takes its subagents with it, and theirs', async () => {
    await project.records(own, ['first prompt']);
    await project.records('claude-code:child', ['asked by first'], 0, own);
    await project.records('claude-code:grandchild', ['asked by second'], 0, 'claude-code:child');
    await project.records(shared, ['another']);
    await run({ thread: own });
    for (const text of ['first prompt', 'asked by']) {
      assert.equal(await holds(folder(), text), false, text);
    }
    const { index, close } = await openView(project.folder, wasm);
    assert.deepEqual(
      index.forgotten().map(({ id, parent }) => [id, parent]),
      [
        [own, undefined],
        ['claude-code:child', own],
        ['claude-code:grandchild', 'claude-code:child'],
      ],
    );
    assert.ok(index.thread(shared));
    await close();
  });

  test('what is not there changes nothing', async () => {
    await filled();
    const before = (await project.files()).filter((name) => name.endsWith('.sealed'));
    const report = await run({ text: 'nowhere to be found' });
    assert.deepEqual(report, { removed: 0, masked: 0, files: 0 });
    assert.deepEqual(
      (await project.files()).filter((name) => name.endsWith('.sealed')),
      before,
    );
  });

  for (const of of ['session', 'thread', 'text'] as const) {
    test(`a ${of}, stopped at any step, is gone everywhere or nowhere`, async function () {
      this.timeout(600_000);
      const { gone } = await filled();
      const what =
        of === 'session' ? { session: gone } : of === 'thread' ? { thread: own } : { text: secret };
      let before = await state();
      for (let step = 0; ; step += 2) {
        const stop = new AbortController();
        const io = new FaultyIo();
        let steps = 0;
        const count = (): void => {
          if (steps++ === step) stop.abort(new Error('stopped'));
        };
        io.faultAt = () => {
          count();
          return undefined;
        };
        const watch = { signal: stop.signal, onBytes: count };
        const options = { folder: project.folder, wasm, io, watch };
        try {
          await forget(what, options);
        } catch (error) {
          assert.match(messageOf(error), /stopped/);
          assert.deepEqual(await state(), before);
          assert.deepEqual(
            (await project.files()).filter((name) => name.endsWith('.tmp')),
            [],
          );
          continue;
        }
        const goes = of === 'thread' ? 'first prompt' : secret;
        assert.equal(await holds(project.folder, goes), false);
        if (steps <= step) break;
        // It was too late to stop it: once more from the beginning.
        await project.close();
        await rm(store(), { recursive: true });
        project = await TestProject.open(project.folder);
        const again = await filled();
        if ('session' in what) what.session = again.gone;
        before = await state();
      }
    });
  }

  test('leaves what a window names in a snapshot that it saves this moment', async () => {
    const { gone } = await filled();
    const forgetting = new Forgetting(
      { session: gone },
      { folder: project.folder, wasm, io: diskIo },
    );
    await forgetting.stage();
    // As a window that knows the draft from before, and so does not write it again.
    const other = await TestProject.open(project.folder);
    await other.restart();
    const kept = await other.session({ title: 'late' });
    const late = await other.snapshot(kept, 'only there');
    await other.close();
    await forgetting.complete();
    const { index, vault, close } = await openView(project.folder, wasm);
    assert.equal(index.snapshots(kept)[0]?.id, late);
    const draft = index.blobRef(hashOf(JSON.stringify('only there')));
    assert.ok(draft && (await vault.readFrame(draft)));
    await close();
    assert.equal(await holds(project.folder, secret), false);
  });

  test('a text that is too short is refused', async () => {
    await assert.rejects(run({ text: 'abc' }), (error) => isExpected(error, 'textTooShort'));
  });

  test('an open window learns of it, and saves again', async () => {
    const { gone } = await filled();
    const window = await openVault({ folder: project.folder });
    const index = await emptyIndex();
    const { catchUp } = await import('./catchUp.js');
    const ignore = (): void => undefined;
    const [mine] = await window.append([
      { type: FrameType.blob, payload: Buffer.from(`mine ${secret}`) },
    ]);
    await catchUp([window], index, ignore);
    await run({ session: gone });
    await run({ text: `mine ${secret}` });
    const { lost } = await catchUp([window], index, ignore);
    assert.equal(lost, true);
    index.clear();
    window.rewind();
    await catchUp([window], index, ignore);
    assert.equal(index.sessions().length, 1);
    assert.ok(mine);
    await assert.rejects(window.readFrame(mine), (error) => isExpected(error, 'unreadable'));
    await window.append([{ type: FrameType.blob, payload: Buffer.from('saved again') }]);
    await window.close();
    index.close();
    const { frames } = await pollAll(await openVault({ folder: project.folder }));
    assert.ok(frames.some((frame) => textOf(frame) === 'saved again'));
  });

  suite('a text', () => {
    test('is found in each form that JSON gives it, and nothing is left of it', () => {
      fc.assert(
        fc.property(fc.string({ minLength: 4, unit: 'binary' }), (text) => {
          const once = JSON.stringify({ text });
          const twice = JSON.stringify({ once });
          for (const form of [text, once, twice, once.replaceAll('/', '\\/')]) {
            const masked = mask(Buffer.from(`before ${form} after`), needlesFor(text));
            const left = Buffer.from(masked).toString();
            assert.ok(left.startsWith('before ') && left.endsWith(' after'));
            assert.ok(!left.includes(JSON.stringify(text).slice(1, -1)) || /^\*+$/.test(text));
          }
        }),
      );
    });

    test('that is not there leaves the very same bytes', () => {
      const bytes = Buffer.from('nothing of interest');
      assert.equal(mask(bytes, needlesFor('password')), bytes);
    });
  });
});
