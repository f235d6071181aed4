import { sessionId, writing } from '../../../test/agents/claudeRecords.js';
import { sourceConforms } from '../conformance.js';
import { encodeFolder } from './folders.js';
import { createClaudeCode } from './source.js';

const lines = (cwd: string) =>
  writing((to) => {
    const here = { cwd };
    to.user('one 你好', here);
    to.answer('m1', { type: 'thinking', thinking: 'hm', signature: 's' }, here);
    to.say('m1', 'looking', here);
    to.call('m1', 't1');
    to.result('t1');
    to.say('m2', 'done');
    to.user('two');
    to.say('m3', 'done again');
  });

sourceConforms('Claude Code', {
  create: createClaudeCode,
  id: sessionId,
  path: (cwd) => `.claude/projects/${encodeFolder(cwd)}/${sessionId}.jsonl`,
  lines,
});
