/**
 * Service accounts and the bearers that programs get for their secrets, over loopback, as RFC 6749 §4.4 and RFC 7009 have it
 * (decisions §12.8).
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type {
  NewServiceAccount,
  ServiceAccount,
  ServiceAccountSecret,
} from '../../src/contract/rest/access/service-accounts.ts';
import { webhookNotification } from '../../src/contract/rest/webhooks.ts';
import { anyCharacter } from '../support/any-character.ts';
import { clientOf, startTestService, type Client, type TestService } from '../support/service.ts';
import { makeHook, makeNearMiss, startEndpoint } from './webhooks/support.ts';
import { slow } from '../support/slow.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService({ 'enrolment-rate': 0, 'allow-private-webhooks': true });
});
afterAll(() => t.stop());

const ME = '/rest/v1.0/me';
const LIST = '~/incidents/near_misses';
const accounts = (of: Client = t.demo): string =>
  `/rest/v1.0/companies/${of.company_id}/service_accounts`;

const make = async (more: object = {}, by: Client = t.demo): Promise<NewServiceAccount> => {
  const service_account = { name: 'Crane telemetry', ...more };
  const made = await by.post(accounts(by), { service_account });
  expect([made.status, made.text]).toEqual([201, made.text]);
  return made.json as NewServiceAccount;
};

const rotate = async (id: number, body: object = {}): Promise<ServiceAccountSecret> => {
  const made = await t.demo.post(`${accounts()}/${id}/secret`, body);
  expect([made.status, made.text]).toEqual([201, made.text]);
  return made.json as ServiceAccountSecret;
};

interface Said {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

const FORM = 'application/x-www-form-urlencoded';

const send = async (
  path: string,
  body: BodyInit | undefined,
  headers: Readonly<Record<string, string>> = {},
  url = t.url,
): Promise<Said> => {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const said = (await answer.json()) as Said['body'];
  return { status: answer.status, headers: answer.headers, body: said };
};

type Secret = Pick<ServiceAccountSecret, 'client_id' | 'client_secret'>;
const grant = { grant_type: 'client_credentials' };

const ask = ({ client_id, client_secret }: Secret, more: object = {}, url = t.url) =>
  send(
    '/oauth/token',
    new URLSearchParams({ ...grant, client_id, client_secret, ...more }),
    {},
    url,
  );

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

const bearerOf = async (secret: Secret, at: Client = t.demo): Promise<Client> => {
  const given = await ask(secret);
  expect([given.status, given.body]).toEqual([200, given.body]);
  return clientOf(t.url, { ...at, token: String(given.body['access_token']) });
};

const statusOf = async (client: Client): Promise<number> => (await client.get(ME)).status;

describe('decisions §12.8: service accounts', () => {
  it('decisions §12.8: made with a name, a level and projects; listed without its secret; deleted', async () => {
    const { project_id } = t.demo;
    const made = await make({ level: 'reporter', project_ids: [project_id, project_id] });
    const { client_secret, ...shown } = made;
    expect(shown).toEqual({
      id: expect.any(Number),
      name: 'Crane telemetry',
      client_id: expect.stringMatching(/^account-[0-9a-f]{24}$/),
      level: 'reporter',
      project_ids: [project_id],
      created_at: expect.any(String),
      secrets: [{ ...shown.secrets[0], expires_at: null, last_used_at: null }],
    });
    expect((await make()).level).toBe('standard');
    const listed = await t.demo.get(accounts());
    expect(listed.json).toContainEqual(shown);
    expect(listed.text).not.toContain(client_secret);
    const stored = JSON.stringify(await t.database.query('select * from service_account_secrets'));
    expect(stored).toContain(`"user_id":${shown.id}`);
    expect(stored).not.toContain(client_secret);
    expect((await t.demo.delete(`${accounts()}/${made.id}`)).status).toBe(204);
    expect((await t.demo.get(accounts())).json).not.toContainEqual(shown);
    expect((await t.demo.delete(`${accounts()}/${made.id}`)).status).toBe(404);
    expect((await t.demo.post(`${accounts()}/${made.id}/secret`, {})).status).toBe(404);
  });

  it('decisions §12.8: a name is required, and projects are those of the company, but of an admin all', async () => {
    for (const [body, field] of [
      [{}, 'name'],
      [{ name: ' ' }, 'name'],
      [{ name: 'x', level: 'boss' }, 'level'],
      [{ name: 'x', project_ids: [t.other.project_id] }, 'project_ids'],
      [{ name: 'x', level: 'admin', project_ids: [t.demo.project_id] }, 'project_ids'],
    ] as const) {
      const refused = await t.demo.post(accounts(), { service_account: body });
      expect([refused.status, Object.keys(refused.json.errors)]).toEqual([
        422,
        [`service_account.${field}`],
      ]);
    }
  });

  it('decisions §12.8, §12.4: an account is no user: in no list, of no other company, and never the last admin', async () => {
    const made = await make({ level: 'admin' }, t.other);
    const users = `/rest/v1.0/companies/${t.other.company_id}/users`;
    const listed = (await t.other.get(users)).json as { id: number; login: string }[];
    expect(listed.map(({ id }) => id)).not.toContain(made.id);
    expect((await t.other.get(`${users}/${made.id}`)).status).toBe(404);
    expect((await t.other.get(`${users}/${made.id}/tokens`)).status).toBe(404);
    const me = (await t.other.get(ME)).json.id as number;
    const demoted = await t.other.patch(`${users}/${me}`, { user: { level: 'standard' } });
    expect([demoted.status, demoted.text.includes('without an admin')]).toEqual([422, true]);
    for (const by of [t.demo, t.other]) {
      const path = `/rest/v1.0/companies/${by.company_id}/users`;
      const added = await by.post(path, { user: { login: made.client_id, name: 'x' } });
      expect([added.status, Object.keys(added.json.errors)]).toEqual([422, ['user.login']]);
    }
    const code = await t.other.post(`/rest/v1.0/companies/${t.other.company_id}/enrolment_codes`, {
      enrolment_code: { user_id: made.id },
    });
    expect(code.status).toBe(422);
    const { people } = (await t.other.get('~/catalog')).json as { people: { login: string }[] };
    expect(people.map(({ login }) => login)).not.toContain(made.client_id);
  });

  it('decisions §12.8, §3.8: what a program writes names its account, also after the account was deleted', async () => {
    const made = await make({ level: 'reporter' });
    const program = await bearerOf(made);
    const { incidents } = (await t.demo.get('~/catalog')).json as {
      incidents: { id: number; private: boolean }[];
    };
    const incident_id = incidents.find((one) => !one.private)?.id;
    const near_miss = { incident_id, description: 'Wind over the limit' };
    const filed = await program.post(LIST, { near_miss });
    const author = { id: made.id, name: 'Crane telemetry', login: made.client_id };
    expect([filed.status, filed.json.created_by]).toEqual([201, author]);
    // Its level limits it as it limits a user.
    const { description } = near_miss;
    const changed = await program.patch(`${LIST}/${filed.json.id}`, {
      near_miss: { description: `${description}!` },
    });
    expect(changed.status).toBe(403);
    await t.demo.delete(`${accounts()}/${made.id}`);
    expect((await t.demo.get(`${LIST}/${filed.json.id}`)).json.created_by).toEqual(author);
  });

  it('decisions §12.8, §9.4: a webhook names in its metadata the client id of the account, and of a person none', async () => {
    const endpoint = await startEndpoint();
    onTestFinished(() => endpoint.close());
    const { id } = await makeHook(t.demo, endpoint.url, { triggers: [['Near Misses', 'create']] });
    const made = await make();
    const reports = [await makeNearMiss(await bearerOf(made)), await makeNearMiss(t.demo)];
    await expect.poll(() => endpoint.received.length).toBe(2);
    const me = (await t.demo.get(ME)).json.id as number;
    expect(endpoint.received.map(({ body }) => [body.resource_id, body.metadata])).toMatchObject([
      [reports[0], { source_user_id: made.id, source_application_id: made.client_id }],
      [reports[1], { source_user_id: me, source_application_id: null }],
    ]);
    for (const { body } of endpoint.received)
      expect(webhookNotification.safeParse(body).error).toBeUndefined();
    await t.demo.delete(`/rest/v1.0/webhooks/hooks/${id}`);
  });

  it('decisions §12.8: of two companies and of projects outside the list an account sees nothing', async () => {
    const made = await make({ project_ids: [] });
    const program = await bearerOf(made);
    const me = (await program.get(ME)).json;
    expect(me).toMatchObject({ login: made.client_id, projects: [] });
    expect(me.companies).toMatchObject([{ id: t.demo.company_id, project_ids: [] }]);
    expect((await program.get(LIST)).status).toBe(404);
    const elsewhere = { 'service-company-id': String(t.other.company_id) };
    expect((await program.get(ME, elsewhere)).status).toBe(403);
  });

  it('decisions §12.8, §12.2: only an admin sees and makes accounts', async () => {
    const { id } = await make();
    for (const level of ['read_only', 'reporter', 'standard'] as const) {
      const by = t.as(level);
      expect((await by.get(accounts())).status).toBe(403);
      const body = { service_account: { name: 'x' } };
      expect((await by.post(accounts(), body)).status).toBe(403);
      expect((await by.post(`${accounts()}/${id}/secret`, {})).status).toBe(403);
      expect((await by.delete(`${accounts()}/${id}`)).status).toBe(403);
    }
  });
});

describe('decisions §12.8: secrets', () => {
  it('decisions §12.8: during a rotation both secrets are valid; the old one and its bearers end with the overlap', async () => {
    const made = await make();
    const before = await bearerOf(made);
    const second = await rotate(made.id);
    const until = t.clock.now() + 86_400_000;
    expect(second).toEqual({
      client_id: made.client_id,
      client_secret: expect.any(String),
      previous_valid_until: new Date(until).toISOString(),
    });
    const after = await bearerOf(second);
    expect([await statusOf(before), await statusOf(after)]).toEqual([200, 200]);
    t.clock.advance(86_400_000 - 60_000);
    const short = await ask(made);
    expect([short.status, short.body['expires_in']]).toEqual([200, 60]);
    const shown = (await t.demo.get(accounts())).json as ServiceAccount[];
    expect(shown.find(({ id }) => id === made.id)?.secrets).toMatchObject([
      { expires_at: null },
      { expires_at: second.previous_valid_until, last_used_at: expect.any(String) },
    ]);
    t.clock.advance(60_000);
    const late = clientOf(t.url, { ...t.demo, token: String(short.body['access_token']) });
    expect([await statusOf(late), (await ask(made)).status]).toEqual([401, 401]);
    expect((await ask(second)).status).toBe(200);
  });

  it('failures S61, decisions §12.8: a secret that is rotated away ends at once, with its bearers and no others', async () => {
    const made = await make();
    const [first, other] = [await bearerOf(made), await bearerOf(await make())];
    const second = await rotate(made.id, { keep_previous: false });
    expect(second.previous_valid_until).toBeNull();
    expect([await statusOf(first), (await ask(made)).status]).toEqual([401, 401]);
    const kept = await bearerOf(second);
    const third = await rotate(made.id);
    expect(await statusOf(kept)).toBe(200);
    // A second rotation ends the secret before the last.
    const fourth = await rotate(made.id);
    expect([await statusOf(kept), (await ask(second)).status]).toEqual([401, 401]);
    expect([(await ask(third)).status, (await ask(fourth)).status]).toEqual([200, 200]);
    expect(await statusOf(other)).toBe(200);
  });

  it('decisions §12.8: deleting an account ends its bearers and its secrets at once', async () => {
    const made = await make();
    const program = await bearerOf(made);
    expect(await statusOf(program)).toBe(200);
    await t.demo.delete(`${accounts()}/${made.id}`);
    expect([await statusOf(program), (await ask(made)).status]).toEqual([401, 401]);
  });

  it('decisions §12.8: of bearers that are asked for while the secret is rotated away, none outlives it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const made = await make();
      const asked = Array.from({ length: 10 }, () => ask(made));
      const rotated = rotate(made.id, { keep_previous: false });
      const given = (await Promise.all(asked)).filter(({ status }) => status === 200);
      await rotated;
      for (const { body } of given) {
        const program = clientOf(t.url, { ...t.demo, token: String(body['access_token']) });
        expect(await statusOf(program)).toBe(401);
      }
    }
  });
});

describe('decisions §12.8: bearers', () => {
  it('decisions §12.8: a bearer of 90 minutes, by form, by Basic, in parts or as JSON; nobody keeps the answer', async () => {
    const { client_id, client_secret } = await make();
    const parts = new FormData();
    for (const [name, value] of Object.entries({ ...grant, client_id, client_secret }))
      parts.append(name, value);
    const json = { 'content-type': 'application/json' };
    for (const given of [
      await ask({ client_id, client_secret }),
      await send('/oauth/token', new URLSearchParams(grant), basic(client_id, client_secret)),
      await send(
        '/oauth/token',
        new URLSearchParams({ ...grant, client_id, scope: '' }),
        basic(encodeURIComponent(client_id), encodeURIComponent(client_secret)),
      ),
      await send('/oauth/token', parts),
      await send('/oauth/token', JSON.stringify({ ...grant, client_id, client_secret }), json),
    ]) {
      expect([given.status, given.body]).toEqual([
        200,
        {
          access_token: expect.stringMatching(/^spotter_[\w-]{43}$/),
          token_type: 'Bearer',
          expires_in: 5400,
          created_at: Math.floor(t.clock.now() / 1000),
        },
      ]);
      expect(given.headers.get('cache-control')).toBe('no-store');
      expect(given.headers.get('pragma')).toBe('no-cache');
      expect(given.headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
    const program = await bearerOf({ client_id, client_secret });
    t.clock.advance(90 * 60_000 - 1);
    expect(await statusOf(program)).toBe(200);
    t.clock.advance(1);
    expect(await statusOf(program)).toBe(401);
    // The next bearer takes the place of those that ended.
    await bearerOf({ client_id, client_secret });
    const kept = await t.database.query(
      `select count(*) as n from tokens t join users u on u.id = t.user_id where u.login = '${client_id}'`,
    );
    expect(Number(kept[0]?.['n'])).toBe(1);
  });

  it('decisions §12.8: refusals are those of RFC 6749 §5.2', async () => {
    const { client_id, client_secret } = await make();
    const all = { ...grant, client_id, client_secret };
    const form = (values: object) => new URLSearchParams(values as Record<string, string>);
    const json = { 'content-type': 'application/json' };
    const twice = `${form(all).toString()}&client_id=${client_id}`;
    for (const [body, headers, status, error] of [
      [form({ client_id, client_secret }), {}, 400, 'invalid_request'],
      [form({ ...all, grant_type: '' }), {}, 400, 'invalid_request'],
      [form({ ...all, grant_type: 'password' }), {}, 400, 'unsupported_grant_type'],
      [form({ ...all, grant_type: 'authorization_code' }), {}, 400, 'unsupported_grant_type'],
      [form({ ...all, scope: 'everything' }), {}, 400, 'invalid_scope'],
      [form({ ...all, client_secret: 'wrong' }), {}, 401, 'invalid_client'],
      [form({ ...all, client_id: 'wrong' }), {}, 401, 'invalid_client'],
      [form({ ...all, client_id: 'a\0b' }), {}, 401, 'invalid_client'],
      [form({ ...grant, client_id }), {}, 401, 'invalid_client'],
      [form(grant), {}, 401, 'invalid_client'],
      [form(grant), basic(client_id, 'wrong'), 401, 'invalid_client'],
      [form(grant), basic(client_id, '%'), 401, 'invalid_client'],
      [form(grant), { authorization: 'Basic eA==' }, 401, 'invalid_client'],
      [form(grant), { authorization: `Bearer ${t.demo.token}` }, 401, 'invalid_client'],
      [form(all), basic(client_id, client_secret), 400, 'invalid_request'],
      [form({ ...grant, client_id: 'x' }), basic(client_id, client_secret), 400, 'invalid_request'],
      [twice, { 'content-type': FORM }, 400, 'invalid_request'],
      ['{"grant_type":', json, 400, 'invalid_request'],
      ['[]', json, 400, 'invalid_request'],
      ['{"grant_type": 1}', json, 400, 'invalid_request'],
      ['x', { 'content-type': 'multipart/form-data; boundary=y' }, 400, 'invalid_request'],
      ['<xml/>', { 'content-type': 'text/xml' }, 400, 'invalid_request'],
      ['x='.padEnd(20_000, 'x'), { 'content-type': FORM }, 413, 'invalid_request'],
      [undefined, {}, 400, 'invalid_request'],
    ] as const) {
      const said = await send('/oauth/token', body, headers);
      expect([said.status, said.body['error']], String(body)).toEqual([status, error]);
      expect(String(said.body['error_description'])).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
      if (status === 413) expect(said.body['error_description']).toContain('16384 bytes');
      expect(said.headers.get('cache-control')).toBe('no-store');
      expect(said.headers.get('www-authenticate')).toBe(
        status === 401 ? 'Basic realm="Spotter"' : null,
      );
    }
  });

  slow(
    'decisions §12.8: any form of any bytes is refused with a code, and never with a 5xx',
    async () => {
      const types = fc.constantFrom(
        FORM,
        'application/json',
        'multipart/form-data; boundary=b',
        '',
      );
      const names = fc.constantFrom('grant_type', 'client_id', 'client_secret', 'token', 'scope');
      const value = fc.oneof(
        fc.constant('client_credentials'),
        fc.string({ unit: anyCharacter, maxLength: 20 }),
      );
      const bodies = fc.oneof(
        fc.string({ unit: anyCharacter, maxLength: 100 }),
        fc.dictionary(names, value).map((one) => new URLSearchParams(one).toString()),
        fc.dictionary(names, fc.oneof(value, fc.jsonValue())).map((one) => JSON.stringify(one)),
      );
      const path = fc.constantFrom('/oauth/token', '/oauth/revoke');
      await fc.assert(
        fc.asyncProperty(path, types, bodies, async (to, type, body) => {
          const { status, body: said } = await send(to, body, { 'content-type': type });
          expect([400, 401]).toContain(status);
          expect(said['error']).toMatch(
            /^(invalid_request|invalid_client|unsupported_grant_type|invalid_scope)$/,
          );
        }),
        { numRuns: 200 },
      );
    },
  );

  it('decisions §12.8: revoked by its client, also twice; one of somebody else is not (RFC 7009)', async () => {
    const made = await make();
    const program = await bearerOf(made);
    const { client_id, client_secret } = made;
    const revoke = (token: string, by: Secret = made, more: object = {}) =>
      send('/oauth/revoke', new URLSearchParams({ ...by, token, ...more } as never));
    const own = { client_id, client_secret };
    const other = await make();
    const theirs = { client_id: other.client_id, client_secret: other.client_secret };
    for (const token of [program.token, t.demo.token]) {
      const refused = await revoke(token, theirs);
      expect([refused.status, refused.body['error']]).toEqual([400, 'unauthorized_client']);
    }
    expect(await statusOf(program)).toBe(200);
    for (const token of [program.token, program.token, 'never given', 'a\0b']) {
      const done = await revoke(token, own, { token_type_hint: 'refresh_token' });
      expect([done.status, done.body]).toEqual([200, {}]);
      expect(done.headers.get('cache-control')).toBe('no-store');
    }
    expect([await statusOf(program), await statusOf(t.demo)]).toEqual([401, 200]);
    const nameless = await send('/oauth/revoke', new URLSearchParams({ token: 'x' }));
    expect([nameless.status, nameless.body['error']]).toEqual([401, 'invalid_client']);
    const empty = await send('/oauth/revoke', new URLSearchParams(own));
    expect([empty.status, empty.body['error']]).toEqual([400, 'invalid_request']);
  });

  it('decisions §12.8: a bearer makes no token, because that would outlive its secret', async () => {
    const program = await bearerOf(await make({ level: 'admin' }));
    const made = await program.post('/rest/v1.0/me/tokens', { token: { name: 'x' } });
    expect([made.status, made.text.includes('/oauth/token')]).toEqual([403, true]);
  });

  it('decisions §12.8: /oauth/token/info says whose token it is, and how long it is valid', async () => {
    const made = await make();
    const program = await bearerOf(made);
    t.clock.advance(60_000);
    const answer = await program.get('/oauth/token/info');
    expect(answer.json).toEqual({
      resource_owner_id: made.id,
      scope: [],
      expires_in: 5340,
      application: { uid: made.client_id },
      created_at: Math.floor(t.clock.now() / 1000) - 60,
    });
    const me = (await t.demo.get(ME)).json.id as number;
    expect((await t.demo.get('/oauth/token/info')).json).toMatchObject({
      resource_owner_id: me,
      expires_in: null,
      application: null,
    });
    const stranger = clientOf(t.url, { ...t.demo, token: 'nobody' });
    expect((await stranger.get('/oauth/token/info')).status).toBe(401);
  });

  it('decisions §12.8, §1.8: another method is a 405, and no page of another origin is answered', async () => {
    const open = await startTestService({ 'allowed-origins': 'https://board.example' });
    try {
      for (const path of ['/oauth/token', '/oauth/revoke']) {
        const got = await fetch(open.url + path);
        expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
        const origin = { origin: 'https://board.example' };
        const asked = await fetch(open.url + path, { method: 'POST', headers: origin });
        expect(asked.headers.get('access-control-allow-origin')).toBeNull();
      }
    } finally {
      await open.stop();
    }
  });

  it('decisions §12.8: with --plain there are neither accounts nor bearers', async () => {
    const plain = await startTestService({ plain: true });
    try {
      for (const path of ['/oauth/token', '/oauth/revoke']) {
        const answer = await fetch(plain.url + path, { method: 'POST' });
        expect([path, answer.status]).toEqual([path, 404]);
      }
      const document = await (await fetch(`${plain.url}/openapi.json`)).text();
      expect(document).not.toContain('oauth');
      expect(document).not.toContain('service_account');
    } finally {
      await plain.stop();
    }
  });
});

describe('decisions §12.8: limits', () => {
  it('decisions §12.8, §1.6: a secret is used as often as a token, then the answer is a 429', async () => {
    const strict = await startTestService({ 'rate-limit': 3 });
    try {
      const service_account = { name: 'x' };
      const made = (await strict.demo.post(accounts(strict.demo), { service_account }))
        .json as NewServiceAccount;
      const statuses = [];
      for (let at = 0; at < 4; at += 1) statuses.push((await ask(made, {}, strict.url)).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
      strict.clock.advance(60_000);
      expect((await ask(made, {}, strict.url)).status).toBe(200);
    } finally {
      await strict.stop();
    }
  });

  it('failures S61, decisions §12.8, §12.5: wrong secrets are limited by the address, right ones are not', async () => {
    const strict = await startTestService({ 'enrolment-rate': 3 });
    try {
      const service_account = { name: 'x' };
      const made = (await strict.demo.post(accounts(strict.demo), { service_account }))
        .json as NewServiceAccount;
      const wrong = { ...made, client_secret: 'wrong' };
      const guess = (secret: Secret) => ask(secret, {}, strict.url);
      for (let at = 0; at < 5; at += 1) expect((await guess(made)).status).toBe(200);
      const statuses = [];
      for (let at = 0; at < 4; at += 1) statuses.push((await guess(wrong)).status);
      expect(statuses).toEqual([401, 401, 401, 429]);
      const blocked = await guess(wrong);
      expect([blocked.status, blocked.body['error']]).toEqual([429, 'temporarily_unavailable']);
      expect(blocked.headers.get('retry-after')).toMatch(/^\d+$/);
      // Behind a proxy a stranger has the same address.
      expect((await guess(made)).status).toBe(200);
      const token = new URLSearchParams({ token: 'x', client_id: 'x', client_secret: 'x' });
      expect((await send('/oauth/revoke', token, {}, strict.url)).status).toBe(429);
      strict.clock.advance(60_000);
      expect((await guess(wrong)).status).toBe(401);
    } finally {
      await strict.stop();
    }
  });
});
