/** Attacks on users, tokens and levels, each through real requests (decisions §12). */
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { mintToken } from '../../src/service/domain/tokens.ts';
import { eventually } from '../support/eventually.ts';
import { rawConnection } from '../support/raw-request.ts';
import { clientOf, startTestService, type Client, type TestService } from '../support/service.ts';
import { readOn, type Row } from './following-race.ts';
import {
  accessUsers,
  companyPath,
  LIST,
  ME,
  statusOf,
  TOKENS,
  type AddedUser,
} from './access-users.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService({ 'enrolment-rate': 1000 });
});
afterAll(() => t.stop());

const { codeFor, exchange, enrol, addUser, addLogin, change } = accessUsers(() => t);

const withToken = (of: Client, token: unknown): Client =>
  clientOf(t.url, { ...of, token: String(token) });

const create = (by: Client, token: object = {}) =>
  by.post(TOKENS, { token: { name: 'x', ...token } });

/** A token of a user for all companies, as `--demo` and the embedded service make them. */
const unlimited = async (of: Client, user_id: number): Promise<Client> =>
  withToken(
    of,
    await t.service.app.store.write((tx) => mintToken(tx, user_id, t.clock.now(), { name: 'all' })),
  );

const idOfToken = async (client: Client): Promise<string> =>
  (await client.get(ME)).json.token.id as string;

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

/** How a token answers in another company than its client's. */
const statusIn = async (client: Client, { company_id }: Client): Promise<number> =>
  (await client.get(ME, { 'service-company-id': String(company_id) })).status;

describe('failures S71: an admin adds the login of another company’s user', () => {
  it('failures S71, decisions §12.6: a code for that user shows and ends no token of the first company', async () => {
    const user = await addUser({ level: 'admin' });
    const everywhere = await unlimited(user, user.id);
    const target = await idOfToken(everywhere);
    await addLogin(t.other, user.login);
    const stolen = await enrol(user.id, t.other);
    expect(idsOf((await stolen.get(TOKENS)).json)).toEqual([await idOfToken(stolen)]);
    expect((await stolen.delete(`${TOKENS}/${target}`)).status).toBe(404);
    const path = `${companyPath(t.other)}/users/${user.id}/tokens`;
    expect((await t.other.delete(`${path}/${target}`)).status).toBe(404);
    expect(await statusOf(everywhere)).toBe(200);
    // Its user sees and ends it by a token of the same kind.
    expect(idsOf((await everywhere.get(TOKENS)).json)).toContain(target);
    expect((await everywhere.delete(`${TOKENS}/${target}`)).status).toBe(204);
    expect(await statusOf(everywhere)).toBe(401);
  });

  it('failures S71, decisions §12.6: the first company still sees and ends its tokens, which count in no other', async () => {
    const user = await addUser();
    const everywhere = await unlimited(user, user.id);
    const target = await idOfToken(everywhere);
    await addLogin(t.other, user.login, 'admin');
    expect([await statusOf(everywhere), await statusIn(everywhere, t.other)]).toEqual([200, 403]);
    const path = `${companyPath(t.demo)}/users/${user.id}/tokens`;
    expect(idsOf((await t.demo.get(path)).json)).toContain(target);
    expect((await t.demo.delete(`${path}/${target}`)).status).toBe(204);
    expect(await statusOf(everywhere)).toBe(401);
  });
});

