import { callPart, sessionId, writing } from '../../../test/agents/qwenRecords.js';
import { sourceConforms } from '../conformance.js';
import { dashed } from '../folders.js';
import { createQwenCode } from './source.js';

const lines = (cwd: string) =>
  writing(
    (to) => {
      to.user('one 你好');
      to.system('ui_telemetry', { uiEvent: { 'event.name': 'qwen-code.api_response' } });
      to.answer([{ text: 'hm', thought: true }, { text: 'looking' }, callPart('c1')]);
      to.result('c1');
      to.answer([{ text: 'done' }]);
      to.user('two');
      to.answer([{ text: 'done again' }]);
    },
    { cwd },
  );

sourceConforms('Qwen Code', {
  create: createQwenCode,
  id: sessionId,
  path: (cwd) => `.qwen/projects/${dashed(cwd)}/chats/${sessionId}.jsonl`,
  lines,
});
