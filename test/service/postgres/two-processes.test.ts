/**
 * Two service processes on one PostgreSQL and one data folder, as behind a load balancer: each knows what the other has begun
 * or done. Requests alternate between the two.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseOf } from '../../support/database.ts';
import {
  bareDemo,
  clientOf,
  runCli,
  spawnService,
  tempDir,
  type Client,
  type ServiceProcess,
} from '../../support/service.ts';

const dir = tempDir('two');
const argv = bareDemo(dir.path, '--upload-sweep-interval=50ms');
let processes: readonly [ServiceProcess, ServiceProcess];
let clients: readonly [Client, Client];
/** Alternates between the processes. */
const at = (index: number): Client => clients[index % 2] as Client;

beforeAll(async () => {
  // Both start at once: on an empty database both would migrate and seed.
  processes = await Promise.all([spawnService(argv), spawnService(argv)]);
  const [one, two] = processes;
  clients = [clientOf(one.first.url, one.first), clientOf(two.first.url, two.first)];
});
afterAll(async () => {
  await Promise.all(processes.map((one) => one.end()));
  dir.remove();
});

const list = '~/incidents/near_misses';
const body = (description: string) => ({ near_miss: { incident_id: 1, description } });
const many = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const count = async (text: string): Promise<number> =>
  Number((await at(0).get(`${list}?filters[query]=${text}&per_page=1`)).headers.get('total'));

