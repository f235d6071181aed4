import type { Todo } from '../../core/model/thread.js';
import { fieldsOf, objectsOf, textOf, type Fields } from '../json.js';

const states: Readonly<Record<string, Todo['state']>> = {
  pending: 'open',
  in_progress: 'doing',
  completed: 'done',
};

/** The agent's own list of what is left to do, by either of its tools: one whole list, or task by task. */
export class TodoList {
  private list: readonly Todo[] = [];
  private readonly tasks = new Map<string, Todo>();

  get todos(): readonly Todo[] {
    return this.tasks.size > 0 ? [...this.tasks.values()] : this.list;
  }

  addCall(call: Fields): void {
    const input = fieldsOf(call['input']);
    if (input === undefined) return;
    if (call['name'] === 'TodoWrite') this.list = objectsOf(input['todos']).flatMap(todoOf);
    else if (call['name'] === 'TaskUpdate') this.updateTask(textOf(input['taskId']), input);
  }

  addUser(record: Fields): void {
    const carried = objectsOf(record['todos']).flatMap(todoOf);
    if (carried.length > 0) this.list = carried;
    const result = fieldsOf(record['toolUseResult']);
    for (const task of [result?.['task'], ...objectsOf(result?.['tasks'])].map(fieldsOf)) {
      if (task?.['subject'] !== undefined) this.updateTask(textOf(task['id']), task);
    }
  }

  private updateTask(id: string | undefined, set: Fields): void {
    if (id === undefined) return;
    if (set['status'] === 'deleted') {
      this.tasks.delete(id);
      return;
    }
    const before = this.tasks.get(id);
    const text = textOf(set['subject']) ?? before?.text;
    const state = states[textOf(set['status']) ?? ''] ?? before?.state ?? 'open';
    if (text !== undefined) this.tasks.set(id, { text, state });
  }
}

function todoOf(entry: Fields): readonly Todo[] {
  const text = textOf(entry['content']);
  const state = states[textOf(entry['status']) ?? ''] ?? 'open';
  return text === undefined ? [] : [{ text, state }];
}
