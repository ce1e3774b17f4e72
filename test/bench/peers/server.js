/**
 * The peers' server, on the service's core: express-pouchdb on LevelDB, and for Workbox a POST that only inserts a row into
 * SQLite with the service's durability (WAL, synchronous=FULL).
 */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import express from 'express';
import expressPouchDB from 'express-pouchdb';
import PouchDB from 'pouchdb';

const [folder, files] = process.argv.slice(2);
const db = new Database(join(folder, 'rows.db'));
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec('create table rows (id integer primary key, key text unique, body text)');
const insert = db.prepare('insert into rows (key, body) values (?, ?)');

const app = express();
app.post('/near_misses', express.json(), (request, answer) => {
  const { lastInsertRowid } = insert.run(
    request.get('idempotency-key'),
    JSON.stringify(request.body),
  );
  answer.status(201).json({ id: Number(lastInsertRowid), ...request.body.near_miss });
});
const Prefixed = PouchDB.defaults({ prefix: `${folder}/` });
app.use(
  '/db',
  expressPouchDB(Prefixed, {
    mode: 'minimumForPouchDB',
    inMemoryConfig: true,
    logPath: join(folder, 'log.txt'),
  }),
);
app.use(express.static(files));
const server = app.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })),
);
