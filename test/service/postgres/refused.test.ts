/**
 * The database is up but refuses connections: a role without login, a database that allows no connections, terminated
 * connections (decisions §10).
 */
import { expect, it, onTestFinished } from 'vitest';
import pg from 'pg';
import { databaseOf, SOCKET_VARIABLE } from '../../support/database.ts';
import { databaseUrl } from '../../support/postgres-server.ts';
import { startTestService, tempDir } from '../../support/service.ts';

const list = '~/incidents/near_misses';
const body = (description: string) => ({ near_miss: { incident_id: 1, description } });

/** A service with its own role, and an administrator who can change that role. */
const scene = async () => {
  const dir = tempDir('refused');
  onTestFinished(() => dir.remove());
  const { options } = await databaseOf(dir.path);
  const url = new URL(options['database-url'] ?? '');
  const database = url.pathname.slice(1);
  const role = `role_${database}`;
  const admin = new pg.Client({
    connectionString: databaseUrl(process.env[SOCKET_VARIABLE] ?? '', 'postgres'),
  });
  await admin.connect();
  onTestFinished(() => admin.end());
  await admin.query(`create role ${role} login superuser`);
  const end = () =>
    admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = $1`, [
      role,
    ]);
  const t = await startTestService({
    'database-url': url.href.replace('//postgres@', `//${role}@`),
    'database-pool': 4,
  });
  onTestFinished(() => t.stop());
  return { t, database, role, end, change: (text: string) => admin.query(text) };
};

it('decisions §1.2, §10: while it takes nobody in every answer is a 503 that says when to ask again', async () => {
  const { t, database, role, end, change } = await scene();
  const close = `alter database ${database} allow_connections false`;
  const open = `alter database ${database} allow_connections true`;
  const ways = [
    { refuse: [`alter role ${role} nologin`], allow: [`alter role ${role} login`] },
    { refuse: [close], allow: [open] },
    {
      refuse: [close, `alter database ${database} rename to moved`],
      allow: [`alter database moved rename to ${database}`, open],
    },
  ];
  for (const { refuse, allow } of ways) {
    for (const statement of refuse) {
      await change(statement);
      await end();
    }
    const answers = await Promise.all([t.demo.get(list), t.demo.post(list, body('refused'))]);
    const told = answers.map(({ status, headers }) => [status, headers.get('retry-after')]);
    expect(told, refuse.join('; ')).toEqual([
      [503, '5'],
      [503, '5'],
    ]);
    for (const statement of allow) await change(statement);
    await expect.poll(async () => (await t.demo.get(list)).status).toBe(200);
  }
});

it('decisions §1.5: connections ended by pg_terminate_backend amid writes: 201 or 503, and each is executed once', async () => {
  const { t, end } = await scene();
  const names = Array.from({ length: 80 }, (_, index) => `ended-${index}`);
  const post = (name: string) => t.demo.post(list, body(name), { 'idempotency-key': name });
  let going = true;
  const killer = (async () => {
    while (going) await end();
  })();
  const statuses = new Set<number>();
  for (let at = 0; at < names.length; at += 8)
    for (const { status } of await Promise.all(names.slice(at, at + 8).map(post)))
      statuses.add(status);
  going = false;
  await killer;
  expect([...statuses].filter((status) => status !== 201 && status !== 503)).toEqual([]);
  for (const name of names) await expect.poll(async () => (await post(name)).status).toBe(201);
  const found = await t.demo.get(`${list}?filters[query]=ended-&per_page=1`);
  expect(found.headers.get('total')).toBe('80');
});
