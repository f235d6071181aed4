import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const source = path.join(import.meta.dirname, '..', 'src');

/** By what a text leaves, and the one file that may let it: there it is masked. */
const ways: Readonly<Record<string, string>> = {
  'clipboard.writeText(': 'extension/clipboard.ts',
  'createOutputChannel(': 'extension/extension.ts',
  'new MaskedLog(': 'extension/extension.ts',
  'makeBrief(': 'library/shortened.ts',
  'convertThread(': 'library/continueThread.ts',
  'planChat(': 'library/continueThread.ts',
};

suite('what leaves goes through one place, where secrets are masked', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => ({
      file: file.split(path.sep).join('/'),
      text: readFileSync(path.join(source, file), 'utf8'),
    }));
  for (const [way, only] of Object.entries(ways)) {
    test(way, () => {
      const users = files.filter(
        ({ text }) => text.includes(way) && !text.includes(`function ${way}`),
      );
      assert.deepEqual(
        users.map(({ file }) => file),
        [only],
      );
    });
  }
});
