/** Corner cases of the API for a client written from its reference alone. */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../src/contract/rest/index.ts';
import { parseRange } from '../../src/service/files/reading.ts';
import { startTestService, type TestService } from '../support/service.ts';

let t: TestService;
let vendor: number;
beforeAll(async () => {
  t = await startTestService();
  vendor = (await t.demo.get('~/catalog')).json.vendors[0].id as number;
});
afterAll(() => t.stop());

const insurances = () => `~/vendors/${vendor}/insurances`;
const vendors = () => `/rest/v1.0/companies/${t.demo.company_id}/vendors`;
const FAR = String(Number.MAX_SAFE_INTEGER);

describe('pages', () => {
  it.each([
    '~/incidents/near_misses',
    '~/recycle_bin/incidents/near_misses',
    '~/incidents',
    '~/project_memberships',
    '~/time_and_material_entry_attachments',
  ])('decisions §2.2: the last page that there can be of %s is empty', async (list) => {
    const { status, json, headers } = await t.demo.get(`${list}?page=${FAR}&per_page=10000`);
    expect([status, json, headers.get('per-page')]).toEqual([200, [], '10000']);
  });

  it('decisions §2.2: so it is with a filter, a search and an order by name', async () => {
    const query = `page=${FAR}&per_page=10000&filters[query]=a&filters[harm_source_id]=1&sort=harm_source`;
    const { status, json } = await t.demo.get(`~/incidents/near_misses?${query}`);
    expect([status, json]).toEqual([200, []]);
  });
});

describe('one bad item of many', () => {
  it('decisions §8: an item of a sync with NUL or half a surrogate pair is an error item, the others are done', async () => {
    const made = await t.demo.post(insurances(), { insurance: { name: 'Kept', origin_id: 'K-1' } });
    const id = made.json.id as number;
    const { status, json } = await t.demo.ask('PATCH', `${insurances()}/sync`, {
      raw: `{"updates":[{"name":"A"},{"id":${id},"notes":"x\\u0000"},{"origin_id":"\\ud800","name":"B"},{"name":"C"}]}`,
    });
    expect(status).toBe(200);
    const names = (list: { insurance_provider: string }[]) =>
      list.map((one) => one.insurance_provider);
    expect(names(json.entities)).toEqual(['A', 'C']);
    const why = ['must be valid text without NUL'];
    expect(json.errors).toEqual([
      expect.objectContaining({ id, insurance_provider: 'Kept', errors: { notes: why } }),
      expect.objectContaining({ id: null, insurance_provider: 'B', errors: { origin_id: why } }),
    ]);
    expect((await t.demo.get(`${insurances()}/${id}`)).json.notes).toBeNull();
  });

  it('decisions §11.5: a row of an import with NUL is told beside the other bad rows', async () => {
    const raw = '"rows":[{"name":"a\\u0000"},{"name":""},{"name":"Good"}]';
    const errors = {
      'rows.0.name': ['must be valid text without NUL'],
      'rows.1.name': ['must not be empty'],
    };
    const ask = (body: string) => t.demo.ask('POST', `${vendors()}/import`, { raw: body });
    const dry = await ask(`{"dry_run":true,${raw}}`);
    expect([dry.status, dry.json]).toMatchObject([200, { created: 1, errors }]);
    const refused = await ask(`{${raw}}`);
    expect([refused.status, refused.json]).toEqual([422, { errors }]);
  });

  it('failures S23: a row may name a field as objects of JavaScript name theirs: it is unknown', async () => {
    const { status, json } = await t.demo.ask('POST', `${vendors()}/import`, {
      raw: '{"dry_run":true,"rows":[{"name":"a","constructor":1,"toString":2,"valueOf":null}]}',
    });
    expect(status).toBe(200);
    expect(Object.keys(json.errors as object)).toEqual(
      ['constructor', 'toString', 'valueOf'].map((name) => `rows.0.${name}`),
    );
  });
});

it.each(['9999-12-31T23:59:59-01:00', '0000-01-01T00:00:00+01:00'])(
  'decisions §4.1: a date that UTC cannot write in four digits is refused: %s',
  async (event_date) => {
    const made = await t.demo.post('~/incidents', { incident: { title: 'When', event_date } });
    expect([made.status, Object.keys(made.json.errors as object)]).toEqual([
      422,
      ['incident.event_date'],
    ]);
    for (const edge of ['9999-12-31T23:59:59Z', '0000-01-01T00:00:00Z']) {
      const kept = await t.demo.post('~/incidents', {
        incident: { title: 'Then', event_date: edge },
      });
      expect(Date.parse(kept.json.event_date as string)).toBe(Date.parse(edge));
    }
  },
);

it('decisions §5.8: a range may end as far beyond the file as a client likes', () => {
  expect(parseRange('bytes=2-18446744073709551615', 10)).toEqual({ start: 2, end: 9 });
  expect(parseRange('bytes=-18446744073709551615', 10)).toEqual({ start: 0, end: 9 });
  expect(parseRange('bytes=18446744073709551615-', 10)).toBe('unsatisfiable');
});

