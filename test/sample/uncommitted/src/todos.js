import { randomUUID } from 'node:crypto';

export const newTodo = ({ title, due }) => ({
  id: randomUUID(),
  title: title.trim(),
  due,
  done: false,
  createdAt: new Date().toISOString(),
});

const dueFilters = {
  overdue: (due, today) => due < today,
  today: (due, today) => due === today,
  upcoming: (due, today) => due > today,
};

export const isDueFilter = (name) => Object.hasOwn(dueFilters, name);

/**
 * Newest first; `search` is a part of the title, in any case; `due` keeps open todos that are
 * overdue, due today or upcoming. Dates are compared as text, which their form allows.
 */
export const listTodos = (todos, { search, due, today = localDate(new Date()) } = {}) =>
  todos
    .filter((todo) => !search || todo.title.toLowerCase().includes(search.toLowerCase()))
    .filter((todo) => !due || (!todo.done && todo.due && dueFilters[due](todo.due, today)))
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt));

const localDate = (date) =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');

export const changeTodo = (todos, id, change) =>
  todos.map((todo) => (todo.id === id ? { ...todo, ...change } : todo));

export const removeTodo = (todos, id) => todos.filter((todo) => todo.id !== id);
