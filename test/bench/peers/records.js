/**
 * The peer of `create` and `page`: bare Fastify without tokens, rules, idempotency or events. It keeps records in an array or,
 * if its argument is a database's address, as jsonb rows of a durable PostgreSQL.
 */
import Fastify from 'fastify';
import pg from 'pg';

const [address] = process.argv.slice(2);

const inMemory = () => {
  const rows = [];
  const keys = new Map();
  return {
    add: (key, record) => {
      const row = { id: rows.length + 1, ...record };
      rows.push(row);
      keys.set(key, row);
      return row;
    },
    page: (page, size) => rows.slice((page - 1) * size, page * size),
  };
};

const inPostgres = async () => {
  const pool = new pg.Pool({ connectionString: address, max: 10 });
  await pool.query('drop table if exists rows');
  await pool.query('create table rows (id bigserial primary key, key text unique, body jsonb)');
  const add = 'insert into rows (key, body) values ($1, $2) returning id';
  const page = 'select id, body from rows order by id limit $1 offset $2';
  return {
    add: async (key, record) => {
      const values = [key, JSON.stringify(record)];
      const { rows } = await pool.query({ name: 'add', text: add, values });
      return { id: Number(rows[0].id), ...record };
    },
    page: async (number, size) => {
      const values = [size, (number - 1) * size];
      const { rows } = await pool.query({ name: 'page', text: page, values });
      return rows.map(({ id, body }) => ({ id: Number(id), ...body }));
    },
  };
};

const store = address === undefined ? inMemory() : await inPostgres();
const server = Fastify({ bodyLimit: 64 * 1024 * 1024 });
server.post('/near_misses', async (request, reply) =>
  reply.code(201).send(await store.add(request.headers['idempotency-key'], request.body.near_miss)),
);
/** Fills in bulk before the measurement. */
server.post('/fill', async (request) => {
  for (const [index, record] of request.body.entries()) await store.add(`fill ${index}`, record);
  return { filled: request.body.length };
});
server.get('/near_misses', async (request, reply) => {
  const { page = 1, per_page = 100 } = request.query;
  const rows = await store.page(Number(page), Number(per_page));
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(rows));
});
await server.listen({ host: '127.0.0.1', port: 0 });
console.log(JSON.stringify({ url: `http://127.0.0.1:${server.server.address().port}` }));
