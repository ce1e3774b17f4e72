/** Small edge cases of the API that were once wrong. */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

let t: TestService;
let incident_id: number;
const list = '~/incidents/near_misses';
beforeAll(async () => {
  t = await startTestService();
  incident_id = (await t.demo.get('~/catalog')).json.incidents[0].id as number;
});
afterAll(() => t.stop());

it.each([
  ['if p<pmax then stop', 'if p<pmax then stop'],
  ['<p>load <5 t, a < b</p>', 'load <5 t, a < b'],
  ['<p>x<y</p><script>bad()</script> and <b>bold</b>', 'x<y\n and bold'],
  ['a <3 b<', 'a <3 b<'],
  ['cut <img src=x onerror=alert(1) ', 'cut <img src=x onerror=alert(1)'],
])(
  'decisions §3.2: a description with a < that opens no tag loses no text: %s',
  async (description, text) => {
    const made = await t.demo.post(list, { near_miss: { incident_id, description } });
    expect(made.json.description_plain_text.replace(/\n+/g, '\n')).toBe(text);
    expect(made.json.description).not.toMatch(/<(script|img)/);
  },
);

it.each([
  ['../../x.jpg', 'x.jpg'],
  ['C:\\photos\\x.jpg', 'x.jpg'],
  ['/', 'file'],
  ['..', 'file'],
  ['a b.jpg', 'a b.jpg'],
])('decisions §5.1: a stored file name keeps no path: %s', async (response_filename, kept) => {
  const { company_id } = t.demo;
  const made = await t.demo.post(`/rest/v1.1/companies/${company_id}/uploads`, {
    response_filename,
  });
  const fields = made.json.fields as Record<string, string>;
  expect(made.status).toBe(201);
  // The form's policy has the name under which the file is kept.
  const policy = Buffer.from(fields['policy'] ?? '', 'base64').toString('utf8');
  expect(policy).toContain(`"x-amz-meta-filename":${JSON.stringify(kept)}`);
});

it('decisions §9.2: the namespace of a hook in a PATCH is refused, and taken where it is the same', async () => {
  const hooks = '/rest/v1.0/webhooks/hooks';
  const made = await t.demo.post(hooks, {
    company_id: t.demo.company_id,
    hook: { destination_url: 'https://example.com/' },
  });
  expect(made.status, made.text).toBe(201);
  const change = (namespace: string) =>
    t.demo.patch(`${hooks}/${made.json.id}`, { hook: { namespace } });
  expect((await change('core')).status).toBe(200);
  const refused = await change('other');
  expect([refused.status, Object.keys(refused.json.errors as object)]).toEqual([
    422,
    ['hook.namespace'],
  ]);
});

it('decisions §9.3: what never happens to a record is not offered to a trigger', async () => {
  const offered = (await t.demo.get('/rest/v1.0/webhooks/resources')).json as {
    name: string;
    event_types: string[];
  }[];
  const of = (name: string) => offered.find((one) => one.name === name)?.event_types;
  expect(of('Incidents')).toEqual(['create', 'update']);
  expect(of('Project Memberships')).toEqual(['create', 'delete']);
  expect(of('Near Misses')).toEqual(['create', 'update', 'delete']);
});

it('decisions §2.4: filters[created_at] takes fractions of a second, to the millisecond', async () => {
  const made = await t.demo.post(list, { near_miss: { incident_id, description: 'fraction' } });
  const at = Date.parse(made.json.created_at as string);
  const total = async (from: number, to: number) => {
    const range = `${new Date(from).toISOString()}...${new Date(to).toISOString()}`;
    const answer = await t.demo.get(`${list}?filters[created_at]=${range}&filters[query]=fraction`);
    expect(answer.status, answer.text).toBe(200);
    return Number(answer.headers.get('total'));
  };
  expect([
    await total(at, at),
    await total(at + 1, at + 500),
    await total(at - 500, at - 1),
  ]).toEqual([1, 0, 0]);
});

it('decisions §1.2: a body of no bytes has no type, and where there is no route nothing is wrong with a body', async () => {
  const made = (await t.demo.post(list, { near_miss: { incident_id } })).json as { id: number };
  const path = `~/recycle_bin/incidents/near_misses/${made.id}/restore`;
  for (const type of [
    'application/x-www-form-urlencoded',
    'application/vnd.api+json',
    'application/json',
  ]) {
    expect((await t.demo.delete(`${list}/${made.id}`)).status).toBe(204);
    const restored = await t.demo.ask('PATCH', path, {
      raw: '',
      headers: { 'content-type': type },
    });
    expect(restored.status, `${type}: ${restored.text}`).toBe(200);
  }
  for (const method of ['GET', 'POST', 'PATCH', 'DELETE'] as const) {
    const unknown = await t.demo.ask(method, '/rest/v1.0/nothing/here', {
      headers: { 'content-type': 'application/json' },
    });
    expect([unknown.status, unknown.json], method).toEqual([404, { errors: ['Not found.'] }]);
  }
});

it('decisions §1.2: a packed body is a 415 that says so, and writes nothing', async () => {
  const total = async () => Number((await t.demo.get(list)).headers.get('total'));
  const before = await total();
  const raw = JSON.stringify({ near_miss: { incident_id, description: 'packed' } });
  for (const [encoding, bytes] of [
    ['gzip', gzipSync(raw)],
    ['br', brotliCompressSync(raw)],
    // Declared compressed, but not compressed.
    ['gzip', Buffer.from(raw)],
  ] as const) {
    const headers = { 'content-encoding': encoding };
    const refused = await t.demo.ask('POST', list, { raw: new Uint8Array(bytes), headers });
    expect([refused.status, refused.json.errors]).toEqual([
      415,
      [expect.stringContaining('Content-Encoding')],
    ]);
  }
  expect(await total()).toBe(before);
  const whole = await t.demo.ask('POST', list, {
    raw,
    headers: { 'content-encoding': 'identity' },
  });
  expect(whole.status, whole.text).toBe(201);
});
