import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeTodo, listTodos, newTodo, removeTodo } from '../src/todos.js';

test('a new todo is open and has its title trimmed', () => {
  const todo = newTodo({ title: '  Buy milk ' });
  assert.equal(todo.title, 'Buy milk');
  assert.equal(todo.done, false);
});

test('the list begins with the newest', () => {
  const old = { ...newTodo({ title: 'old' }), createdAt: '2026-01-01T00:00:00.000Z' };
  const recent = { ...newTodo({ title: 'recent' }), createdAt: '2026-02-01T00:00:00.000Z' };
  assert.deepEqual(
    listTodos([old, recent]).map((todo) => todo.title),
    ['recent', 'old'],
  );
});

test('changing and removing touch one todo only', () => {
  const [a, b] = [newTodo({ title: 'a' }), newTodo({ title: 'b' })];
  assert.equal(changeTodo([a, b], a.id, { done: true })[1].done, false);
  assert.deepEqual(removeTodo([a, b], a.id), [b]);
});