it('decisions §1.2: what a client expects and nobody knows is a 417 in the words of every error', async () => {
  const { hostname, port } = new URL(t.url);
  const headers = { Expect: 'miracles', Authorization: `Bearer ${t.demo.token}` };
  const sent = request({ hostname, port, path: '/rest/v1.0/me', headers }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = JSON.parse((await response.toArray()).join('')) as { errors: string[] };
  expect([response.statusCode, body.errors]).toEqual([
    417,
    [expect.stringContaining('100-continue')],
  ]);
  expect(response.headers['x-request-id']).toMatch(/./);
});

it('decisions §3.2: a description is sent back as it was answered, also where its text is longer as HTML', async () => {
  const incident_id = (await t.demo.get('~/catalog')).json.incidents[0].id as number;
  const made = await t.demo.post('~/incidents/near_misses', {
    near_miss: { incident_id, description: '&'.repeat(64 * 1024) },
  });
  const { id, description } = made.json as { id: number; description: string };
  const change = (near_miss: object) =>
    t.demo.patch(`~/incidents/near_misses/${id}`, { near_miss });
  const same = await change({ description });
  expect([same.status, same.json.updated_at]).toEqual([200, made.json.updated_at]);
  const longer = await change({ description: `${description}!` });
  expect([longer.status, Object.keys(longer.json.errors as object)]).toEqual([
    422,
    ['near_miss.description'],
  ]);
});

describe('methods and addresses', () => {
  /** Sent without the OpenAPI check: the document describes no answer for a missing method. */
  const other = async (method: string, path: string) => {
    const url = path.startsWith('http')
      ? path
      : t.url + path.replace(/^~/, `/rest/v1.0/projects/${t.demo.project_id}`);
    const response = await fetch(url, {
      method,
      headers: {
        Authorization: `Bearer ${t.demo.token}`,
        'Service-Company-Id': String(t.demo.company_id),
      },
    });
    return [response.status, response.headers.get('allow')];
  };

  it('decisions §1.2: a wrong method is a 405 also where the last word could be an id', async () => {
    expect(await other('PATCH', '~/incidents/near_misses')).toEqual([405, 'GET, HEAD, POST']);
    expect(await other('GET', `${insurances()}/sync`)).toEqual([405, 'PATCH']);
    expect(await other('DELETE', `${insurances()}/sync`)).toEqual([405, 'PATCH']);
    expect(await other('DELETE', '~/project_memberships/bulk_add')).toEqual([405, 'POST']);
    expect(await other('HEAD', '~/time_and_material_entry_attachments/bulk_destroy')).toEqual([
      405,
      'DELETE',
    ]);
    expect(await other('GET', `${vendors()}/import`)).toEqual([405, 'POST']);
    expect(await other('GET', `${insurances()}/other`)).toEqual([404, null]);
  });

  it('decisions §1.2: so it is for pages without a token and for signed addresses', async () => {
    expect(await other('POST', '/healthz')).toEqual([405, 'GET, HEAD']);
    expect(await other('DELETE', '/openapi.json')).toEqual([405, 'GET, HEAD']);
    const made = await t.demo.post(`/rest/v1.1/companies/${t.demo.company_id}/uploads`, {
      response_filename: 'a.jpg',
    });
    expect(await other('OPTIONS', made.json.url as string)).toEqual([405, 'POST']);
  });

  it('decisions §1.2: nothing where an id belongs is no address, whatever the method', async () => {
    for (const path of [
      '~/incidents/near_misses/',
      '~/incidents/near_misses//attachments/1',
      '~/recycle_bin/incidents/near_misses//restore',
      `${insurances()}/`,
      `${vendors()}/`,
      '/rest/v1.0/projects//catalog',
      '/rest/v1.0/webhooks/hooks//triggers',
      `/rest/v1.1/companies/${t.demo.company_id}/uploads/`,
    ])
      for (const method of ['GET', 'PATCH', 'DELETE'])
        expect(await other(method, path), `${method} ${path}`).toEqual([404, null]);
  });

  it('decisions §1.2: an id of hundreds of digits is a 404 like any other that is none', async () => {
    const path = `~/incidents/near_misses/${'9'.repeat(400)}`;
    expect(await other('GET', path)).toEqual([404, null]);
  });
});

describe('what an error says', () => {
  const said = async (path: string) =>
    Object.values((await t.demo.get(path)).json.errors as object)[0];

  it('decisions §1.2: a text, a number or a list that is too long or too large says how much may be', async () => {
    const list = '~/incidents/near_misses?filters';
    expect(await said(`${list}[query]=${'x'.repeat(501)}`)).toEqual([
      'must have at most 500 characters',
    ]);
    expect(
      await said(
        `/rest/v1.0/webhooks/hooks?company_id=${t.demo.company_id}&namespace=${'a'.repeat(101)}`,
      ),
    ).toEqual(['must have at most 100 characters']);
    const huge = await t.demo.ask('POST', '~/project_memberships', {
      raw: '{"project_membership":{"party_id":9007199254740993}}',
    });
    expect(huge.json.errors).toEqual({
      'project_membership.party_id': [`must be at most ${FAR}`],
    });
    const unnamed = await t.demo.post(`/rest/v1.1/companies/${t.demo.company_id}/uploads`, {
      response_filename: '',
    });
    expect(unnamed.json.errors).toEqual({ response_filename: ['must not be empty'] });
    const large = await t.demo.post('~/incidents', {
      incident: { title: 'x', description: 'x'.repeat(2_000_000) },
    });
    expect([large.status, large.json.errors[0]]).toEqual([
      413,
      expect.stringMatching(/at most \d+ bytes/),
    ]);
  });

  it('decisions §1.2, §2.4: a filter that is none says how one is written', async () => {
    const list = '~/incidents/near_misses?filters';
    expect(await said(`${list}=x`)).toEqual([expect.stringContaining('filters[name]=value')]);
    for (const range of ['2026-12-31...2026-01-01', '2026-02-30...', '31.12.2026...'])
      expect(await said(`${list}[created_at]=${range}`)).toEqual([
        expect.stringMatching(/YYYY-MM-DD.*YYYY-MM-DDTHH:MM:SSZ.*not after/),
      ]);
  });
});

it('decisions §2.1, §2.4, §9.4: the document says defaults, how a range is written, and what a hook is told', async () => {
  type Parameter = { readonly name: string; readonly schema: Record<string, unknown> };
  const document = (await (await fetch(`${t.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { parameters: Parameter[] }>>;
    webhooks: Record<string, { post: { parameters: Parameter[]; requestBody: object } }>;
    components: { schemas: Record<string, { properties: object }> };
  };
  const list = document.paths[endpoints['near_misses.list'].path]?.['get']?.parameters;
  const schema = (name: string) => list?.find((one) => one.name === name)?.schema;
  expect(schema('page')).toMatchObject({ type: 'integer', default: 1 });
  expect(schema('per_page')).toMatchObject({ type: 'integer', default: 100, maximum: 10_000 });
  expect(schema('filters[created_at]')?.['description']).toMatch(/YYYY-MM-DDTHH:MM:SSZ/);
  const told = document.webhooks['notification']?.post;
  expect(told?.parameters.map(({ name }) => name)).toEqual([
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ]);
  expect(JSON.stringify(told?.requestBody)).toContain('#/components/schemas/WebhookNotification');
  expect(document.components.schemas['WebhookNotification']?.properties).toHaveProperty('ulid');
});

it.each([
  'webhook_hooks.create',
  'vendors.update',
  'harm_sources.create',
  'custom_field_definitions.create',
  'incidents.create',
] as const)('decisions §10: the example of %s is a request that is taken', async (name) => {
  const { paths } = (await (await fetch(`${t.url}/openapi.json`)).json()) as {
    paths: Record<
      string,
      Record<string, { requestBody: { content: Record<string, { example: object }> } }>
    >;
  };
  const { method, status, path } = endpoints[name];
  const { content } = paths[path]?.[method.toLowerCase()]?.requestBody ?? {};
  const address = path
    .replace('{company_id}', String(t.demo.company_id))
    .replace('{project_id}', String(t.demo.project_id))
    .replace('{id}', String(vendor));
  const { json, ...answer } = await t.demo.ask(method, address, {
    body: content?.['application/json']?.example,
  });
  expect([answer.status, json.errors]).toEqual([status, undefined]);
});

it('decisions §9.4, §10: a plain document says what a hook is told, without headers of ours', async () => {
  const plain = await startTestService({ plain: true });
  try {
    const text = await (await fetch(`${plain.url}/openapi.json`)).text();
    expect(text).toContain('"WebhookNotification":{');
    expect(text).not.toMatch(/webhook-signature|signing_secret|X-Rate-Limit|Idempotency/i);
  } finally {
    await plain.stop();
  }
});

it('decisions §1.6: what a good token is refused for its company is counted, and says what is left', async () => {
  const limited = await startTestService({ 'rate-limit': 3 });
  try {
    const ask = (company: string) =>
      limited.demo.get('/rest/v1.0/me', { 'service-company-id': company });
    const answers = [
      await ask('x'),
      await ask('999'),
      await ask(String(limited.demo.company_id)),
      await ask('999'),
    ];
    expect(
      answers.map(({ status, headers }) => [status, headers.get('x-rate-limit-remaining')]),
    ).toEqual([
      [400, '2'],
      [403, '1'],
      [200, '0'],
      [429, '0'],
    ]);
  } finally {
    await limited.stop();
  }
});
