import { createOpenCodeTarget } from '../opencode/write.js';

export const kiloTarget = createOpenCodeTarget({
  agent: 'kilo-code',
  name: 'Kilo Code',
  word: 'kilo',
  getIt: 'npm install -g @kilocode/cli',
  mode: 'code',
  version: '7.7.9',
});
