import { historyBudget } from '../../core/convert/window.js';
import { ownFileOf } from './history.js';

/**
 * The argv that goes on with the conversation of a file of its own, to be started in that file's folder. Without the
 * number of tokens Aider would sum up whatever is longer than 1,000 to 8,000 of them, by its model's window
 * (`models.py`, `history.py` of 0.86).
 */
export const restoreArgv = (id: string): readonly string[] => [
  'aider',
  '--chat-history-file',
  ownFileOf(id),
  '--restore-chat-history',
  '--max-chat-history-tokens',
  String(historyBudget('aider')),
];
