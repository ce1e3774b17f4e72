/** Tokens, companies and errors: decisions §1.1-1.4, failures S22-S23, over real HTTP. matrix.test.ts covers S21. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawRequest } from '../support/raw-request.ts';
import { clientOf, startTestService, type TestService } from '../support/service.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const list = '~/incidents/near_misses';

describe('decisions §1.1: token and company', () => {
  it('decisions §1.1: no token, a wrong scheme and an unknown token are 401 (reference R-authentication-2)', async () => {
    const anonymous = await fetch(`${t.url}/rest/v1.0/me`, {
      headers: { 'service-company-id': '1' },
    });
    expect(anonymous.status).toBe(401);
    expect(anonymous.headers.get('www-authenticate')).toBe('Bearer');
    expect(await anonymous.json()).toEqual({ errors: [expect.stringContaining('access token')] });
    for (const authorization of ['Basic abc', 'Bearer', 'Bearer nope', 'Bearer a b'])
      expect((await t.demo.get('/rest/v1.0/me', { authorization })).status).toBe(401);
  });

  it('decisions §1.1: 401 comes before 400, and a stranger’s body is never parsed', async () => {
    const answer = await t.demo.ask('POST', list, {
      raw: '{"broken',
      headers: { authorization: 'Bearer nope', 'service-company-id': 'x' },
    });
    expect(answer.status).toBe(401);
  });

  it('decisions §1.1: Service-Company-Id missing or no positive integer is 400 (reference R-authentication-1)', async () => {
    // Only /me and /companies do without it (§4.3).
    const missing = await fetch(`${t.url}/rest/v1.0/companies/1/projects`, {
      headers: { authorization: `Bearer ${t.demo.token}` },
    });
    expect(missing.status).toBe(400);
    for (const company of ['0', '-1', 'abc', '1.5', '01', '1e3', '99999999999999999999'])
      expect((await t.demo.get('/rest/v1.0/me', { 'service-company-id': company })).status).toBe(
        400,
      );
  });

  it('decisions §1.1: a company that is not the user’s is 403 (reference R-authentication-3)', async () => {
    for (const company of [t.other.company_id, 4711])
      expect(
        (await t.demo.get('/rest/v1.0/me', { 'service-company-id': String(company) })).status,
      ).toBe(403);
  });

  it('decisions §1.1: a project of another company is 404 with the body of one that does not exist', async () => {
    const theirs = await t.demo.get(`/rest/v1.0/projects/${t.other.project_id}/incidents`);
    const none = await t.demo.get('/rest/v1.0/projects/4711/incidents');
    expect([theirs.status, none.status]).toEqual([404, 404]);
    expect(theirs.text).toBe(none.text);
  });

  it('decisions §1.1: the company in a path must be the header’s, else 403', async () => {
    for (const company of [t.other.company_id, 4711])
      expect(
        (
          await t.demo.post(`/rest/v1.1/companies/${company}/uploads`, {
            response_filename: 'a.jpg',
          })
        ).status,
      ).toBe(403);
  });
});

describe('decisions §1.2: errors', () => {
  it('decisions §1.2: unknown route 404, wrong method 405 with Allow', async () => {
    expect((await t.demo.get('/rest/v9/nothing')).status).toBe(404);
    const wrong = await t.demo.ask('PUT', list, { body: {} });
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get('allow')).toBe('GET, HEAD, POST');
    expect(wrong.json.errors).toHaveLength(1);
    expect((await t.demo.ask('POST', '~/incidents/7', { body: {} })).headers.get('allow')).toBe(
      'GET, HEAD, PATCH',
    );
  });

  it('decisions §1.2: an id in a path that is no positive integer in range is 404 (reference R-endpoints-3)', async () => {
    for (const id of ['0', '-1', 'abc', '1.5', '007', '1e3', '99999999999999999999', '%00'])
      expect((await t.demo.get(`${list}/${id}`)).status, id).toBe(404);
    expect((await t.demo.get('/rest/v1.0/projects/abc/incidents')).status).toBe(404);
  });

  it('decisions §1.2: malformed JSON 400, other content types 415, a large body 413 (reference R-endpoints-2)', async () => {
    expect((await t.demo.ask('POST', list, { raw: '{"near_miss":' })).status).toBe(400);
    for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded'])
      expect(
        (await t.demo.ask('POST', list, { raw: '{}', headers: { 'content-type': type } })).status,
      ).toBe(415);
    const large = JSON.stringify({ near_miss: { description: 'x'.repeat(1_100_000) } });
    const answer = await t.demo.ask('POST', list, { raw: large });
    expect(answer.status).toBe(413);
    expect(answer.json.errors).toEqual([expect.stringContaining('too large')]);
  });

  it('decisions §1.2: a request without a body has no type, however the client says that it is empty', async () => {
    const { token, company_id, project_id } = t.demo;
    const path = `/rest/v1.0/projects/${project_id}/incidents/near_misses/999999`;
    for (const length of ['', 'Content-Length: 00\r\n', 'Content-Length: 0\r\n'])
      expect(
        await rawRequest(
          t.service.port,
          `DELETE ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n` +
            `Service-Company-Id: ${company_id}\r\nContent-Type: text/plain\r\n${length}Connection: close\r\n\r\n`,
        ),
        length,
      ).toMatch(/^HTTP\/1.1 404/);
  });

  it('decisions §1.2: validation is a 422 with dotted fields, every one of them', async () => {
    const answer = await t.demo.post(list, {
      near_miss: { incident_id: 'x', description: 5, harm_source_id: -1 },
    });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.json.errors).sort()).toEqual([
      'near_miss.description',
      'near_miss.harm_source_id',
      'near_miss.incident_id',
    ]);
  });

  it('decisions §1.2: a bad query parameter is a 422 on its name', async () => {
    const answer = await t.demo.get(`${list}?incident_id=abc`);
    expect(answer.status).toBe(422);
    expect(answer.json).toEqual({ errors: { incident_id: ['must be a positive integer'] } });
  });

  it('decisions §1.2: X-Request-Id is on every answer, and echoed when it is sane', async () => {
    const echoed = await t.demo.get('/rest/v1.0/me', { 'x-request-id': 'abc-123' });
    expect(echoed.headers.get('x-request-id')).toBe('abc-123');
    for (const path of ['/rest/v1.0/me', '/nope', '/healthz']) {
      const answer = await t.demo.get(path, { 'x-request-id': 'a b<>'.repeat(40) });
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('decisions §1.2: an address that does not decode is 404, and still says its request id', async () => {
    const answer = await t.demo.get('/rest/v1.0/projects/%ff/incidents');
    expect([answer.status, answer.json]).toEqual([404, { errors: ['Not found.'] }]);
    expect(answer.headers.get('x-request-id')).toBeTruthy();
  });
});

describe('decisions §1.3-1.4: bodies and statuses', () => {
  it('decisions §1.3: a missing required object is a 422 on its name (reference R-near-misses-23)', async () => {
    for (const body of [{}, { near_miss: null }, { near_miss: [] }, [], 'x', null])
      expect((await t.demo.post(list, body)).json.errors).toHaveProperty('near_miss');
    const empty = await t.demo.ask('POST', list);
    expect([empty.status, empty.json]).toEqual([422, { errors: { near_miss: ['is required'] } }]);
    expect((await t.demo.post('~/incidents', {})).json.errors).toHaveProperty('incident');
  });

  it('decisions §1.3, failures S22: unknown fields are ignored, read-only fields change nothing', async () => {
    const made = await t.demo.post(list, {
      surprise: true,
      near_miss: {
        incident_id: 1,
        description: 'read-only',
        id: 1,
        number: 9999,
        full_number: 'x',
        company_id: t.other.company_id,
        project_id: t.other.project_id,
        type: 'injury',
        recordable: true,
        created_at: '2001-01-01T00:00:00Z',
        updated_at: '2001-01-01T00:00:00Z',
        deleted_at: '2001-01-01T00:00:00Z',
        incident_created_by: { id: 99 },
        attachments: [{ id: 1 }],
        unknown: 'x',
      },
    });
    expect(made.status).toBe(201);
    expect(made.json.number).toBeLessThan(9999);
    expect(made.json).toMatchObject({
      type: 'near_miss',
      recordable: false,
      deleted_at: null,
      attachments: [],
      created_at: new Date(t.clock.now()).toISOString(),
    });
    const changed = await t.demo.patch(`${list}/${made.json.id}`, {
      near_miss: { id: 2, number: 7, created_at: '2001-01-01T00:00:00Z', deleted_at: 'x' },
    });
    expect(changed.json).toEqual(made.json);
  });

  it('decisions §1.3: an unknown custom_field_<id> is a 422', async () => {
    for (const key of ['custom_field_4711', 'custom_field_', 'custom_field_x', 'custom_field_01']) {
      const answer = await t.demo.post(list, { near_miss: { incident_id: 1, [key]: 'x' } });
      expect(answer.status, key).toBe(422);
      expect(answer.json.errors).toHaveProperty([`near_miss.${key}`]);
    }
  });

  it('decisions §1.4: create 201, show, update, list and restore 200, delete 204 without a body', async () => {
    const made = await t.demo.post(list, { near_miss: { incident_id: 1 } });
    const one = `${list}/${made.json.id}`;
    const statuses = [
      made.status,
      (await t.demo.get(one)).status,
      (await t.demo.patch(one, { near_miss: { description: 'a' } })).status,
      (await t.demo.get(list)).status,
    ];
    const deleted = await t.demo.delete(one);
    const restored = await t.demo.ask(
      'PATCH',
      `~/recycle_bin/incidents/near_misses/${made.json.id}/restore`,
    );
    expect([...statuses, deleted.status, restored.status]).toEqual([201, 200, 200, 200, 204, 200]);
    expect(deleted.text).toBe('');
  });
});

describe('failures S23: hostile bodies are refused and never a 5xx', () => {
  const create = (raw: string | Uint8Array<ArrayBuffer>) => t.demo.ask('POST', list, { raw });

  it('failures S23: __proto__, deep nesting, invalid UTF-8 and 1e400', async () => {
    expect((await create('{"near_miss":{"incident_id":1,"__proto__":{"a":1}}}')).status).toBe(400);
    const escaped = String.raw`{"near_miss":{"incident_id":1,"\u005f_proto__":{"a":1}}}`;
    expect((await create(escaped)).status).toBe(400);
    expect((await create('['.repeat(100_000) + ']'.repeat(100_000))).status).toBe(400);
    expect((await create(new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]))).status).toBe(400);
    expect((await create('{"near_miss":{"incident_id":1e400}}')).status).toBe(422);
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  it('failures S23: NUL and half a surrogate pair are a 422 on their field', async () => {
    for (const text of [String.raw`a\u0000b`, String.raw`\ud800`, String.raw`\udc00x`]) {
      const answer = await create(`{"near_miss":{"incident_id":1,"description":"${text}"}}`);
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([
        422,
        ['near_miss.description'],
      ]);
    }
    expect((await t.demo.get(`${list}?filters[query]=a%00b`)).json.errors).toHaveProperty([
      'filters.query',
    ]);
    const whole = await create(
      String.raw`{"near_miss":{"incident_id":1,"description":"\ud83d\ude00"}}`,
    );
    expect(whole.json.description).toBe('😀');
  });

  it('failures S23: very many names in a body are read in bounded time', async () => {
    const names = Array.from({ length: 80_000 }, (_, index) => `"k${index}":1`).join(',');
    const answer = await create(`{"near_miss":{"incident_id":1,${names}}}`);
    expect(answer.status).toBe(201);
  });

  it('failures S8, S9: garbage instead of HTTP, and headers without end, are answered with 4xx and closed', async () => {
    expect(await rawRequest(t.service.port, 'NOT HTTP\r\n\r\n')).toMatch(
      /^HTTP\/1.1 400.*\{"errors":\[/s,
    );
    const many = `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(40_000)}\r\n\r\n`;
    expect(await rawRequest(t.service.port, many)).toMatch(/^HTTP\/1.1 431.*\{"errors":\[/s);
  });

  it('decisions §1.1: the other company’s user works in its own company as the demo user does', async () => {
    const me = await clientOf(t.url, t.other).get('/rest/v1.0/me');
    expect(me.json.companies).toMatchObject([
      { id: t.other.company_id, name: 'Calder Valley Builders' },
    ]);
  });
});
