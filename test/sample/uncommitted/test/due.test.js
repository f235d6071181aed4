import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listTodos, newTodo } from '../src/todos.js';

const today = '2026-11-30';
const todos = [
  newTodo({ title: 'rent', due: '2026-11-28' }),
  newTodo({ title: 'milk', due: today }),
  newTodo({ title: 'flight', due: '2026-12-24' }),
  newTodo({ title: 'someday' }),
];
const titles = (due) => listTodos(todos, { due, today }).map((todo) => todo.title);

test('overdue, today and upcoming share no todo', () => {
  assert.deepEqual(titles('overdue'), ['rent']);
  assert.deepEqual(titles('today'), ['milk']);
  assert.deepEqual(titles('upcoming'), ['flight']);
});

// TODO: a todo that is done is never overdue
