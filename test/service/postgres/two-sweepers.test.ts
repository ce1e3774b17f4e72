/**
 * Two service processes on one PostgreSQL and one data folder sweep at the same time: each item is deleted once, neither fails,
 * and nothing that a row references is touched.
 */
import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Upload } from '../../../src/contract/rest/uploads.ts';
import { databaseOf } from '../../support/database.ts';
import {
  bareDemo,
  clientOf,
  spawnService,
  tempDir,
  type ServiceProcess,
} from '../../support/service.ts';
import { until } from '../webhooks/support.ts';

const dir = tempDir('two-sweepers');
const argv = bareDemo(dir.path, '--upload-sweep-interval=50ms', '--log-level=info');
const parts = join(dir.path, 'files', 'parts');

/** More than two batches of each. */
const MANY = 450;
const EXPIRED = 60;

/** Files without a row, days old. */
const makeOrphans = (): readonly string[] =>
  Array.from({ length: MANY }, () => {
    const uuid = randomUUID();
    mkdirSync(join(parts, uuid.slice(0, 2)), { recursive: true });
    const path = join(parts, uuid.slice(0, 2), `${uuid}.form-x`);
    writeFileSync(path, 'nobody’s');
    utimesSync(path, 1, 1);
    return uuid;
  });

const makeOldKeys = async (): Promise<void> => {
  const { query } = await databaseOf(dir.path);
  const values = Array.from(
    { length: MANY },
    (_, n) => `(1, 1, 'POST', '/x', 'old-${n}', 'f', 201, '{}', '{}', ${n})`,
  );
  await query(
    `insert into idempotency_keys
       (company_id, user_id, method, path, key, fingerprint, status, body, headers, created_at)
     values ${values.join()}`,
  );
};

/** A very old photo that a record references, and expired unused uploads. */
const makeUploads = async (service: ServiceProcess) => {
  const client = clientOf(service.first.url, service.first);
  const path = `/rest/v1.1/companies/${client.company_id}/uploads`;
  const create = async () =>
    (await client.post(path, { response_filename: 'a.txt' })).json as Upload;
  const used = await create();
  const form = new FormData();
  for (const [name, value] of Object.entries(used.fields ?? {})) form.set(name, value);
  form.set('file', new Blob(['kept']));
  expect((await fetch(used.url ?? '', { method: 'POST', body: form })).status).toBe(204);
  const near_miss = { incident_id: 1, upload_uuids: [used.uuid] };
  const made = await client.post('~/incidents/near_misses', { near_miss });
  expect(made.status).toBe(201);
  const expired = await Promise.all(
    Array.from({ length: EXPIRED }, async () => (await create()).uuid),
  );
  const { query } = await databaseOf(dir.path);
  await query(`update uploads set expires_at = 1 where uuid in ('${expired.join("','")}')`);
  return { record: made.json.id as number, used: used.uuid, expired };
};

const filesOf = (uuid: string): readonly string[] => {
  const folder = join(parts, uuid.slice(0, 2));
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(uuid)) : [];
};

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly upload?: string;
  readonly deleted?: number;
}

let orphans: readonly string[];
let uploads: Awaited<ReturnType<typeof makeUploads>>;
let processes: readonly ServiceProcess[] = [];
const said = (): readonly Line[] =>
  processes.flatMap((one) =>
    one
      .stderr()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line),
  );
const sum = (msg: string): number =>
  said().reduce((all, line) => all + (line.msg === msg ? (line.deleted ?? 0) : 0), 0);

beforeAll(async () => {
  // First one process alone, without sweeps: it creates what the two will find.
  const first = await spawnService(bareDemo(dir.path, '--upload-sweep-interval=1h'));
  uploads = await makeUploads(first);
  expect((await first.end()).code).toBe(0);
  orphans = makeOrphans();
  for (const name of filesOf(uploads.used))
    utimesSync(join(parts, uploads.used.slice(0, 2), name), 1, 1);
  await makeOldKeys();
  processes = await Promise.all([spawnService(argv), spawnService(argv)]);
  await until(() => orphans.every((uuid) => filesOf(uuid).length === 0), 'all orphans gone');
  await until(() => sum('idempotency keys swept') >= MANY, 'all keys gone');
  await until(() => sum('uploads swept') >= EXPIRED, 'all uploads gone');
  // Stopping waits for a running sweep, so afterwards everything is logged.
  for (const { code } of await Promise.all(processes.map((one) => one.end()))) expect(code).toBe(0);
});
afterAll(async () => {
  await Promise.all(processes.map((one) => one.end()));
  dir.remove();
});

describe('two processes sweep at once', () => {
  it('decisions §5.6: nobody fails or warns', () => {
    expect(said().filter(({ level }) => level >= 40)).toEqual([]);
  });

  it('decisions §5.6: each orphan file is deleted by one of them', () => {
    const told = said().flatMap((line) =>
      line.msg === 'orphan files deleted' && line.upload !== undefined ? [line.upload] : [],
    );
    expect([...told].sort()).toEqual([...orphans].sort());
  });

  it('decisions §5.6, §9.3: each expired upload is deleted once, and one event says so', async () => {
    expect(sum('uploads swept')).toBe(EXPIRED);
    const { query } = await databaseOf(dir.path);
    const events = await query(
      "select resource_uuid from events where resource_name = 'Company Uploads' and event_type = 'delete'",
    );
    expect(events.map((row) => String(row['resource_uuid'])).sort()).toEqual(
      [...uploads.expired].sort(),
    );
  });

  it('decisions §1.5: each old idempotency key is deleted once', async () => {
    expect(sum('idempotency keys swept')).toBe(MANY);
    const { query } = await databaseOf(dir.path);
    expect(await query("select key from idempotency_keys where key like 'old-%'")).toEqual([]);
  });

  it('decisions §5.6: what a record has, and the demo’s documents, are all there', async () => {
    const service = await spawnService(argv);
    const client = clientOf(service.first.url, service.first);
    const shown = await client.get(`~/incidents/near_misses/${uploads.record}`);
    const [photo] = shown.json.attachments as { url: string }[];
    expect(await (await fetch(photo?.url ?? '')).text()).toBe('kept');
    const { query } = await databaseOf(dir.path);
    const kept = await query('select storage_key, size, sha256 from stored_files');
    expect(kept.length).toBeGreaterThan(1);
    for (const { storage_key, sha256 } of kept) {
      const [uuid = '', name = ''] = String(storage_key).split('/');
      const bytes = readFileSync(join(parts, uuid.slice(0, 2), `${uuid}.${name}`));
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    }
    await service.end();
  });
});
