/**
 * `--plain`: the reference API without our additions (decisions, everything marked [ours]). The client checks every response
 * against the plain OpenAPI document.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpointNames, endpoints } from '../../src/contract/rest/index.ts';
import { startTestService, type TestService } from '../support/service.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService({ plain: true, 'rate-limit': 1, 'allow-private-webhooks': true });
});
afterAll(() => t.stop());

const NEAR_MISSES = '~/incidents/near_misses';
const incidentOf = async (): Promise<number> =>
  (await t.demo.get(`${NEAR_MISSES}?per_page=1`)).json[0].incident_id as number;
const make = async (text: string, headers: Readonly<Record<string, string>> = {}) =>
  t.demo.post(
    NEAR_MISSES,
    { near_miss: { incident_id: await incidentOf(), description: text } },
    headers,
  );
const count = async (text: string): Promise<number> =>
  (await t.demo.get(`${NEAR_MISSES}?filters[query]=${encodeURIComponent(text)}`)).json.length;

/** An upload of these bytes, sent as one form post. */
const uploaded = async (bytes: string): Promise<string> => {
  const made = await t.demo.post(`/rest/v1.1/companies/${t.demo.company_id}/uploads`, {
    response_filename: 'photo.jpg',
    size: bytes.length,
  });
  const form = new FormData();
  for (const [name, value] of Object.entries(made.json.fields)) form.append(name, String(value));
  form.append('file', new Blob([bytes]), 'photo.jpg');
  expect((await fetch(made.json.url, { method: 'POST', body: form })).status).toBe(204);
  return made.json.uuid as string;
};

describe('--plain: endpoints', () => {
  const extensions = endpointNames.filter((name) => endpoints[name].extension);

  it('decisions §4, §5.9, §3.7: every endpoint of ours answers 404, as an address that is not there', async () => {
    expect(extensions.length).toBeGreaterThanOrEqual(7);
    for (const name of extensions) {
      const { method, path } = endpoints[name];
      const url = path
        .replaceAll('{company_id}', String(t.demo.company_id))
        .replaceAll('{project_id}', String(t.demo.project_id))
        .replaceAll(/\{\w+\}/g, '1');
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
      const answer = await t.demo.ask(method, url, body);
      expect([name, answer.status, answer.headers.get('allow')]).toEqual([name, 404, null]);
    }
  });

  it('decisions §10: the OpenAPI document has the endpoints of the reference and no word of ours', async () => {
    const text = await (await fetch(`${t.url}/openapi.json`)).text();
    expect(text).not.toMatch(
      /x-extension|"extension"|Idempotency|If-Match|ETag|upload_uuids?":\{.{0,40}x-/,
    );
    const { paths } = JSON.parse(text) as {
      paths: Record<string, Record<string, { operationId: string; responses: object }>>;
    };
    const names = Object.values(paths).flatMap((path) =>
      Object.values(path).map((operation) => operation.operationId),
    );
    expect(names.sort()).toEqual(endpointNames.filter((name) => !endpoints[name].extension).sort());
    const create = JSON.stringify(paths[endpoints['near_misses.create'].path]?.['post']);
    expect(create).not.toMatch(/upload_uuids|attachments/);
    expect(create).toContain('harm_source_id');
    const attach = JSON.stringify(
      paths[endpoints['time_and_material_entry_attachments.create'].path]?.['post'],
    );
    expect(attach).toContain('upload_uuids');
    expect(attach).not.toContain('created"');
    const upload = JSON.stringify(paths[endpoints['uploads.create'].path]?.['post']);
    expect(upload).not.toMatch(/max_segment_size|expires_at/);
  });
});

describe('--plain: headers', () => {
  it('decisions §1.5: Idempotency-Key is ignored: the same key twice makes two records', async () => {
    const key = { 'Idempotency-Key': 'same-key' };
    const first = await make('Plain twice', key);
    const second = await make('Plain twice', key);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.json.id).not.toBe(first.json.id);
    expect(second.headers.get('idempotency-replayed')).toBeNull();
    expect(await count('Plain twice')).toBe(2);
    // The key is not even validated.
    expect((await make('Plain odd key', { 'Idempotency-Key': 'not a key' })).status).toBe(201);
  });

  it('decisions §1.7: no ETag, and If-Match changes nothing', async () => {
    const { id } = (await make('Plain etag')).json;
    const shown = await t.demo.get(`${NEAR_MISSES}/${id}`);
    expect(shown.headers.get('etag')).toBeNull();
    const changed = await t.demo.patch(
      `${NEAR_MISSES}/${id}`,
      { near_miss: { description: 'Plain etag, changed' } },
      { 'If-Match': '"another"' },
    );
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, null]);
    expect(changed.json.description_plain_text).toBe('Plain etag, changed');
    const gone = await t.demo.delete(`${NEAR_MISSES}/${id}`, { 'If-Match': '"another"' });
    expect(gone.status).toBe(204);
  });

  it('decisions §1.8: no CORS header, whatever origins are listed', async () => {
    const own = await startTestService({ plain: true, 'allowed-origins': 'https://board.example' });
    try {
      const answer = await own.demo.get(NEAR_MISSES, { origin: 'https://board.example' });
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
        200,
        null,
      ]);
    } finally {
      await own.stop();
    }
  });

  it('decisions §1.6: no rate limit', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => t.demo.get(NEAR_MISSES)));
    expect(answers.map((one) => one.status)).toEqual([200, 200, 200]);
    expect(answers[0]?.headers.get('x-rate-limit-limit')).toBeNull();
  });
});

