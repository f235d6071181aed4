import { createPi } from '../../src/agents/pi/source.js';
import { piProgram } from './programs.js';
import { programSuite } from './programSuite.js';

programSuite('Pi', {
  program: piProgram,
  create: createPi,
  shell: (command) => ({ name: 'bash', input: { command } }),
  write: (path, content) => ({ name: 'write', input: { path, content } }),
  failure: /^assistant: bash=>[\s\S]*exited with code 3/,
  models: ['m1'],
});