describe('failures S72: a user of two companies is deactivated in one', () => {
  const ofTwo = async (): Promise<{ user: AddedUser; everywhere: Client }> => {
    const user = await addUser();
    await addLogin(t.other, user.login);
    t.clock.advance(1);
    const everywhere = await unlimited(user, user.id);
    expect([await statusOf(everywhere), await statusIn(everywhere, t.other)]).toEqual([200, 200]);
    return { user, everywhere };
  };

  it('failures S72, decisions §12.4: a token of all companies ends there for good, and stays in the other', async () => {
    const { user, everywhere } = await ofTwo();
    for (const active of [false, true]) {
      expect((await change(user.id, { active })).status).toBe(200);
      expect(await statusOf(everywhere), `active: ${active}`).toBe(403);
      expect(await statusIn(everywhere, t.other)).toBe(200);
      expect((await everywhere.get(LIST)).status).toBe(403);
    }
    expect(await statusOf(await enrol(user.id))).toBe(200);
    t.clock.advance(1);
    expect(await statusOf(await unlimited(user, user.id))).toBe(200);
  });

  it('failures S72, decisions §12.4: one that counts in no company any more is gone', async () => {
    const { user, everywhere } = await ofTwo();
    await change(user.id, { active: false });
    await change(user.id, { active: true });
    await change(user.id, { active: false }, t.other);
    expect([await statusOf(everywhere), await statusIn(everywhere, t.other)]).toEqual([401, 401]);
    expect(await t.database.query(`select * from tokens where user_id = ${user.id}`)).toEqual([]);
  });

  it('failures S72, decisions §12.4: a token that is made at the same time ends too, and so does that of a code', async () => {
    const user = await addUser();
    const codes = [await codeFor(user.id), await codeFor(user.id)];
    const made = codes.map(async (code) => exchange(code).then((one) => one.json()));
    const asked = Array.from({ length: 20 }, async () => (await create(user)).json);
    const ended = change(user.id, { active: false });
    const late = Array.from({ length: 20 }, async () => (await create(user)).json);
    const answers = (await Promise.all([...made, ...asked, ...late])) as { token?: string }[];
    expect((await ended).status).toBe(200);
    await change(user.id, { active: true });
    const tokens = answers.flatMap(({ token }) => token ?? []);
    const statuses = await Promise.all(tokens.map((token) => statusOf(withToken(user, token))));
    expect(statuses.filter((status) => status !== 401)).toEqual([]);
    const left = await t.database.query(`select * from tokens where user_id = ${user.id}`);
    expect(left).toEqual([]);
  });

  it('failures S72, S25, decisions §12.4: one that was made while the clock was ahead ends too', async () => {
    const user = await addUser();
    await addLogin(t.other, user.login);
    t.clock.advance(3_600_000);
    const everywhere = await unlimited(user, user.id);
    t.clock.advance(-3_600_000);
    await change(user.id, { active: false });
    await change(user.id, { active: true });
    expect(await statusOf(everywhere)).toBe(403);
  });
});

describe('failures S73: a token of a program makes another one', () => {
  it('failures S73, decisions §12.6: it has the level of the first, also after its user rises', async () => {
    const user = await addUser({ level: 'standard' });
    const program = withToken(user, (await create(user, { level: 'standard' })).json.token);
    const heir = (await create(program)).json;
    expect(heir.level).toBe('standard');
    await change(user.id, { level: 'admin' });
    const levelOf = async (client: Client) => (await client.get(ME)).json.companies[0].level;
    expect(await levelOf(withToken(user, heir.token))).toBe('standard');
    expect([await levelOf(program), await levelOf(user)]).toEqual(['standard', 'admin']);
    expect((await create(user)).json.level).toBeNull();
  });
});

describe('failures S74: a user comes after an incident became private', () => {
  /** Everything that a client learns from the list, also of what it may not see. */
  const learnt = async (client: Client, path: string): Promise<readonly Row[]> => {
    const seen = new Map<number, Row>();
    await readOn(client, null, seen, { path });
    return [...seen.values()];
  };
  const hide = async (): Promise<{ incident: number; id: number }> => {
    const made = await t.demo.post('~/incidents', { incident: { title: 'Open at first' } });
    const incident = made.json.id as number;
    const near_miss = { incident_id: incident, description: 'x' };
    const id = (await t.demo.post(LIST, { near_miss })).json.id as number;
    const hidden = await t.demo.patch(`~/incidents/${incident}`, { incident: { private: true } });
    expect(hidden.status).toBe(200);
    return { incident, id };
  };

  it('failures S74, decisions §14.4: a user whom another company had before learns nothing of it', async () => {
    const { id: user_id, login } = (await t.other.get(ME)).json.user;
    const { incident, id } = await hide();
    await addLogin(t.demo, login);
    const late = await enrol(user_id);
    for (const [path, secret] of [
      [LIST, id],
      ['~/incidents', incident],
    ] as const)
      expect((await learnt(late, path)).map((row) => row.id)).not.toContain(secret);
  });

  it('failures S74, decisions §14.4: nor does one who was deactivated then; one who was there learns the ids', async () => {
    const [away, there] = [await addUser(), await addUser()];
    await change(away.id, { active: false });
    const { id } = await hide();
    await change(away.id, { active: true });
    const back = await enrol(away.id);
    expect((await learnt(back, LIST)).map((row) => row.id)).not.toContain(id);
    expect(await learnt(there, LIST)).toContainEqual({ id, deleted_at: expect.any(String) });
  });
});

