import assert from 'node:assert/strict';
import { call, request, state } from '../../../test/agents/chatRecords.js';
import { threadOf } from '../../../test/agents/chatThreads.js';
import { previousRequestsOf } from './reopen.js';

suite('reopening a chat', () => {
  test('prompts and answers come back in pairs, undone ones do not', () => {
    const thread = threadOf({
      kind: 0,
      v: state([
        request(1, { response: [{ value: 'a' }, call('c'), { value: 'b' }] }),
        request(2, { response: [] }),
        request(3, { shouldBeRemovedOnSend: {} }),
      ]),
    });
    assert.deepEqual(previousRequestsOf(thread), [
      { request: 'prompt 1', response: 'a\n\nb' },
      { request: 'prompt 2', response: '' },
    ]);
  });
});
