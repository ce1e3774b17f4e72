/** The peer of `start`: json-server on a file of the same near misses. */
import jsonServer from 'json-server';

const [file] = process.argv.slice(2);
const app = jsonServer.create();
app.use(jsonServer.defaults({ logger: false }));
app.use(jsonServer.router(file));
const server = app.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })),
);