describe('failures S75: a reporter’s token repeats the key of a higher one', () => {
  it('failures S75, decisions §12.2: it gets nothing of a report of somebody else; a higher one gets the answer again', async () => {
    const user = await addUser({ level: 'admin' });
    const reporter = withToken(user, (await create(user, { level: 'reporter' })).json.token);
    const incident_id = (await t.demo.get('~/catalog')).json.incidents[0].id as number;
    const body = { near_miss: { incident_id, description: 'A secret' } };
    const { id } = (await t.demo.post(LIST, body)).json as { id: number };
    expect((await reporter.get(`${LIST}/${id}`)).status).toBe(404);
    const key = { 'idempotency-key': 'of-a-higher-token' };
    const update = { near_miss: { description: 'A secret, mended' } };
    const first = await user.patch(`${LIST}/${id}`, update, key);
    expect((await user.patch(`${LIST}/${id}`, update, key)).text).toBe(first.text);
    const replayed = await reporter.patch(`${LIST}/${id}`, update, key);
    expect([replayed.status, replayed.text.includes('secret')]).toEqual([422, false]);
    const alone = await reporter.patch(`${LIST}/${id}`, update, { 'idempotency-key': 'another' });
    expect(alone.status).toBe(404);
    const operations = [
      {
        method: 'PATCH',
        path: `${LIST}/${id}`.replace('~', `/rest/v1.0/projects/${user.project_id}`),
        idempotency_key: 'of-a-higher-token',
        body: update,
      },
    ];
    const batch = await reporter.post('/rest/v1.0/batch', { operations });
    expect([batch.json.operations[0].status, batch.text.includes('secret')]).toEqual([422, false]);
  });

  it('failures S75, decisions §1.5: a create is the user’s own report at every level, and is replayed', async () => {
    const user = await addUser();
    const incident_id = (await t.demo.get('~/catalog')).json.incidents[0].id as number;
    const body = { near_miss: { incident_id, description: 'Sent before the demotion' } };
    const key = { 'idempotency-key': 'before-the-demotion' };
    const first = await user.post(LIST, body, key);
    await change(user.id, { level: 'reporter' });
    const again = await user.post(LIST, body, key);
    expect([again.status, again.json.id]).toEqual([201, first.json.id]);
  });
});

