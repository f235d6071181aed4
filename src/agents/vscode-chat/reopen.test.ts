import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { call, line, request, state } from '../../../test/agents/chatRecords.js';
import { parse } from '../../../test/agents/chatThreads.js';
import { exportedForm } from './exported.js';
import { previousRequestsIn } from './reopen.js';

const previous = (lines: readonly string[]) =>
  previousRequestsIn(JSON.stringify(exportedForm(parse(lines).chat)));

suite('reopening a chat where VS Code takes prompts and answers alone', () => {
  test('they come back in pairs, undone ones do not', () => {
    const requests = [
      request(1, { response: [{ value: 'a' }, call('c'), { value: 'b' }] }),
      request(2, { response: [] }),
      request(3, { shouldBeRemovedOnSend: {} }),
    ];
    assert.deepEqual(previous([line({ kind: 0, v: state(requests) })]), [
      { request: 'prompt 1', response: 'a\n\nb' },
      { request: 'prompt 2', response: '' },
    ]);
  });

  test('those of a real chat are all there', async () => {
    const log = await readFile('test/fixtures/vscode-chat/vscode-1.139.1.jsonl', 'utf8');
    const pairs = previous(log.trimEnd().split('\n'));
    assert.deepEqual(
      pairs.map((pair) => pair.request),
      [
        '@parser Why does it drop the last token?',
        '@parser Why does it drop the last token? Again',
        '@parser please fail',
        '@parser be slow',
        '@parser One more',
      ],
    );
    assert.match(pairs[0]?.response ?? '', /^Let me look at[^]*parser\.ts[^]*is lost\./);
    assert.equal(pairs[2]?.response, '');
  });
});
