import { callBlock, sessionId, writing } from '../../../test/agents/piRecords.js';
import { sourceConforms } from '../conformance.js';
import { createPi } from './source.js';

const lines = (cwd: string) =>
  writing((to) => {
    to.header(cwd);
    to.add('model_change', { provider: 'anthropic', modelId: 'claude-sonnet-4-5' });
    to.user('one 你好');
    to.answer([
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'looking' },
      callBlock('c1'),
    ]);
    to.result('c1');
    to.say('done');
    to.user('two');
    to.say('done again');
  });

sourceConforms('Pi', {
  create: createPi,
  id: sessionId,
  path: () =>
    `.pi/agent/sessions/--home-user-project--/2026-01-05T09-00-00-000Z_${sessionId}.jsonl`,
  lines,
});
