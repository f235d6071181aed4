import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isExpected } from '../core/errors.js';
import { automaticBackups, backUp } from '../vault/backup.js';
import { TestWindows } from './testWindows.js';

suite('what a backup has and the vault lost', () => {
  let disk: TestWindows;
  setup(() => (disk = new TestWindows()));
  teardown(() => disk.dispose());

  const titles = async () => {
    const { engine } = await disk.open(disk.at('a'));
    return (await engine.listSessions()).map(({ title, snapshots }) => `${title} ${snapshots}`);
  };
  async function saved(): Promise<string> {
    const folder = disk.folder('a');
    const { projectKey } = await disk.work(folder, 'First');
    await disk.work(folder, 'Second');
    await backUp({ store: disk.store, to: automaticBackups(disk.store), now: 0, rotate: true });
    await disk.work(folder, 'Since then');
    return join(disk.store, 'projects', projectKey, 'packs');
  }

  for (const [what, harm] of [
    ['a pack was deleted', (pack: string) => rmSync(pack)],
    [
      'bits of it flipped',
      (pack: string) => {
        const bytes = readFileSync(pack);
        for (let at = 100; at < bytes.length; at += 40) bytes[at] = ~(bytes[at] ?? 0);
        writeFileSync(pack, bytes);
      },
    ],
    ['it was cut', (pack: string) => writeFileSync(pack, readFileSync(pack).subarray(0, 90))],
  ] as const) {
    test(`is there again, in its place, and nothing twice: ${what}`, async () => {
      const packs = await saved();
      const before = await titles();
      const [first = ''] = readdirSync(packs).sort();
      harm(join(packs, first));
      assert.equal((await titles()).length, 2);
      const { engine } = await disk.open(disk.at('a'));
      assert.ok((await engine.bringBack()).records > 0);
      assert.deepEqual(await titles(), before);
      assert.equal((await engine.bringBack()).records, 0);
      assert.deepEqual(
        readdirSync(disk.store).filter((name) => name.startsWith('restoring')),
        [],
      );
    });
  }

  test('is said not to be there where there is no backup', async () => {
    await disk.work(disk.folder('a'), 'First');
    const { engine } = await disk.open(disk.at('a'));
    await assert.rejects(
      () => engine.bringBack(),
      (error) => isExpected(error),
    );
  });

  test('damage is told to the person when the window opens', async () => {
    const packs = await saved();
    const [first = ''] = readdirSync(packs).sort();
    const bytes = readFileSync(join(packs, first));
    bytes[bytes.length - 10] = ~(bytes[bytes.length - 10] ?? 0);
    writeFileSync(join(packs, first), bytes);
    const { opened } = await disk.open(disk.at('a'));
    assert.ok(opened.problems.some(({ kind }) => kind === 'damage'));
  });
});
