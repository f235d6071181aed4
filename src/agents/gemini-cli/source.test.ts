import {
  call,
  contextText,
  gemini,
  linesOf,
  metadata,
  response,
  sessionId,
  set,
  user,
} from '../../../test/agents/geminiRecords.js';
import { sourceConforms } from '../conformance.js';
import { createGeminiCli } from './source.js';

const lines = (cwd: string) =>
  linesOf(
    metadata(),
    set({ messages: [user('context', contextText(cwd))], lastUpdated: '2026-01-05T09:00:00.500Z' }),
    user('m1', 'one 你好'),
    gemini('m2', 'looking', { thoughts: [{ subject: 'Plan', description: 'hm' }] }),
    gemini('m2', 'looking', {
      thoughts: [{ subject: 'Plan', description: 'hm' }],
      toolCalls: [call('c1')],
    }),
    user('m3', [response('c1')]),
    gemini('m4', 'done'),
    user('m5', 'two'),
    gemini('m6', 'done again'),
    set({ lastUpdated: '2026-01-05T09:00:07.000Z' }),
  );

sourceConforms('Gemini CLI', {
  create: createGeminiCli,
  id: sessionId,
  path: () => `.gemini/tmp/project/chats/session-2026-01-05T09-00-5d0957ef.jsonl`,
  beside: (cwd) => ({ '.gemini/tmp/project/.project_root': cwd }),
  lines,
});

sourceConforms('Gemini CLI, in its old form,', {
  create: createGeminiCli,
  id: sessionId,
  path: () => `.gemini/tmp/project/chats/session-2026-01-05T09-00-5d0957ef.json`,
  beside: (cwd) => ({ '.gemini/tmp/project/.project_root': cwd }),
  lines: (cwd) =>
    linesOf(
      user('context', contextText(cwd)),
      user('m1', 'one 你好'),
      gemini('m2', 'looking', {
        thoughts: [{ subject: 'Plan', description: 'hm' }],
        toolCalls: [call('c1')],
      }),
      gemini('m4', 'done'),
      user('m5', 'two'),
      gemini('m6', 'done again'),
      metadata(),
    ),
  whole: { list: 'messages' },
});
