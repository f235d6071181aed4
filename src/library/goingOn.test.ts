import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApplyEngine, ApplyRequest } from '../core/apply/types.js';
import type { Capture } from '../core/engine.js';
import type { ExportChoice } from '../core/handoff.js';
import { keysInFile, newKeys, publicKeys } from '../handoff/keys.js';
import { fileOf } from '../handoff/testFiles.js';
import { TestWindows, type TestWindow } from './testWindows.js';

const everything: ExportChoice = { files: true, images: false, filesWithSecrets: false };
const capture: Capture = {
  drafts: [],
  environment: { keepthread: '0', os: 'x', arch: 'x', node: '20', folders: [], agents: {} },
};
/** A value that rules find, unlike any other. */
const secret = ['ghp', 'Zk3xQ9vB7nW2mT5rY8pL4cJ6hG1fD0sA2kVq'].join('_');

suite('going on with what came in a session file', function () {
  this.timeout(900_000);
  let ann: TestWindows;
  let bob: TestWindows;
  setup(() => {
    ann = new TestWindows();
    bob = new TestWindows();
  });
  teardown(async () => {
    await ann.dispose();
    await bob.dispose();
  });

  const file = (): string => ann.at('session.keepthread');
  /** Ann's window on a repository with a change, and Bob's on a clone of it. */
  const both = async () => {
    const work = ann.repository('work');
    bob.git(bob.root, 'clone', '-q', work, bob.at('work'));
    writeFileSync(join(work, 'a.txt'), 'ann\n');
    const her = await ann.open(work);
    const { id } = await her.engine.createSession({ title: 'Title', status: 'active' });
    await ann.save(her, id);
    const his = await bob.open(bob.at('work'));
    return { her, his, id };
  };
  const exported = (window: TestWindow, sessionId: string, choice: Partial<ExportChoice> = {}) =>
    window.engine.exportSession({
      sessionId,
      output: file(),
      format: 'keepthread',
      choice: { ...everything, ...choice },
    });
  const read = (name: string): string => readFileSync(bob.at('work', name), 'utf8');
  const apply = async (
    { engine }: TestWindow,
    request: ApplyRequest & Partial<Parameters<ApplyEngine['applyChanges']>[0]>,
  ) => {
    const keepIn = (await engine.createSession({ status: 'active' })).id;
    return engine.applyChanges({ keepIn, ...request }, capture);
  };
  const rejects = (work: Promise<unknown>, reason: string): Promise<void> =>
    assert.rejects(
      work,
      (error) => error instanceof Error && 'reason' in error && error.reason === reason,
    );

  test('what both have changed is shown side by side, and taken over when a person says so', async () => {
    const { her, his, id } = await both();
    await exported(her, id);
    const { sessionId } = await his.engine.importHandoff({ file: file() });
    await his.engine.updateSession(sessionId, { title: 'Bob’s' });
    await her.engine.updateSession(id, { title: 'Ann’s', goal: 'Her goal' });
    await exported(her, id);
    const { here } = await his.engine.inspectHandoff({ file: file() });
    assert.deepEqual(
      [here.state, here.conflicts, here.differences],
      ['newer', ['title'], [{ field: 'title', here: 'Bob’s', theirs: 'Ann’s' }]],
    );
    const session = async () =>
      (await his.engine.listSessions()).find((one) => one.id === sessionId);
    const kept = await his.engine.importHandoff({ file: file() });
    assert.deepEqual(kept.conflicts, ['title']);
    assert.deepEqual([(await session())?.title, (await session())?.goal], ['Bob’s', 'Her goal']);
    await her.engine.updateSession(id, { title: 'Ann’s again' });
    await exported(her, id);
    await his.engine.importHandoff({ file: file(), takeTheirs: true });
    assert.equal((await session())?.title, 'Ann’s again');
    await his.engine.updateSession(sessionId, { title: 'Bob’s', goal: 'His goal' });
    await her.engine.updateSession(id, { title: 'Ann’s', goal: 'Her other goal' });
    await exported(her, id);
    const some = await his.engine.importHandoff({ file: file(), takeTheirs: ['goal'] });
    assert.deepEqual(some.conflicts, ['title']);
    const { title, goal } = (await session()) ?? {};
    assert.deepEqual([title, goal], ['Bob’s', 'Her other goal']);
  });

  test('a fuller file brings what an emptier one lacked, and an emptier one takes nothing away', async () => {
    const { her, his, id } = await both();
    await exported(her, id, { files: false });
    const bare = readFileSync(file());
    const { sessionId } = await his.engine.importHandoff({ file: file() });
    const lacking = await his.engine.planApply({ sessionId });
    assert.deepEqual(lacking.repositories[0]?.left, [{ path: 'a.txt', reason: 'notSent' }]);
    await exported(her, id);
    assert.equal((await his.engine.importHandoff({ file: file() })).added.snapshots, 1);
    assert.equal((await his.engine.importHandoff({ file: file() })).outcome, 'unchanged');
    writeFileSync(file(), bare);
    assert.equal((await his.engine.importHandoff({ file: file() })).outcome, 'unchanged');
    assert.equal((await apply(his, { sessionId })).plan.state, 'ready');
    assert.equal(read('a.txt'), 'ann\n');
  });

  test('secrets are found by rules of one’s own, whatever the sender’s report says', async () => {
    const { her, his, id } = await both();
    await her.engine.updateSession(id, { goal: `Use ${secret} for it` });
    await exported(her, id);
    const masked = await his.engine.inspectHandoff({ file: file(), findings: true });
    assert.deepEqual([masked.findings?.kinds, masked.findings?.isWhole], [[], true]);
    await exported(her, id, { keep: [secret] });
    const { findings, redaction } = await his.engine.inspectHandoff({
      file: file(),
      findings: true,
    });
    assert.deepEqual(redaction.masked, []);
    assert.ok(findings);
    assert.deepEqual(
      findings.kinds.map(({ count }) => count),
      [1],
    );
    assert.ok(findings.bytes > 0);
    assert.equal((await his.engine.inspectHandoff({ file: file() })).findings, undefined);
  });

  test('changes that the sender has committed since are not laid on files again', async () => {
    const { her, his, id } = await both();
    ann.git(ann.at('work'), 'commit', '-q', '-am', 'done');
    await ann.save(her, id);
    await exported(her, id);
    const { sessionId } = await his.engine.importHandoff({ file: file() });
    const { state, repositories } = await his.engine.planApply({ sessionId });
    assert.equal(state, 'nothing');
    const [one] = repositories;
    assert.deepEqual([one?.state, one?.isBehind], ['empty', true], 'her commit is not here');
  });

  test('a file for one’s own key opens without being asked for it', async () => {
    const { her, his, id } = await both();
    const keys = await newKeys('Bob');
    await keysInFile(bob.store).write(keys);
    const { recipient } = await publicKeys(keys);
    await her.engine.exportSession({
      ...{ sessionId: id, output: file(), format: 'keepthread', choice: everything },
      lock: { recipients: [recipient] },
    });
    assert.equal((await his.engine.inspectHandoff({ file: file() })).encryption, 'recipients');
    assert.equal((await his.engine.importHandoff({ file: file() })).outcome, 'new');
    await rejects(her.engine.inspectHandoff({ file: file() }), 'handoffLocked');
  });

  test('what is in a file says of each of its files what was done with it', async () => {
    const { her, his, id } = await both();
    const work = ann.at('work');
    for (const name of ['gone.txt', 'old.txt']) writeFileSync(join(work, name), `${name}\n`);
    ann.git(work, 'add', '.');
    ann.git(work, 'commit', '-q', '-m', 'more');
    ann.git(work, 'rm', '-q', 'gone.txt');
    ann.git(work, 'mv', 'old.txt', 'moved.txt');
    for (const name of ['loose.txt', 'new.txt']) writeFileSync(join(work, name), `${name}\n`);
    ann.git(work, 'add', 'new.txt');
    writeFileSync(join(work, 'a.txt'), 'again\n');
    await ann.save(her, id);
    await exported(her, id);
    const { files } = await his.engine.inspectHandoff({ file: file() });
    assert.deepEqual(files.map(({ path, what }) => `${what} ${path}`).toSorted(), [
      'changed a.txt',
      'deleted gone.txt',
      'moved moved.txt',
      'new new.txt',
      'untracked loose.txt',
    ]);
  });

  test('what was looked at is what is done', async () => {
    const { her, his, id } = await both();
    await exported(her, id);
    const { sessionId } = await his.engine.importHandoff({ file: file() });
    const { token } = await his.engine.planApply({ sessionId });
    assert.equal((await his.engine.planApply({ sessionId })).token, token);
    writeFileSync(bob.at('work', 'a.txt'), 'bob\n');
    await rejects(apply(his, { sessionId, expect: token }), 'planChanged');
    assert.equal(read('a.txt'), 'bob\n');
  });

  test('everything that was here before is kept: unsaved by git, ignored, untracked', async () => {
    const { her, his, id } = await both();
    writeFileSync(ann.at('work', 'notes'), 'ann\n');
    await ann.save(her, id);
    await exported(her, id);
    const { sessionId } = await his.engine.importHandoff({ file: file() });
    writeFileSync(bob.at('work', 'own'), 'own\n');
    const { undo } = await apply(his, { sessionId });
    assert.ok(undo);
    const { snapshot, changes } = await his.engine.readSnapshot(undo.snapshotId);
    assert.equal(snapshot.reason, 'beforeRestore');
    const replaced = changes?.repositories[0]?.replaced ?? [];
    assert.deepEqual(
      replaced.map(({ path, content }) => [path, content === undefined]),
      [
        ['a.txt', false],
        ['notes', true],
      ],
    );
    const back = await his.engine.undoApply(undo.snapshotId);
    assert.equal(back.restored.length, 2);
    assert.equal(read('a.txt'), 'work\n');
    assert.deepEqual([existsSync(bob.at('work', 'notes')), read('own')], [false, 'own\n']);
    assert.equal(
      (await his.engine.undoApply(undo.snapshotId)).same.length,
      2,
      'once more does nothing',
    );
  });

  test('what was staged is put back with the files, also after git has thrown its content away', async () => {
    const { her, his, id } = await both();
    ann.git(ann.at('work'), 'add', 'a.txt');
    await ann.save(her, id);
    await exported(her, id);
    const { sessionId } = await his.engine.importHandoff({ file: file() });
    const git = (...args: readonly string[]): string => bob.git(bob.at('work'), ...args).trimEnd();
    writeFileSync(bob.at('work', 'a.txt'), 'staged by Bob\n');
    git('add', 'a.txt');
    const request = { sessionId, staged: true, without: ['a.txt'] };
    assert.equal((await apply(his, request)).undo, undefined, 'left out, so nothing is staged');
    const conflicting = await apply(his, { sessionId, staged: true, markers: true });
    assert.equal(git('status', '--porcelain'), 'UU a.txt');
    git('-c', 'gc.pruneExpire=now', 'gc', '-q', '--prune=now');
    const back = await his.engine.undoApply(conflicting.undo?.snapshotId ?? '');
    assert.deepEqual(back.restaged, [bob.at('work', 'a.txt')]);
    assert.equal(git('status', '--porcelain'), 'M  a.txt');
    assert.equal(git('show', ':a.txt'), 'staged by Bob');
  });

  test('nothing is put back once something else was staged of it', async () => {
    const { her, his, id } = await both();
    ann.git(ann.at('work'), 'add', 'a.txt');
    await ann.save(her, id);
    await exported(her, id);
    const { sessionId } = await his.engine.importHandoff({ file: file() });
    const { undo } = await apply(his, { sessionId, staged: true });
    bob.git(bob.at('work'), 'reset', '-q');
    writeFileSync(bob.at('work', 'a.txt'), 'bob\n');
    bob.git(bob.at('work'), 'add', 'a.txt');
    writeFileSync(bob.at('work', 'a.txt'), 'ann\n');
    await rejects(his.engine.undoApply(undo?.snapshotId ?? ''), 'changedSince');
    assert.equal(read('a.txt'), 'ann\n');
  });

  test('an index that another git works on leaves the files as they are', async () => {
    const { her, his, id } = await both();
    ann.git(ann.at('work'), 'add', 'a.txt');
    await ann.save(her, id);
    await exported(her, id);
    const { sessionId } = await his.engine.importHandoff({ file: file() });
    writeFileSync(bob.at('work', '.git', 'index.lock'), '');
    await rejects(apply(his, { sessionId, staged: true }), 'gitFailed');
    assert.equal(read('a.txt'), 'work\n');
  });

  test('what was killed in the middle of it is put back as well', async () => {
    const { her, his, id } = await both();
    writeFileSync(ann.at('work', 'notes'), 'ann\n');
    await ann.save(her, id);
    await exported(her, id);
    const { sessionId } = await his.engine.importHandoff({ file: file() });
    const { undo } = await apply(his, { sessionId });
    // As if it had come to the first file only.
    writeFileSync(bob.at('work', 'a.txt'), 'work\n');
    const { restored, same } = await his.engine.undoApply(undo?.snapshotId ?? '');
    assert.deepEqual([restored, same], [[bob.at('work', 'notes')], [bob.at('work', 'a.txt')]]);
    assert.equal(existsSync(bob.at('work', 'notes')), false);
  });

  test('unsaved text is known by whatever way its file was opened', async function () {
    if (process.platform === 'win32') this.skip();
    const { her, his, id } = await both();
    await exported(her, id);
    const { sessionId } = await his.engine.importHandoff({ file: file() });
    symlinkSync(bob.at('work'), bob.at('link'));
    const { repositories } = await his.engine.planApply({
      sessionId,
      unsaved: [bob.at('link', 'a.txt')],
    });
    assert.deepEqual(repositories[0]?.conflicts, [{ path: 'a.txt', reason: 'unsaved' }]);
  });

  test('a snapshot of somebody else undoes nothing here', async () => {
    const { her, his, id } = await both();
    await exported(her, id);
    const { sessionId } = await his.engine.importHandoff({ file: file() });
    const { undo } = await apply(his, { sessionId });
    assert.ok(undo);
    await exported(his, undo.sessionId);
    const passedOn = await her.engine.importHandoff({ file: file() });
    for (const { id: snapshot } of await her.engine.listSnapshots(passedOn.sessionId)) {
      await rejects(her.engine.undoApply(snapshot), 'nothingReplaced');
    }
    await writeHostile(bob.at('work'));
    const hostile = await his.engine.importHandoff({ file: file() });
    const [snapshot] = await his.engine.listSnapshots(hostile.sessionId);
    await rejects(his.engine.undoApply(snapshot?.id ?? ''), 'nothingReplaced');
    assert.equal(read('a.txt'), 'ann\n');
  });

  /** A file whose changes part says that files of a folder here were replaced. */
  const writeHostile = async (folder: string): Promise<void> => {
    const becomes = createHash('sha256').update('ann\n').digest('hex');
    const entries = [
      ...[{ kind: 'session', id: 's', title: '', goal: '', status: 'paused', tags: [] }].map(
        (entry) => ({ ...entry, createdAt: 1, updatedAt: 1 }),
      ),
      {
        kind: 'part',
        id: 'c',
        part: 'changes',
        value: {
          repositories: [
            {
              root: `file://${folder}`,
              files: [],
              untracked: [],
              problems: [],
              replaced: [{ path: 'a.txt', becomes }],
              restaged: [{ path: 'a.txt', before: [], becomes: [] }],
            },
          ],
        },
      },
      {
        kind: 'snapshot',
        snapshot: {
          ...{
            id: 'p',
            sessionId: 's',
            at: 2,
            reason: 'manual',
            parts: { changes: 'c' },
            threads: [],
          },
          summary: { tabs: 0, changes: 0, turns: 0 },
        },
      },
    ];
    const contents = { sessions: 1, snapshots: 1, threads: 0, records: 0, parts: 1, blobs: 0 };
    writeFileSync(file(), await fileOf(entries, { contents }));
  };

  test('a session’s repositories are found among several folders, or asked for', async () => {
    const { her, id } = await both();
    await exported(her, id);
    const other = bob.repository('other');
    const his = await bob.open([other, bob.at('work')]);
    const { sessionId } = await his.engine.importHandoff({ file: file() });
    const placed = async (places?: ApplyRequest['places']) => {
      const { repositories, state } = await his.engine.planApply({ sessionId, places });
      const [one] = repositories;
      return [state, one?.state, one?.foundBy, one?.folder];
    };
    assert.deepEqual(await placed(), ['ready', 'ready', 'commit', bob.at('work')]);
    const [root = ''] = (await his.engine.planApply({ sessionId })).repositories.map(
      (one) => one.root,
    );
    assert.deepEqual(await placed({ [root]: other }), ['blocked', 'noCommit', 'person', other]);
    assert.deepEqual(await placed({ [root]: null }), ['nothing', 'leftOut', undefined, undefined]);
    await rejects(placed({ [root]: '/etc' }), 'notHere');
  });

  test('nothing is fetched from where this folder has no remote to, nor written in restricted mode', async () => {
    const { her, his, id } = await both();
    const work = ann.at('work');
    ann.git(work, 'commit', '-q', '-am', 'not pushed');
    ann.git(work, 'remote', 'add', 'origin', 'https://elsewhere.invalid/x.git');
    writeFileSync(join(work, 'a.txt'), 'more\n');
    await ann.save(her, id);
    await exported(her, id);
    const { sessionId } = await his.engine.importHandoff({ file: file() });
    const [repository] = (await his.engine.planApply({ sessionId })).repositories;
    assert.deepEqual([repository?.state, repository?.fetchFrom], ['noCommit', undefined]);
    await rejects(his.engine.fetchCommit({ sessionId, root: repository?.root ?? '' }), 'noRemote');
    const restricted = await bob.open(bob.at('work'), { trusted: false });
    await rejects(restricted.engine.planApply({ sessionId }), 'untrusted');
    await rejects(restricted.engine.undoApply('x'), 'untrusted');
  });
});
