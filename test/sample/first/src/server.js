import { createServer } from 'node:http';
import { route } from './routes.js';
import { TodoStore } from './store.js';

const port = Number(process.env.PORT ?? 3000);
const store = new TodoStore(process.env.TODO_FILE ?? 'data/todos.json');

createServer((request, response) => {
  route(store, request, response).catch((error) => {
    response.writeHead(500, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: error.message }));
  });
}).listen(port, () => {
  console.log(`todo-api listens on http://localhost:${port}`);
});
