const isDate = (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

/** Returns what is wrong with a new todo, or undefined. */
export const problemWithTodo = ({ title, due }) => {
  if (typeof title !== 'string' || title.trim() === '') return 'title must not be empty';
  if (due !== undefined && !isDate(due)) return 'due must look like 2026-12-01';
  return undefined;
};
