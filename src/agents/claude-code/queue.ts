import { textOf, type Fields } from '../json.js';

/**
 * Prompts that wait while the agent works. What the agent took in the middle of a turn was, until about
 * 2.1.7x, written nowhere but in this log: `enqueue` with the text, then `remove`.
 */
export class PromptQueue {
  private waiting: string[] = [];

  /** The prompt that a record of the log says was taken mid-turn. */
  taken(record: Fields): string | undefined {
    if (record['type'] !== 'queue-operation') return undefined;
    const { operation } = record;
    const text = textOf(record['content']);
    if (operation === 'enqueue' && text !== undefined) this.waiting.push(text);
    else if (operation === 'popAll') this.waiting = [];
    else if (operation === 'dequeue' || operation === 'remove') {
      const first = this.waiting.shift();
      return operation === 'remove' ? first : undefined;
    }
    return undefined;
  }
}
