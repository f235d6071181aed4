import { threadId, writing } from '../../../test/agents/codexRecords.js';
import { sourceConforms } from '../conformance.js';
import { createCodex } from './source.js';

const name = `rollout-2026-01-05T10-00-00-${threadId}.jsonl`;

const lines = (cwd: string) =>
  writing((to) => {
    to.meta({ cwd });
    to.event('task_started');
    to.context('gpt-5-codex', cwd);
    to.message('user', `<environment_context><cwd>${cwd}</cwd></environment_context>`);
    to.prompt('one 你好');
    to.think('hm');
    to.say('looking');
    to.call('c1');
    to.result('c1');
    to.say('done');
    to.event('task_complete');
    to.prompt('two');
    to.say('done again');
    to.event('task_complete');
  });

sourceConforms('Codex', {
  create: createCodex,
  id: threadId,
  path: () => `.codex/sessions/2026/01/05/${name}`,
  lines,
  noRecordIds: true,
});
