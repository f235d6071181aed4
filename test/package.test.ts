import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { listFiles, PackageManager } from '@vscode/vsce';

const root = path.join(import.meta.dirname, '..');

suite('the package', function () {
  // vsce looks at every file below the root, whatever is installed there.
  this.timeout(600_000);
  let names: readonly string[];
  suiteSetup(async () => {
    assert.ok(existsSync(path.join(root, 'dist')), 'Run `npm run build` first.');
    const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
    names = files.map((file) => file.replaceAll('\\', '/'));
  });

  test('is loaded in a moment: below 2 MB when it is compressed', () => {
    const sizes = names.map((name) => gzipSync(readFileSync(path.join(root, name))).length);
    assert.ok(sizes.reduce((sum, size) => sum + size, 0) < 2_000_000);
  });

  test('holds what a person runs and reads, and nothing else', () => {
    const chunk = /^dist\/(chunks\/|part-)[\w-]+-[A-Z0-9]{8}\.js$/;
    assert.ok(names.some((name) => chunk.test(name)));
    assert.deepEqual(names.filter((name) => !chunk.test(name)).sort(), [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'THIRD_PARTY_NOTICES.md',
      'dist/cli.js',
      'dist/extension.js',
      'dist/readerProcess.js',
      'dist/sql-wasm.wasm',
      'dist/tokenizer.js',
      'dist/worker.js',
      'l10n/bundle.l10n.json',
      'l10n/bundle.l10n.zh-cn.json',
      'media/conversation.tmLanguage.json',
      'media/icon.png',
      'media/keepthread.svg',
      'media/walkthrough/continue.svg',
      'media/walkthrough/data.svg',
      'media/walkthrough/load.svg',
      'media/walkthrough/save.svg',
      'package.json',
      'package.nls.json',
      'package.nls.zh-cn.json',
    ]);
  });
});