describe('--plain: fields', () => {
  it('decisions §3.7, §3.8: a near miss has no author, no attachments and ignores upload_uuids, in whatever form', async () => {
    const uuid = await uploaded('plain bytes 1');
    const made = await make('Plain photo');
    const path = `${NEAR_MISSES}/${made.json.id}`;
    for (const upload_uuids of [[uuid], ['unknown'], 7]) {
      const changed = await t.demo.patch(path, { near_miss: { upload_uuids } });
      expect([changed.status, 'attachments' in changed.json]).toEqual([200, false]);
    }
    for (const answer of [made, await t.demo.get(path)])
      for (const field of ['attachments', 'created_by'])
        expect(answer.json).not.toHaveProperty(field);
    const rows = (await t.demo.get(NEAR_MISSES)).json as { custom_fields: object }[];
    for (const row of rows)
      for (const field of ['attachments', 'created_by']) expect(row).not.toHaveProperty(field);
    const values = rows.flatMap(({ custom_fields }) => Object.values(custom_fields) as object[]);
    expect(values.length).toBeGreaterThan(0);
    for (const value of values) expect(Object.keys(value)).toEqual(['data_type', 'value']);
    // An ignored upload is still free to be attached elsewhere.
    const other = await t.demo.post('~/time_and_material_entry_attachments', {
      time_and_material_entry_id: await entryOf(),
      time_and_material_entry_attachment: { upload_uuids: [uuid] },
    });
    expect(other.status).toBe(201);
  });

  it('reference: an upload has uuid, url, fields and segments; a file goes to a time-and-material entry and is read back', async () => {
    const bytes = 'plain bytes 2';
    const made = await t.demo.post(`/rest/v1.1/companies/${t.demo.company_id}/uploads`, {
      response_filename: 'photo.jpg',
      segments: [{ size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }],
    });
    expect(Object.keys(made.json).sort()).toEqual(['fields', 'segments', 'url', 'uuid']);
    const uuid = await uploaded(bytes);
    const answer = await t.demo.post('~/time_and_material_entry_attachments', {
      time_and_material_entry_id: await entryOf(),
      time_and_material_entry_attachment: { upload_uuids: [uuid] },
    });
    expect(answer.status).toBe(201);
    expect(answer.json).not.toHaveProperty('created');
    expect(answer.json).toMatchObject({ filename: 'photo.jpg' });
    expect(await (await fetch(answer.json.url)).text()).toBe(bytes);
    const headers = { 'Proof-Nonce': 'a'.repeat(64) };
    expect(await (await fetch(answer.json.url, { headers })).text()).toBe(bytes);
    const shown = await t.demo.get(`~/time_and_material_entry_attachments/${answer.json.id}`);
    expect(shown.json).toMatchObject({ id: answer.json.id, filename: 'photo.jpg' });
  });

  it('decisions §9.2, §9.4: a hook shows no secret and no state of ours, and its notifications carry its own headers only', async () => {
    const heard: Record<string, unknown>[] = [];
    const bodies: Promise<unknown>[] = [];
    const endpoint = createServer((request, reply) => {
      heard.push(request.headers);
      bodies.push(json(request).finally(() => reply.end()));
    });
    await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
    const { port } = endpoint.address() as AddressInfo;
    try {
      const hook = await t.demo.post('/rest/v1.0/webhooks/hooks', {
        company_id: t.demo.company_id,
        hook: {
          destination_url: `http://127.0.0.1:${port}/`,
          destination_headers: { 'x-mine': 'abcdefgh' },
        },
      });
      expect(hook.status).toBe(201);
      for (const name of ['signing_secret', 'failing_since', 'disabled_at'])
        expect(hook.json).not.toHaveProperty(name);
      const listed = await t.demo.get(`/rest/v1.0/webhooks/hooks?company_id=${t.demo.company_id}`);
      expect(listed.json[0]).not.toHaveProperty('failing_since');
      const trigger = await t.demo.post(`/rest/v1.0/webhooks/hooks/${hook.json.id}/triggers`, {
        company_id: t.demo.company_id,
        api_version: 'v2',
        trigger: { resource_name: 'Near Misses', event_type: 'create' },
      });
      expect(trigger.status).toBe(201);
      await make('Plain notification');
      await expect.poll(() => heard.length).toBe(1);
      expect(heard[0]).toMatchObject({ 'x-mine': 'abcdefgh' });
      expect(Object.keys(heard[0] ?? {}).filter((name) => name.startsWith('webhook-'))).toEqual([]);
      expect(await bodies[0]).toHaveProperty('metadata', {});
    } finally {
      endpoint.closeAllConnections();
      await new Promise((resolve) => endpoint.close(resolve));
    }
  });
});

/** The reference has no endpoint that lists entries, so read the demo's first one from the database. */
const entryOf = async (): Promise<number> =>
  (
    await t.service.app.store.read
      .selectFrom('time_and_material_entries')
      .select('id')
      .where('company_id', '=', t.demo.company_id)
      .orderBy('id')
      .executeTakeFirstOrThrow()
  ).id;
