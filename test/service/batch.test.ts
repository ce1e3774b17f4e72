/** [ours] Many writes in one request (decisions §13; failures S60), over real HTTP. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { mintToken } from '../../src/service/domain/tokens.ts';
import { insertUser } from '../../src/service/store/users.ts';
import {
  bareDemo,
  clientOf,
  spawnService,
  startTestService,
  tempDir,
  type Answer,
  type Client,
  type TestService,
} from '../support/service.ts';
import { slow } from '../support/slow.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const BATCH = '/rest/v1.0/batch';
const listOf = (client: Client) => `/rest/v1.0/projects/${client.project_id}/incidents/near_misses`;
const sized = (many: number) => Array.from({ length: many }, (_, index) => index);

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly idempotency_key: string;
  readonly if_match?: string;
  readonly body?: unknown;
}

const create = (client: Client, name: string): Operation => ({
  method: 'POST',
  path: listOf(client),
  idempotency_key: name.replaceAll(' ', '-'),
  body: { near_miss: { incident_id: 1, description: name } },
});
const send = (client: Client, operations: readonly unknown[]): Promise<Answer> =>
  client.post(BATCH, { operations });
const statuses = (answer: Answer): number[] =>
  answer.json.operations.map(({ status }: { status: number }) => status);
const total = async (client: Client = t.demo): Promise<number> =>
  Number((await client.get(`${listOf(client)}?per_page=1`)).headers.get('total'));

describe('decisions §13.1: a batch', () => {
  it('decisions §13.1: fifty creates are answered each as alone, and numbered in their order', async () => {
    const before = await total();
    const answer = await send(
      t.demo,
      sized(50).map((index) => create(t.demo, `fifty ${index}`)),
    );
    expect(answer.status, answer.text).toBe(207);
    const { operations } = answer.json;
    expect(statuses(answer)).toEqual(sized(50).map(() => 201));
    const numbers = operations.map(({ body }: { body: { number: number } }) => body.number);
    expect(numbers).toEqual(sized(50).map((index) => numbers[0] + index));
    const { body, headers } = operations[7];
    const shown = await t.demo.get(`${listOf(t.demo)}/${body.id}`);
    expect(shown.json).toEqual(body);
    expect(headers).toEqual({ ETag: shown.headers.get('etag') });
    expect(await total()).toBe(before + 50);
  });

  it('decisions §13.1: a request that comes alone and one in a batch share a key', async () => {
    const alone = create(t.demo, 'shared');
    const first = await t.demo.post(alone.path, alone.body, { 'idempotency-key': 'shared' });
    const answer = await send(t.demo, [alone, create(t.demo, 'shared too')]);
    const [again, other] = answer.json.operations;
    expect(again.body).toEqual(first.json);
    expect(again.headers).toMatchObject({ 'Idempotency-Replayed': 'true' });
    const body = create(t.demo, 'shared too').body;
    const late = await t.demo.post(alone.path, body, { 'idempotency-key': 'shared-too' });
    expect([late.headers.get('idempotency-replayed'), late.json.id]).toEqual([
      'true',
      other.body.id,
    ]);
  });

  it('decisions §13.1: operations on one record take effect in their order', async () => {
    const made = await t.demo.post(listOf(t.demo), {
      near_miss: { incident_id: 1, description: 'order' },
    });
    const path = `${listOf(t.demo)}/${made.json.id}`;
    const edit = (name: string, more: object = {}): Operation => ({
      method: 'PATCH',
      path,
      idempotency_key: name,
      body: { near_miss: { description: name } },
      ...more,
    });
    const answer = await send(t.demo, [
      edit('a'),
      edit('stale', { if_match: '"other"' }),
      edit('b'),
      { method: 'DELETE', path, idempotency_key: 'gone' },
      edit('late'),
    ]);
    expect(statuses(answer)).toEqual([200, 412, 200, 204, 404]);
    const texts = [0, 2].map((at) => answer.json.operations[at].body.description_plain_text);
    expect(texts).toEqual(['a', 'b']);
    expect(answer.json.operations[3]).toEqual({ status: 204, headers: {} });
  });
});

describe('decisions §13.2: what is refused refuses itself alone', () => {
  it('decisions §13.2: one among fifty, by each of its own checks', async () => {
    const before = await total();
    const refused: readonly (readonly [object, number])[] = [
      [{ body: { near_miss: { incident_id: 'x' } } }, 422],
      [{ body: { near_miss: { incident_id: 987_654 } } }, 422],
      [{ body: { near_miss: { incident_id: 1, description: 'nul \u0000' } } }, 422],
      [{ body: JSON.parse('{"near_miss":{"__proto__":{}}}') as object }, 400],
      [{ body: JSON.parse(`${'['.repeat(33)}${']'.repeat(33)}`) as object }, 400],
      [{ body: { near_miss: { incident_id: 1, description: 'x'.repeat(1024 * 1024 + 1) } } }, 413],
      [{ path: listOf(t.other) }, 404],
      [{ path: `${listOf(t.demo)}/1e3` }, 405],
      [{ path: '/rest/v1.0/nothing' }, 404],
      [{ path: '/rest/v1.0/projects/1/incidents' }, 422],
      [{ path: '/storage/uploads/x' }, 404],
      [{ path: `/rest/v1.1/companies/${t.other.company_id}/uploads` }, 403],
    ];
    const operations = sized(50).map((index) => ({
      ...create(t.demo, `among ${index}`),
      ...refused[index - 20]?.[0],
    }));
    const answer = await send(t.demo, operations);
    expect(statuses(answer)).toEqual(sized(50).map((index) => refused[index - 20]?.[1] ?? 201));
    for (const [at, [, status]] of refused.entries())
      expect(answer.json.operations[20 + at], `refused ${status}`).toHaveProperty('body.errors');
    expect(await total()).toBe(before + 50 - refused.length);
  });

  it('decisions §13.2, §12.2: the level of the user is asked for each operation', async () => {
    const { company_id } = t.demo;
    const now = t.clock.now();
    const token = await t.service.app.store.write(async (tx) => {
      const standing = { level: 'standard', project_ids: null, active: true } as const;
      const user = { login: 'batch@example.com', name: 'Batch', company_id, now };
      return mintToken(tx, await insertUser(tx, user, standing), now);
    });
    const standard = clientOf(t.url, { ...t.demo, token });
    const made = await t.demo.post(listOf(t.demo), create(t.demo, 'of another').body);
    const before = await total();
    const answer = await send(standard, [
      create(standard, 'standard 1'),
      {
        method: 'DELETE',
        path: `${listOf(t.demo)}/${made.json.id}`,
        idempotency_key: 'standard-2',
      },
      {
        method: 'POST',
        path: `/rest/v1.0/projects/${t.demo.project_id}/project_memberships`,
        idempotency_key: 'standard-3',
        body: { project_membership: { party_id: 1 } },
      },
      create(standard, 'standard 4'),
    ]);
    expect(statuses(answer)).toEqual([201, 403, 403, 201]);
    expect(await total()).toBe(before + 2);
  });

  it('decisions §13.2: a key that was used for another body is a 422 of its operation', async () => {
    await send(t.demo, [create(t.demo, 'used')]);
    const before = await total();
    const other = { ...create(t.demo, 'used'), body: create(t.demo, 'another').body };
    const answer = await send(t.demo, [create(t.demo, 'u1'), other, create(t.demo, 'u2')]);
    expect(statuses(answer)).toEqual([201, 422, 201]);
    expect(answer.json.operations[1].body.errors).toHaveProperty('idempotency_key');
    expect(await total()).toBe(before + 2);
  });
});

describe('decisions §13.3: what is no batch', () => {
  const refuse = async (operations: unknown, field: string): Promise<void> => {
    const before = await total();
    const answer = await t.demo.post(BATCH, { operations });
    expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, [field]]);
    expect(await total()).toBe(before);
  };
  const fine = () => create(t.demo, 'fine');

  it('decisions §13.3: is refused as a whole with the place of the fault, and changes nothing', async () => {
    await refuse(undefined, 'operations');
    await refuse([], 'operations');
    await refuse(
      sized(101).map((index) => create(t.demo, `many ${index}`)),
      'operations',
    );
    await refuse([fine(), { ...create(t.demo, 'get'), method: 'GET' }], 'operations.1.method');
    await refuse([fine(), { ...fine(), idempotency_key: '' }], 'operations.1.idempotency_key');
    await refuse([fine(), fine()], 'operations.1.idempotency_key');
    await refuse([{ ...fine(), path: 'near_misses' }], 'operations.0.path');
    await refuse([fine(), { ...create(t.demo, 'nested'), path: BATCH }], 'operations.1.path');
  });

  it('decisions §13.3: bytes that are no JSON, too deep or too many are a 400 and a 413', async () => {
    const deep = `{"operations":${'['.repeat(70)}${']'.repeat(70)}}`;
    expect((await t.demo.ask('POST', BATCH, { raw: '{' })).status).toBe(400);
    expect((await t.demo.ask('POST', BATCH, { raw: deep })).status).toBe(400);
    const raw = JSON.stringify({ operations: 'x'.repeat(16 * 1024 * 1024) });
    const large = await t.demo.ask('POST', BATCH, { raw }).catch(() => null);
    // The service may close the connection before the client has sent everything.
    expect(large?.status ?? 413).toBe(413);
  });
});

describe('decisions §13.4: limits count each operation', () => {
  it('decisions §13.4: operations beyond the rate are each a 429; the others are executed', async () => {
    const limited = await startTestService({ 'rate-limit': 10 });
    onTestFinished(() => limited.stop());
    const { demo, clock } = limited;
    const operations = sized(13).map((index) => create(demo, `rate ${index}`));
    const answer = await send(demo, operations);
    expect(statuses(answer)).toEqual(sized(13).map((index) => (index < 10 ? 201 : 429)));
    expect(answer.headers.get('x-rate-limit-remaining')).toBe('0');
    const wait = Number(answer.json.operations[10].headers['Retry-After']);
    expect(wait).toBeGreaterThan(0);
    expect((await send(demo, operations)).status).toBe(429);
    clock.advance(60_000);
    const again = await send(demo, operations.slice(8));
    expect(statuses(again)).toEqual([201, 201, 201, 201, 201]);
    const replayed = again.json.operations.map(
      ({ headers }: { headers: Record<string, string> }) => headers['Idempotency-Replayed'],
    );
    expect(replayed).toEqual(['true', 'true', undefined, undefined, undefined]);
  });

  it('decisions §13.4: operations beyond the quota of keys are each a 429', async () => {
    const limited = await startTestService({ 'idempotency-max-keys': 3 });
    onTestFinished(() => limited.stop());
    const operations = sized(5).map((index) => create(limited.demo, `quota ${index}`));
    expect(statuses(await send(limited.demo, operations))).toEqual([201, 201, 201, 429, 429]);
  });
});

/** Sends a batch by hand, and ends the connection after some bytes of the request or of the answer. */
const cut = async (
  client: Client,
  operations: readonly Operation[],
  where: { readonly request?: number; readonly answer?: number },
): Promise<void> => {
  const { hostname, port } = new URL(client.url);
  const body = JSON.stringify({ operations });
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = [
    `POST ${BATCH} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Authorization: Bearer ${client.token}`,
    `Service-Company-Id: ${client.company_id}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    '',
  ].join('\r\n');
  socket.write(head + body.slice(0, where.request ?? body.length));
  if (where.answer !== undefined) await once(socket, 'data');
  socket.destroy();
};

describe('decisions §13.5, failures S60: a batch that is cut', () => {
  const operations = (name: string) => sized(20).map((index) => create(t.demo, `${name} ${index}`));

  it('decisions §13.5: in the middle of the request executes nothing; sent again, everything once', async () => {
    const before = await total();
    await cut(t.demo, operations('cut'), { request: 1_500 });
    expect(await total()).toBe(before);
    expect(new Set(statuses(await send(t.demo, operations('cut'))))).toEqual(new Set([201]));
    expect(await total()).toBe(before + 20);
  });

  it('decisions §13.5: in the middle of the answer: sent again, every operation gets its first answer', async () => {
    const before = await total();
    await cut(t.demo, operations('half'), { answer: 1 });
    const again = await send(t.demo, operations('half'));
    for (const { status, headers } of again.json.operations)
      expect([status, headers['Idempotency-Replayed']]).toEqual([201, 'true']);
    expect(await total()).toBe(before + 20);
  });

  it('decisions §13.5: twice at once, in two orders and beside single requests, each is executed once', async () => {
    const before = await total();
    const all = operations('twice');
    const [one, two, ...alone] = await Promise.all([
      send(t.demo, all),
      send(t.demo, all.toReversed()),
      ...all.map((operation) =>
        t.demo.post(operation.path, operation.body, {
          'idempotency-key': operation.idempotency_key,
        }),
      ),
    ]);
    const ids = (answer: Answer): number[] =>
      answer.json.operations.map(({ body }: { body: { id: number } }) => body.id);
    expect(ids(two)).toEqual(ids(one).toReversed());
    expect(alone.map(({ json }) => json.id as number)).toEqual(ids(one));
    expect(await total()).toBe(before + 20);
  });

  slow(
    'failures S60: the service is killed between the commit and the answer: every operation is executed once',
    async () => {
      const dir = tempDir('batch-killed');
      onTestFinished(() => dir.remove());
      const folder = join(dir.path, 'data');
      const dies = `data:text/javascript,${encodeURIComponent(`
      import { ServerResponse } from 'node:http';
      const { writeHead } = ServerResponse.prototype;
      ServerResponse.prototype.writeHead = function (status, ...more) {
        if (status === 207) process.kill(process.pid, 'SIGKILL');
        return writeHead.call(this, status, ...more);
      };
    `)}`;
      const first = await spawnService(bareDemo(folder), { NODE_OPTIONS: `--import=${dies}` });
      const doomed = clientOf(first.first.url, first.first);
      const before = await total(doomed);
      const names = sized(100).map((index) => create(doomed, `killed ${index}`));
      await expect(send(doomed, names)).rejects.toThrow();
      await first.end('SIGKILL');
      const second = await spawnService(bareDemo(folder));
      onTestFinished(() => second.end('SIGKILL').then(() => undefined));
      const client = clientOf(second.first.url, second.first);
      expect(await total(client)).toBe(before + 100);
      const again = await send(client, names);
      for (const { status, headers } of again.json.operations)
        expect([status, headers['Idempotency-Replayed']]).toEqual([201, 'true']);
      expect(await total(client)).toBe(before + 100);
    },
  );
});
