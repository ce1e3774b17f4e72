/**
 * The database goes away and returns while the service runs (decisions §10, §1.2): a switch between them can refuse, cut and
 * swallow. Meanwhile the service answers 503; it needs no restart.
 */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseOf } from '../../support/database.ts';
import { startTestService, tempDir, type TestService } from '../../support/service.ts';

type Mode = 'through' | 'refuse' | 'swallow';

/** A TCP port in front of the database's socket. */
const openSwitch = async (socketPath: string) => {
  let mode: Mode = 'through';
  const open = new Set<Socket>();
  const server = createServer((near) => {
    if (mode === 'refuse') {
      near.destroy();
      return;
    }
    const far = connect(socketPath);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.on('data', (chunk) => mode === 'through' && to.write(chunk));
      from
        .on('error', () => undefined)
        .on('close', () => {
          open.delete(from);
          to.destroy();
        });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    set: (next: Mode) => {
      mode = next;
      if (next !== 'swallow') for (const socket of open) socket.destroy();
    },
    close: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
};

const dir = tempDir('outage');
let gate: Awaited<ReturnType<typeof openSwitch>>;
let t: TestService;
const list = '~/incidents/near_misses';
const body = { near_miss: { incident_id: 1, description: 'outage' } };

beforeAll(async () => {
  const { options } = await databaseOf(dir.path);
  const direct = new URL(options['database-url'] ?? '');
  gate = await openSwitch(join(direct.searchParams.get('host') ?? '', '.s.PGSQL.5432'));
  t = await startTestService({
    'database-url': `postgres://postgres@127.0.0.1:${gate.port}${direct.pathname}`,
    'database-timeout': 1000,
  });
});
afterAll(async () => {
  gate.set('through');
  await t.stop();
  gate.close();
  dir.remove();
});

const healthy = () => expect.poll(async () => (await t.demo.get('/healthz')).status);

describe('decisions §10: the database goes away and comes back', () => {
  for (const mode of ['refuse', 'swallow'] as const)
    it(`decisions §1.2, §10: while it is gone (${mode}): 503 without details; afterwards everything works again`, async () => {
      expect((await t.demo.get('/healthz')).status).toBe(200);
      gate.set(mode);
      const key = { 'idempotency-key': `outage-${mode}` };
      const answers = await Promise.all([
        t.demo.get('/healthz'),
        t.demo.get(list),
        t.demo.post(list, body, key),
        t.demo.post(list, body),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
      expect(answers[0]?.json).toEqual({
        status: 'failing',
        failing: ['database'],
        detail: 'The database does not answer.',
      });
      for (const { headers, json, text } of answers.slice(1)) {
        expect(headers.get('retry-after')).toBe('5');
        expect(json.errors).toEqual([expect.stringContaining('cannot reach its database')]);
        expect(text).not.toMatch(/postgres|127\.0\.0\.1|ECONN|select/i);
      }
      gate.set('through');
      await healthy().toBe(200);
      expect((await t.demo.get(list)).status).toBe(200);
      const made = await t.demo.post(list, body, key);
      expect(made.status).toBe(201);
      expect((await t.demo.post(list, body, key)).json.id).toBe(made.json.id);
    });

  it('decisions §1.5: cut off at any moment, a request that is sent again with its key is executed once', async () => {
    const sent = Array.from({ length: 60 }, (_, index) => `cut-${index}`);
    const post = (name: string) =>
      t.demo.post(
        list,
        { near_miss: { incident_id: 1, description: name } },
        { 'idempotency-key': name },
      );
    const first = sent.map((name, index) => {
      if (index % 15 === 14) gate.set('through'); // cuts every open connection
      return post(name);
    });
    for (const { status } of await Promise.all(first)) expect([201, 503]).toContain(status);
    await healthy().toBe(200);
    for (const name of sent) await expect.poll(async () => (await post(name)).status).toBe(201);
    const found = await t.demo.get(`${list}?filters[query]=cut-&per_page=1`);
    expect(found.headers.get('total')).toBe('60');
  });
});
