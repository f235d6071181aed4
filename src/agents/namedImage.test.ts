import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readNamedImage } from './namedImage.js';

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

suite('pictures that a record only names', () => {
  let dir: string;
  let home: string;
  setup(async () => {
    dir = await mkdtemp(join(tmpdir(), 'named-image-'));
    home = join(dir, 'home');
    await mkdir(join(home, 'images'), { recursive: true });
    await writeFile(join(home, 'images', 'a.png'), png);
    await writeFile(join(home, 'secret.png'), 'password=1');
    await writeFile(join(dir, 'outside.png'), png);
    await mkdir(join(dir, 'home-of-another'));
    await writeFile(join(dir, 'home-of-another', 'a.png'), png);
    await symlink(join(dir, 'outside.png'), join(home, 'images', 'link.png'));
    await symlink(dir, join(home, 'up'));
  });
  teardown(() => rm(dir, { recursive: true }));

  const shows = (title: string, name: () => string, folders?: () => readonly string[]) =>
    test(`shown: ${title}`, async () => {
      const found = await readNamedImage(name(), folders?.() ?? [home]);
      assert.deepEqual(found, { mediaType: 'image/png', bytes: png });
    });
  shows('one in the agent’s folder', () => join(home, 'images', 'a.png'));
  shows('one that is named as a URI', () => pathToFileURL(join(home, 'images', 'a.png')).href);
  shows(
    'one in the second of its folders',
    () => join(home, 'images', 'a.png'),
    () => [join(dir, 'none'), home],
  );

  const stays = (title: string, name: () => string) =>
    test(`not read: ${title}`, async () => {
      assert.equal(await readNamedImage(name(), [home, join(dir, 'none')]), undefined);
    });
  stays('one outside', () => join(dir, 'outside.png'));
  stays('one in a folder whose name begins the same', () => join(dir, 'home-of-another', 'a.png'));
  stays('one that a link in the folder leads to', () => join(home, 'images', 'link.png'));
  stays('one that a folder’s link leads to', () => join(home, 'up', 'outside.png'));
  stays('one by a path that leads out', () => `${home}/images/../../outside.png`);
  stays('what is no picture', () => join(home, 'secret.png'));
  stays('a folder', () => join(home, 'images'));
  stays('one that is gone', () => join(home, 'images', 'b.png'));
  stays('a name without a folder', () => 'a.png');
  stays('a broken URI', () => 'file://%%%');
  stays('nothing', () => '');
});
