import { randomUUID } from 'node:crypto';

export const newTodo = ({ title, due }) => ({
  id: randomUUID(),
  title: title.trim(),
  due,
  done: false,
  createdAt: new Date().toISOString(),
});

/** Newest first. */
export const listTodos = (todos) =>
  [...todos].sort((a, b) => b.createdAt.localeCompare(a.createdAt));

export const changeTodo = (todos, id, change) =>
  todos.map((todo) => (todo.id === id ? { ...todo, ...change } : todo));

export const removeTodo = (todos, id) => todos.filter((todo) => todo.id !== id);
