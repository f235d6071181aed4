import { changeTodo, listTodos, newTodo, removeTodo } from './todos.js';
import { problemWithTodo } from './validate.js';

const send = (response, status, body) => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body === undefined ? undefined : JSON.stringify(body));
};

const readJson = async (request) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
};

export const route = async (store, request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  const [, collection, id] = pathname.split('/');
  if (collection !== 'todos') return send(response, 404, { error: 'not found' });

  const todos = await store.all();
  switch (request.method) {
    case 'GET':
      return send(response, 200, listTodos(todos, { search: searchParams.get('search') }));
    case 'POST': {
      const input = await readJson(request);
      const problem = problemWithTodo(input);
      if (problem) return send(response, 400, { error: problem });
      const todo = newTodo(input);
      await store.replace([...todos, todo]);
      return send(response, 201, todo);
    }
    case 'PATCH':
      await store.replace(changeTodo(todos, id, await readJson(request)));
      return send(response, 204);
    case 'DELETE':
      await store.replace(removeTodo(todos, id));
      return send(response, 204);
    default:
      return send(response, 405, { error: 'method not allowed' });
  }
};