describe('failures S77: an admin who is deactivated or demoted leaves codes for others', () => {
  const codesOf = async (by: Client = t.demo) =>
    (await t.demo.get(`${companyPath(by)}/enrolment_codes`)).json as {
      user: { id: number };
      created_by: { id: number; name: string };
    }[];

  it.each([
    ['deactivated', { active: false }],
    ['demoted', { level: 'standard' }],
  ] as const)(
    'failures S77, decisions §12.4: codes made by an admin who is %s are withdrawn; those of others stay',
    async (_, next) => {
      const [user, admin] = [await addUser(), await addUser({ level: 'admin' })];
      const [stolen, kept] = [await codeFor(user.id, admin), await codeFor(user.id)];
      const listed = (await codesOf()).filter(({ user: of }) => of.id === user.id);
      expect(listed.map(({ created_by }) => created_by)).toEqual([
        { id: expect.any(Number), name: expect.any(String) },
        { id: admin.id, name: admin.name },
      ]);
      // Another change of an admin withdraws nothing.
      await change(admin.id, { name: admin.name, level: 'admin' });
      expect(await codesOf()).toEqual(expect.arrayContaining(listed));
      expect((await change(admin.id, next)).status).toBe(200);
      expect((await exchange(stolen)).status).toBe(422);
      expect((await exchange(kept)).status).toBe(201);
    },
  );

  it('failures S77, decisions §12.8: so are those of a service account that is deleted', async () => {
    const user = await addUser();
    const path = `${companyPath(t.demo)}/service_accounts`;
    const service_account = { name: 'Desk', level: 'admin' };
    const { id, client_id, client_secret } = (await t.demo.post(path, { service_account })).json;
    const given = await fetch(`${t.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
    });
    const { access_token } = (await given.json()) as { access_token: string };
    const code = await codeFor(user.id, withToken(t.demo, access_token));
    expect((await t.demo.delete(`${path}/${id}`)).status).toBe(204);
    expect((await exchange(code)).status).toBe(422);
  });

  it.each([
    ['deactivated', { active: false }, 401],
    ['demoted', { level: 'standard' }, 403],
  ] as const)(
    'failures S77, decisions §12.6: a code that waits for its turn while its admin is %s is not made',
    async (_, next, status) => {
      const [user, admin] = [await addUser(), await addUser({ level: 'admin' })];
      const { store } = t.service.app;
      const [holds, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const held = store.write(async () => {
        holds.resolve();
        await release.promise;
      }, t.demo.company_id);
      await holds.promise;
      const writes = vi.spyOn(store, 'write');
      onTestFinished(() => writes.mockRestore());
      const changed = change(admin.id, next);
      await eventually(() => expect(writes).toHaveBeenCalledTimes(1));
      const body = { enrolment_code: { user_id: user.id } };
      const asked = admin.post(`${companyPath(admin)}/enrolment_codes`, body);
      await eventually(() => expect(writes).toHaveBeenCalledTimes(2));
      release.resolve();
      await held;
      expect([(await changed).status, (await asked).status]).toEqual([200, status]);
      expect((await codesOf()).filter(({ user: of }) => of.id === user.id)).toEqual([]);
    },
  );

  it('failures S77, decisions §12.5: a token with an end makes no code for its own user, whose token would have none', async () => {
    const admin = await addUser({ level: 'admin' });
    const expires_at = new Date(t.clock.now() + 90 * 60_000).toISOString();
    const bearer = withToken(admin, (await create(admin, { expires_at })).json.token);
    const path = `${companyPath(admin)}/enrolment_codes`;
    const own = { enrolment_code: { user_id: admin.id } };
    const refused = await bearer.post(path, own);
    expect([refused.status, refused.json.errors]).toEqual([
      422,
      { 'enrolment_code.user_id': [expect.stringContaining('your token has an end')] },
    ]);
    expect((await admin.post(path, own)).status).toBe(201);
    await codeFor((await addUser()).id, bearer);
  });
});

describe('failures S28: tokens without end', () => {
  const MOST = 50;
  const fill = async (user: Client): Promise<readonly string[]> => {
    const ids: string[] = [];
    for (let made = await create(user); made.status === 201; made = await create(user)) {
      expect(ids.push(made.json.id as string)).toBeLessThanOrEqual(MOST);
    }
    return ids;
  };

  it('failures S28, decisions §12.6: a user has fifty in a company; the next is a 422 that says what to do', async () => {
    const user = await addUser();
    const ids = await fill(user);
    // The first one is that of the code.
    expect(ids).toHaveLength(MOST - 1);
    const refused = await create(user);
    expect([refused.status, refused.json.errors]).toEqual([
      422,
      { token: [expect.stringMatching(/50 tokens.*Revoke/)] },
    ]);
    const code = await codeFor(user.id);
    const laptop = await exchange(code);
    expect([laptop.status, await laptop.text()]).toEqual([
      422,
      expect.stringMatching(/"enrolment":.*50 tokens.*Revoke/),
    ]);
    expect((await user.delete(`${TOKENS}/${ids[0]}`)).status).toBe(204);
    // The code was not used up.
    expect((await exchange(code)).status).toBe(201);
    expect((await create(user)).status).toBe(422);
  });

  it('failures S28, decisions §12.6: expired ones make room, and those of another company do not count', async () => {
    const user = await addUser();
    const expires_at = new Date(t.clock.now() + 60_000).toISOString();
    for (let at = 0; at < 10; at += 1) await create(user, { expires_at });
    expect(await fill(user)).toHaveLength(MOST - 11);
    t.clock.advance(60_000);
    expect(await fill(user)).toHaveLength(10);
    await addLogin(t.other, user.login);
    expect((await create(await enrol(user.id, t.other))).status).toBe(201);
  });
});

describe('failures S76: a token that ends while the body of its request is on its way', () => {
  /** Sends a body without its last byte; what is returned sends that byte and returns the status of the answer. */
  const begin = async (by: Client, path: string, body: object) => {
    const text = JSON.stringify(body);
    const { socket, got, closed } = rawConnection(t.service.port);
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${by.token}\r\nConnection: close\r\nExpect: 100-continue\r\n` +
        `Service-Company-Id: ${by.company_id}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text.slice(0, -1)}`,
    );
    // The service says so when it checks the token, before it reads the body.
    await eventually(() => expect(got()).toContain('100 Continue'));
    return async (): Promise<number> => {
      socket.write(text.slice(-1));
      await closed;
      return Number(/HTTP\/1\.1 ([2-5]\d\d)/.exec(got())?.[1]);
    };
  };

  it('failures S76, decisions §12.6: a revoked token makes no other one', async () => {
    const user = await addUser();
    const made = (await create(user)).json;
    const stolen = withToken(user, made.token);
    const finish = await begin(stolen, TOKENS, { token: { name: 'kept' } });
    expect((await user.delete(`${TOKENS}/${made.id}`)).status).toBe(204);
    expect(await finish()).toBe(401);
    expect((await user.get(TOKENS)).text).not.toContain('kept');
  });

  it('failures S76, decisions §12.6: a demoted admin makes no code', async () => {
    const user = await addUser({ level: 'admin' });
    const path = `${companyPath(user)}/enrolment_codes`;
    const finish = await begin(user, path, { enrolment_code: { user_id: user.id } });
    expect((await change(user.id, { level: 'standard' })).status).toBe(200);
    expect(await finish()).toBe(403);
  });

  it('failures S76, decisions §12.8: a deleted account makes no other one', async () => {
    const accounts = `${companyPath(t.demo)}/service_accounts`;
    const account = (name: string) => ({ service_account: { name, level: 'admin' } });
    const { id, client_id, client_secret } = (await t.demo.post(accounts, account('first'))).json;
    const given = await fetch(`${t.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: String(client_id),
        client_secret: String(client_secret),
      }),
    });
    const { access_token } = (await given.json()) as { access_token: string };
    const finish = await begin(withToken(t.demo, access_token), accounts, account('second'));
    expect((await t.demo.delete(`${accounts}/${id}`)).status).toBe(204);
    expect(await finish()).toBe(401);
    expect((await t.demo.get(accounts)).text).not.toContain('second');
  });

  it('failures S76, decisions §12.6, §13: a deactivated admin makes no hook in a batch either', async () => {
    const user = await addUser({ level: 'admin' });
    const { company_id } = user;
    const hook = { destination_url: 'https://hooks.example/late', api_version: 'v2' };
    const operation = {
      method: 'POST',
      path: '/rest/v1.0/webhooks/hooks',
      idempotency_key: 'late-hook',
      body: { company_id, hook },
    };
    const finish = await begin(user, '/rest/v1.0/batch', { operations: [operation] });
    expect((await change(user.id, { active: false })).status).toBe(200);
    expect(await finish()).toBe(401);
    const hooks = await t.demo.get(`/rest/v1.0/webhooks/hooks?company_id=${company_id}`);
    expect([hooks.status, hooks.text.includes('late')]).toEqual([200, false]);
  });

  it('failures S76, decisions §12.6: a body that comes for more than a second changes nothing', async () => {
    const user = await addUser({ level: 'admin' });
    const path = `${companyPath(user)}/users`;
    const finish = await begin(user, path, { user: { login: 'late@example.com', name: 'Late' } });
    t.clock.advance(1000);
    expect((await change(user.id, { active: false })).status).toBe(200);
    expect(await finish()).toBe(401);
    expect((await t.demo.get(path)).text).not.toContain('late@example.com');
  });
});
