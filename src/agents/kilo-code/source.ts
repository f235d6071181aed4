import { createOpenCode } from '../opencode/source.js';

/** Kilo Code since it was made from OpenCode: its command line, and its extension, which runs the same program. */
export const kiloCode = createOpenCode({
  agent: 'kilo-code',
  name: 'Kilo Code',
  word: 'kilo',
  databaseVariable: 'KILO_DB',
  owns: (tables) => tables.some((table) => table.startsWith('kilo')),
});
