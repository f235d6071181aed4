import assert from 'node:assert/strict';
import { afterEditFence, withoutEditFence } from './editFences.js';

suite('code blocks around edits', () => {
  const leaves = (title: string, text: string, expected: string, isOpen = false) =>
    test(title, () => assert.deepEqual(withoutEditFence(text), { text: expected, isOpen }));

  leaves('the beginning of a block goes', 'Now:\n```ts\n', 'Now:\n', true);
  leaves('an empty block goes', 'Now:\n````\n\n````\n', 'Now:\n');
  leaves('code of the answer stays', 'So:\n```ts\nlet a;\n```\n', 'So:\n```ts\nlet a;\n```\n');
  leaves('code before an edit stays', '```\na\n```\n\n```ts\n', '```\na\n```\n\n', true);
  leaves('a block that has begun to be filled stays', '```\na', '```\na');
  leaves('an empty block before more text stays', '```\n```\nb', '```\n```\nb');
  leaves('text without a block stays', 'a ` b', 'a ` b');

  test('the end of the block behind the edit goes', () => {
    assert.equal(afterEditFence('\n```\nDone'), 'Done');
    assert.equal(afterEditFence('Done'), 'Done');
  });
});
