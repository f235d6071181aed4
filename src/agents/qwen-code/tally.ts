import type { ThreadCounts, Todo } from '../../core/model/thread.js';
import { fieldsOf, objectsOf, textOf, type Fields } from '../json.js';
import { ThreadTally } from '../threadTally.js';
import { usageWithin } from '../tokens.js';
import { callsOf, promptOf, resultsOf, thoughtsIn } from './record.js';

const states: Readonly<Record<string, Todo['state']>> = {
  in_progress: 'doing',
  completed: 'done',
};

/** What a file's records add up to; either those of the session itself or those of subagents. */
export class QwenTally {
  todos: readonly Todo[] = [];
  working = false;
  private readonly tally = new ThreadTally();

  counts(): Omit<ThreadCounts, 'malformed' | 'firstAt' | 'lastAt'> {
    return this.tally.counts();
  }

  add(record: Fields, id: string): void {
    const prompt = promptOf(record);
    if (prompt !== undefined) {
      this.tally.prompts.add(prompt.text);
      this.working = true;
    } else if (record['type'] === 'assistant') this.addAnswer(record, id);
    for (const result of resultsOf(record)) {
      if (result.id !== '') this.tally.results.add(result.id);
      this.working = true;
    }
  }

  private addAnswer(record: Fields, id: string): void {
    this.tally.answers.add(id);
    this.tally.thinkingBlocks += thoughtsIn(record);
    this.tally.tokens.add(usageWithin(record['usageMetadata']), id);
    const model = textOf(record['model']);
    if (model !== undefined) this.tally.models.add(model);
    const calls = callsOf(record);
    for (const call of calls) {
      if (call.id !== '') this.tally.calls.add(call.id);
      if (call.name === 'todo_write') this.todos = todosIn(call.input);
    }
    this.working = calls.length > 0;
  }
}

const todosIn = (input: unknown): readonly Todo[] =>
  objectsOf(fieldsOf(input)?.['todos']).flatMap(({ content, status }) => {
    const text = textOf(content);
    return text === undefined ? [] : [{ text, state: states[textOf(status) ?? ''] ?? 'open' }];
  });