describe('two processes on one database', () => {
  it('decisions §10: both started on an empty database seed it once, and a token of one is good at the other', async () => {
    const [one, two] = processes;
    expect(one.first.company_id).toBe(two.first.company_id);
    const { query } = await databaseOf(dir.path);
    expect(await query('select count(*) as n from companies')).toEqual([{ n: 2 }]);
    const crossed = clientOf(two.first.url, one.first);
    expect((await crossed.get(`${list}?per_page=1`)).headers.get('total')).toBe('250');
  });

  it('decisions §10: a second process that migrates an empty database beside the first does no harm', async () => {
    const own = tempDir('two-empty');
    const database = await databaseOf(own.path);
    await database.empty();
    const both = await Promise.all([1, 2, 3].map(() => spawnService(bareDemo(own.path))));
    const ends = await Promise.all(both.map((one) => one.end()));
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(await database.query('select count(*) as n from companies')).toEqual([{ n: 2 }]);
    own.remove();
  });

  it('decisions §1.5, failures S1: fifty requests with one key, spread over both, are executed once', async () => {
    const key = { 'idempotency-key': 'spread' };
    const answers = await many(50, (index) => at(index).post(list, body('spread over two'), key));
    const bodies = answers.map(({ json }) => [json.id, json.number, json.description].join());
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(bodies).size).toBe(1);
    const replayed = answers.filter(({ headers }) => headers.get('idempotency-replayed'));
    expect(replayed).toHaveLength(49);
    expect(await count('spread over two')).toBe(1);
  });

  it('decisions §1.5, failures S2: one key with two bodies at once: one is executed, the others are 422', async () => {
    for (let round = 0; round < 5; round += 1) {
      const key = { 'idempotency-key': `two-bodies-${round}` };
      const answers = await many(10, (index) =>
        at(index).post(list, body(`body-${round}-${index % 2}`), key),
      );
      const won = answers.filter(({ status }) => status === 201);
      expect(new Set(won.map(({ json }) => json.id as number)).size).toBe(1);
      expect(answers.filter(({ status }) => status === 422)).toHaveLength(10 - won.length);
      expect(await count(`body-${round}-`)).toBe(1);
    }
  });

  it('decisions §1.5: a refusal kept by one process is the answer of the other', async () => {
    const key = { 'idempotency-key': 'refused-here' };
    const bad = { near_miss: { incident_id: 4711 } };
    const answers = await many(10, (index) => at(index).post(list, bad, key));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(422);
  });

  it('decisions §3.1: numbers of one incident are taken once each and without a gap', async () => {
    const incident = await at(0).post('~/incidents', { incident: { title: 'Numbers' } });
    const made = await many(80, (index) =>
      at(index).post(list, { near_miss: { incident_id: incident.json.id } }),
    );
    const numbers = made.map(({ json }) => json.number as number).sort((a, b) => a - b);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(new Set(made.map(({ json }) => json.id as number)).size).toBe(80);
  });

  it('ids are unique over companies that write at the same time in both', async () => {
    const others = processes.map(({ first }) => clientOf(first.url, first.other));
    const theirs = (await others[0]?.get('~/incidents'))?.json[0].id as number;
    const made = await many(60, (index) =>
      index % 3 === 0
        ? (others[index % 2] as Client).post(list, { near_miss: { incident_id: theirs } })
        : at(index).post(list, body('ids')),
    );
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
    expect(new Set(made.map(({ json }) => json.id as number)).size).toBe(60);
    const { query } = await databaseOf(dir.path);
    expect(
      await query('select id, count(*) as n from events group by id having count(*) > 1'),
    ).toEqual([]);
  });

  it('decisions §1.7: of twenty updates with one ETag, over both, exactly one wins', async () => {
    const made = await at(0).post(list, body('one etag'));
    const headers = { 'if-match': made.headers.get('etag') ?? '' };
    const answers = await many(20, (index) =>
      at(index).patch(`${list}/${made.json.id}`, body(`etag ${index}`), headers),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(412)]);
  });

  it('failures S26: deletes, restores and updates over both are serialised, and the events agree with the record', async () => {
    const made = await at(0).post(list, body('race over two'));
    const one = `${list}/${made.json.id}`;
    const bin = `~/recycle_bin/incidents/near_misses/${made.json.id}/restore`;
    const answers = await many(90, (index) =>
      index % 3 === 0
        ? at(index).delete(one)
        : index % 3 === 1
          ? at(index).patch(bin, {})
          : at(index).patch(one, body(`race ${index}`)),
    );
    for (const { status } of answers) expect([200, 204, 404]).toContain(status);
    const done = answers.filter(({ status }) => status !== 404).length;
    const { query } = await databaseOf(dir.path);
    const [row] = await query(
      `select version, deleted_at from near_misses where id = ${made.json.id}`,
    );
    const events = await query(
      `select event_type from events where resource_id = ${made.json.id} and resource_name = 'Near Misses'`,
    );
    expect([row?.['version'], events.length]).toEqual([done + 1, done + 1]);
    const deletes = events.filter(({ event_type }) => event_type === 'delete').length;
    const restores = answers.filter(({ status }, at) => at % 3 === 1 && status === 200).length;
    expect(deletes - restores).toBe(row?.['deleted_at'] === null ? 0 : 1);
  });

  it('decisions §5.2, §5.3: segments go to either process, completion is seen by both, and one record gets the upload', async () => {
    const parts = ['a'.repeat(262_144), 'b'.repeat(262_144), 'the rest'];
    const uploads = `/rest/v1.1/companies/${at(0).company_id}/uploads`;
    const created = await at(0).post(uploads, {
      response_filename: 'two.txt',
      segments: parts.map((text) => ({
        size: text.length,
        sha256: createHash('sha256').update(text).digest('hex'),
      })),
    });
    const { uuid } = created.json as { uuid: string };
    // Every segment twice, to both at once: its address is valid at either.
    const sent = await many(6, async (index) => {
      const segment = created.json.segments[index % 3];
      const answer = await fetch(segment.url.replace(at(0).url, at(index > 2 ? 1 : 0).url), {
        method: 'PUT',
        headers: { 'x-amz-content-sha256': segment.headers['x-amz-content-sha256'] },
        body: parts[index % 3] ?? '',
      });
      return [answer.status, answer.headers.get('etag')];
    });
    expect(sent.map(([status]) => status)).toEqual(sent.map(() => 200));
    const segments = sent.slice(0, 3).map(([, etag]) => ({ etag }));
    const completed = await many(10, (index) =>
      at(index).patch(`${uploads}/${uuid}`, { segments }),
    );
    for (const { status, json } of completed)
      expect([status, json.status]).toEqual([200, 'complete']);
    const { query } = await databaseOf(dir.path);
    expect(
      await query("select count(*) as n from stored_files where filename = 'two.txt'"),
    ).toEqual([{ n: 1 }]);
    const taken = await many(8, (index) =>
      at(index).post(list, { near_miss: { incident_id: 1, upload_uuids: [uuid] } }),
    );
    expect(taken.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(422)]);
    const record = taken.find(({ status }) => status === 201)?.json;
    const shown = await at(1).get(`${list}/${record.id}`);
    const [photo] = shown.json.attachments as { url: string; sha256: string }[];
    expect(await (await fetch(photo?.url ?? '')).text()).toBe(parts.join(''));
  });

  it('decisions §5.6: both sweep the same expired uploads without harm', async () => {
    const uploads = `/rest/v1.1/companies/${at(0).company_id}/uploads`;
    const made = await many(12, (index) => at(index).post(uploads, { response_filename: 'old' }));
    const uuids = made.map(({ json }) => json.uuid as string);
    const { query } = await databaseOf(dir.path);
    const these = uuids.map((uuid) => `'${uuid}'`).join();
    await query(`update uploads set expires_at = 1 where uuid in (${these})`);
    await expect
      .poll(() => query(`select distinct status from uploads where uuid in (${these})`), {
        timeout: 10_000,
      })
      .toEqual([{ status: 'deleted' }]);
    const answers = await many(12, (index) => at(index).get(`${uploads}/${uuids[index]}`));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 410));
  });

  it('failures S3: what one process has answered survives its SIGKILL, and the other goes on', async () => {
    const own = await spawnService(argv);
    const client = clientOf(own.first.url, own.first);
    const acknowledged = new Set<string>();
    let killed: Promise<unknown> | undefined;
    await many(8, async (writer) => {
      for (let turn = 0; killed === undefined; turn += 1) {
        const name = `sigkill-${writer}-${turn}`;
        const answer = await client
          .post(list, body(name), { 'idempotency-key': name })
          .catch(() => null);
        if (answer?.status === 201) acknowledged.add(name);
        if (acknowledged.size >= 30) killed ??= own.end('SIGKILL');
      }
    });
    await killed;
    for (const name of acknowledged) {
      const again = await at(0).post(list, body(name), { 'idempotency-key': name });
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    }
    expect((await at(1).post(list, body('after the kill'))).status).toBe(201);
  });
});

describe('decisions §10: --database-url', () => {
  it('decisions §10: SQLite is not touched, and no second process is refused', () => {
    expect(existsSync(join(dir.path, 'spotter.db'))).toBe(false);
  });

  it('decisions §10: what cannot be an address is a sentence that does not repeat it', async () => {
    const ended = await runCli(['--database-url', 'mysql://me:secret@host/x', '--port', '0']);
    expect([ended.code, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toContain('postgres://user:password@host:5432/database');
    expect(ended.stderr).not.toContain('secret');
  });

  it('decisions §10: a server that is not there is a sentence without the password', async () => {
    const ended = await runCli(['--database-url', 'postgres://me:secret@127.0.0.1:1/x']);
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toMatch(/could not start.*ECONNREFUSED/);
    expect(ended.stderr).not.toContain('secret');
  });
});
