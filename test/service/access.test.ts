/** Users, answers, shifts, enrolment codes and tokens, through real requests (decisions §12.3 to §12.7). */
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENROLMENT_ALPHABET } from '../../src/contract/rest/access/enrolment.ts';
import type { Level } from '../../src/contract/rest/access/levels.ts';
import { onPostgres } from '../support/database.ts';
import { clientOf, startTestService, type Client, type TestService } from '../support/service.ts';
import { accessUsers, companyPath, LIST, ME, statusOf, TOKENS } from './access-users.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService({ 'allow-private-webhooks': true, 'enrolment-rate': 1000 });
});
afterAll(() => t.stop());

const { codeFor, exchange, enrol, addUser, change } = accessUsers(() => t);

interface Fields {
  readonly incident: number;
  field(label: string): string;
}
const fieldsOf = async (): Promise<Fields> => {
  const { incidents, custom_field_definitions: all } = (await t.demo.get('~/catalog')).json as {
    incidents: { id: number; private: boolean }[];
    custom_field_definitions: { id: number; label: string }[];
  };
  const incident = incidents.find((one) => !one.private)?.id ?? 0;
  return {
    incident,
    field: (label) => `custom_field_${all.find((one) => one.label === label)?.id ?? 0}`,
  };
};

const file = async (by: Client, more: object = {}): Promise<number> => {
  const { incident: incident_id } = await fieldsOf();
  const made = await by.post(LIST, { near_miss: { incident_id, description: 'x', ...more } });
  expect([made.status, made.text]).toEqual([201, made.text]);
  return made.json.id as number;
};

const update = (by: Client, id: number, near_miss: object) =>
  by.patch(`${LIST}/${id}`, { near_miss });

describe('decisions §12.3: answers', () => {
  it('decisions §12.3: the assignee writes the follow-up and captions of a report of somebody else, and nothing else', async () => {
    const { field } = await fieldsOf();
    const [assignee, other] = [await addUser(), await addUser()];
    for (const said of [assignee.name, assignee.login, ` ${assignee.name.toUpperCase()} `]) {
      const id = await file(t.demo, { [field('Follow-up by')]: said });
      const answer = {
        [field('Follow-up done')]: '2026-01-15',
        [field('Photo captions')]: 'a.jpg',
      };
      expect((await update(other, id, answer)).status, said).toBe(403);
      expect((await update(assignee, id, answer)).status, said).toBe(200);
      const more = await update(assignee, id, { description: 'mine now' });
      expect([more.status, more.json.errors[0]]).toEqual([
        403,
        expect.stringContaining('"standard". Somebody else created this report.'),
      ]);
      expect((await update(assignee, id, { [field('Weather')]: 'Rain' })).status).toBe(403);
      expect((await update(assignee, id, { description: 'x', ...answer })).status).toBe(200);
      expect((await assignee.delete(`${LIST}/${id}`)).status).toBe(403);
    }
    // Who names himself in the same request was not named before it.
    const id = await file(t.demo);
    expect((await update(other, id, { [field('Follow-up by')]: other.name })).status).toBe(403);
  });

  it('decisions §12.3: a person’s name stands for the user with the same login', async () => {
    const { field } = await fieldsOf();
    const user = await addUser();
    const people = `${companyPath(t.demo)}/people`;
    const found = (await t.demo.get(`${people}?per_page=1000`)).json as {
      id: number;
      login: string;
    }[];
    const person = found.find(({ login }) => login === user.login)?.id ?? 0;
    await t.demo.patch(`${people}/${person}`, { person: { name: 'Big Joe' } });
    const id = await file(t.demo, { [field('Follow-up by')]: 'Big Joe' });
    expect((await update(user, id, { [field('Follow-up done')]: '2026-01-15' })).status).toBe(200);
  });

  it('decisions §12.3: who took over the shift answers every report of the project until it ends; it is listed', async () => {
    const { field } = await fieldsOf();
    const user = await addUser();
    const id = await file(t.demo);
    const answer = (day: number) =>
      update(user, id, { [field('Follow-up done')]: `2026-01-${10 + day}` });
    expect((await answer(0)).status).toBe(403);
    const taken = await user.post('~/shifts', undefined);
    expect([taken.status, taken.json.user.id]).toEqual([201, user.id]);
    expect(Date.parse(taken.json.ends_at) - Date.parse(taken.json.taken_over_at)).toBe(86_400_000);
    expect((await answer(1)).status).toBe(200);
    expect((await update(user, id, { description: 'no' })).status).toBe(403);
    expect((await t.demo.get('~/shifts')).json[0]).toEqual(taken.json);
    for (const level of ['reporter', 'read_only'] as const)
      expect((await t.as(level).post('~/shifts', undefined)).status, level).toBe(403);
    t.clock.advance(86_400_000);
    expect((await answer(2)).status).toBe(403);
  });

  it('decisions §12.3: a reporter captions own reports and changes nothing else of them', async () => {
    const { field } = await fieldsOf();
    const reporter = await addUser({ level: 'reporter' });
    const id = await file(reporter);
    const caption = { [field('Photo captions')]: 'a.jpg (before): hole' };
    expect((await update(reporter, id, caption)).status).toBe(200);
    for (const more of [{ description: 'y' }, { [field('Follow-up done')]: '2026-01-15' }])
      expect((await update(reporter, id, more)).status).toBe(403);
    expect((await update(t.demo, id, { [field('Follow-up')]: 'Board fixed' })).status).toBe(200);
    const seen = (await reporter.get(`${LIST}/${id}`)).json;
    expect(seen.custom_fields[field('Follow-up')].value).toBe('Board fixed');
  });
});

describe('decisions §12.4: users', () => {
  it('decisions §12.4, §12.1: added as standard, changed, listed; projects that are none of the company are a 422', async () => {
    const user = await addUser();
    const path = `${companyPath(t.demo)}/users/${user.id}`;
    const { id, login, name } = user;
    const shown = { id, login, name, level: 'standard', project_ids: null, active: true };
    expect((await t.demo.get(path)).json).toEqual(shown);
    const { project_id } = t.demo;
    const listed = await change(id, { level: 'reporter', project_ids: [project_id, project_id] });
    expect(listed.json).toEqual({ ...shown, level: 'reporter', project_ids: [project_id] });
    for (const [body, field] of [
      [{ project_ids: [t.other.project_id, 4711_4711] }, 'user.project_ids'],
      [{ level: 'admin', project_ids: [project_id] }, 'user.project_ids'],
      [{ level: 'boss' }, 'user.level'],
    ] as const) {
      const refused = await change(id, body);
      expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, [field]]);
    }
    expect((await change(id, { level: 'admin' })).json.project_ids).toBeNull();
    const again = await t.demo.post(`${companyPath(t.demo)}/users`, { user: { login, name } });
    expect([again.status, Object.keys(again.json.errors)]).toEqual([422, ['user.login']]);
    const nameless = await t.demo.post(`${companyPath(t.demo)}/users`, {
      user: { login: 'n@example.com' },
    });
    expect([nameless.status, Object.keys(nameless.json.errors)]).toEqual([422, ['user.name']]);
  });

  it('decisions §12.4: deactivation ends tokens and codes at once, and the records stay; reactivation brings the user back', async () => {
    const user = await addUser();
    const report = await file(user);
    const code = await codeFor(user.id);
    expect(await statusOf(user)).toBe(200);
    expect((await change(user.id, { active: false })).json.active).toBe(false);
    expect(await statusOf(user)).toBe(401);
    expect((await exchange(code)).status).toBe(422);
    expect((await t.demo.get(`${LIST}/${report}`)).json.created_by.id).toBe(user.id);
    const refused = await t.demo.post(`${companyPath(t.demo)}/enrolment_codes`, {
      enrolment_code: { user_id: user.id },
    });
    expect(refused.status).toBe(422);
    await change(user.id, { active: true });
    expect(await statusOf(user)).toBe(401);
    expect(await statusOf(await enrol(user.id))).toBe(200);
  });

  it('decisions §12.4: one login in two companies; an admin of one has no say in the other', async () => {
    const user = await addUser();
    const added = await t.other.post(`${companyPath(t.other)}/users`, {
      user: { login: user.login, level: 'read_only' },
    });
    expect([added.status, added.json.id, added.json.name]).toEqual([201, user.id, user.name]);
    const theirs = await enrol(user.id, t.other);
    const me = (await theirs.get(ME)).json;
    expect(me.companies).toMatchObject([{ id: t.other.company_id, level: 'read_only' }]);
    const elsewhere = { 'service-company-id': String(t.demo.company_id) };
    expect((await theirs.get(ME, elsewhere)).status).toBe(403);
    const renamed = await change(user.id, { name: 'Mallory' }, t.other);
    expect([renamed.status, Object.keys(renamed.json.errors)]).toEqual([422, ['user.name']]);
    const tokens = await t.other.get(`${companyPath(t.other)}/users/${user.id}/tokens`);
    expect(tokens.json.map(({ company_id }: { company_id: number }) => company_id)).toEqual([
      t.other.company_id,
    ]);
    await change(user.id, { active: false }, t.other);
    expect([await statusOf(theirs), await statusOf(user)]).toEqual([401, 200]);
  });

  it('decisions §12.4: a login that differs only in case is the same user, in this company and in another', async () => {
    const { id, login, name } = await addUser({ login: 'Case.Miller@Example.com' });
    for (const other of ['case.miller@example.com', 'CASE.MILLER@EXAMPLE.COM']) {
      const again = await t.demo.post(`${companyPath(t.demo)}/users`, {
        user: { login: other, name: 'Somebody' },
      });
      expect([again.status, Object.keys(again.json.errors)]).toEqual([422, ['user.login']]);
    }
    const found = await t.other.post(`${companyPath(t.other)}/users`, {
      user: { login: 'case.miller@example.com' },
    });
    expect([found.status, found.json]).toMatchObject([201, { id, login, name }]);
    // The Kelvin sign is no k, and other letters keep their case.
    await addUser({ login: 'kÉ@example.com' });
    expect((await addUser({ login: '\u212AÉ@example.com' })).id).not.toBe(id);
    await addUser({ login: 'ké@example.com' });
  });

  it('decisions §12.4: a company keeps an active admin, also when two demote each other at once', async () => {
    const { id } = (await t.other.get(ME)).json as { id: number };
    for (const body of [{ level: 'standard' }, { active: false }]) {
      const refused = await change(id, body, t.other);
      expect(refused.status).toBe(422);
      expect(refused.text).toContain('without an admin');
    }
    const user = { login: 'second@example.com', name: 'Second', level: 'admin' };
    const second = (await t.other.post(`${companyPath(t.other)}/users`, { user })).json
      .id as number;
    const client = await enrol(second, t.other);
    const ends = await Promise.all([
      change(second, { level: 'standard' }, t.other),
      change(id, { level: 'standard' }, client),
    ]);
    expect(ends.filter(({ status }) => status === 200)).toHaveLength(1);
    const left = (await t.other.get(`${companyPath(t.other)}/users`)).json as { level: Level }[];
    expect(left.filter(({ level }) => level === 'admin')).toHaveLength(1);
  });
});

describe('decisions §12.5: enrolment', () => {
  it('decisions §12.5: a code is typed once, in any case and spacing; a wrong, used, withdrawn or old one is a 422', async () => {
    const user = await addUser();
    const code = await codeFor(user.id);
    expect(code).toMatch(new RegExp(`^[${ENROLMENT_ALPHABET}]{5}-[${ENROLMENT_ALPHABET}]{5}$`));
    const codes = await t.demo.get(`${companyPath(t.demo)}/enrolment_codes`);
    expect(codes.json).toMatchObject([{ user: { id: user.id } }]);
    expect(codes.text).not.toContain(code);
    const answer = await exchange(` ${code.toLowerCase().replace('-', ' ')} `, 'Laptop 7');
    const made = (await answer.json()) as Record<string, unknown>;
    expect([answer.status, made]).toEqual([
      201,
      {
        id: expect.any(String),
        token: expect.stringMatching(/^spotter_/),
        name: 'Laptop 7',
        level: null,
        company_id: t.demo.company_id,
        created_at: expect.any(String),
        expires_at: null,
        last_used_at: null,
        user: { id: user.id, name: user.name, login: user.login },
        company: { id: t.demo.company_id, name: expect.any(String) },
        user_level: 'standard',
      },
    ]);
    const old = await codeFor(user.id);
    const { id } = (
      (await t.demo.get(`${companyPath(t.demo)}/enrolment_codes`)).json as { id: number }[]
    )[0]!;
    const stolen = await t.database.query('select code_hash from enrolment_codes');
    for (const wrong of [code, 'AAAAA-AAAAA', 'x', '', String(stolen[0]?.['code_hash'])]) {
      const refused = await exchange(wrong);
      const { errors } = (await refused.json()) as { errors: object };
      expect([refused.status, Object.keys(errors)], wrong).toEqual([422, ['enrolment.code']]);
    }
    expect((await t.demo.delete(`${companyPath(t.demo)}/enrolment_codes/${id}`)).status).toBe(204);
    expect((await exchange(old)).status).toBe(422);
    const late = await codeFor(user.id);
    t.clock.advance(7 * 86_400_000 + 1);
    expect((await exchange(late)).status).toBe(422);
    expect((await t.demo.get(`${companyPath(t.demo)}/enrolment_codes`)).json).toEqual([]);
  });

  it('decisions §12.5: of many who use one code at once, one gets a token', async () => {
    const user = await addUser();
    const code = await codeFor(user.id);
    const ends = await Promise.all(Array.from({ length: 8 }, () => exchange(code)));
    expect(ends.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(422)]);
  });

  it('decisions §12.5: too many attempts are a 429 with Retry-After', async () => {
    const other = await startTestService({ 'enrolment-rate': 3 });
    try {
      const attempt = () =>
        fetch(`${other.url}/rest/v1.0/enrolments`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ enrolment: { code: 'AAAAA-AAAAA' } }),
        });
      const statuses = [];
      for (let at = 0; at < 4; at += 1) statuses.push((await attempt()).status);
      expect(statuses).toEqual([422, 422, 422, 429]);
      expect((await attempt()).headers.get('retry-after')).toMatch(/^\d+$/);
      other.clock.advance(60_000);
      expect((await attempt()).status).toBe(422);
    } finally {
      await other.stop();
    }
  });

  it('decisions §12.5: right codes, and what cannot be a code, do not count as attempts', async () => {
    const other = await startTestService({ 'enrolment-rate': 2 });
    try {
      const { codeFor: codeOf } = accessUsers(() => other);
      const attempt = async (body: unknown) =>
        (await other.demo.post('/rest/v1.0/enrolments', body, { authorization: '' })).status;
      for (const body of [{}, [], { enrolment: {} }, { enrolment: { code: 'x' } }])
        for (let at = 0; at < 3; at += 1) expect(await attempt(body)).toBe(422);
      const { id } = (await other.demo.get(ME)).json.user;
      for (let at = 0; at < 4; at += 1)
        expect(await attempt({ enrolment: { code: await codeOf(id) } })).toBe(201);
      // Wrong ones at once are counted before any of them is judged.
      const wrong = { enrolment: { code: 'AAAAA-AAAAA' } };
      const statuses = await Promise.all([1, 2, 3, 4].map(() => attempt(wrong)));
      expect(statuses.sort()).toEqual([422, 422, 429, 429]);
    } finally {
      await other.stop();
    }
  });
});

describe('decisions §12.6: tokens', () => {
  const create = (by: Client, token: object) => by.post(TOKENS, { token: { name: 'x', ...token } });

  it('decisions §12.6: named, limited, listed and revoked by its user; shown once', async () => {
    const user = await addUser();
    const expires_at = new Date(t.clock.now() + 3_600_000).toISOString();
    const made = await create(user, { name: 'Script', level: 'read_only', expires_at });
    expect(made.json).toMatchObject({ name: 'Script', level: 'read_only', expires_at });
    const limited = clientOf(t.url, { ...user, token: made.json.token as string });
    expect((await limited.get(ME)).json.companies[0].level).toBe('read_only');
    const { incident } = await fieldsOf();
    const filed = await limited.post(LIST, { near_miss: { incident_id: incident } });
    expect([filed.status, filed.json.errors[0]]).toEqual([
      403,
      expect.stringContaining('Your level in this company is "read only"'),
    ]);
    const listed = await user.get(TOKENS);
    expect(listed.json).toHaveLength(2);
    expect(listed.text).not.toContain(made.json.token);
    t.clock.advance(3_600_000);
    expect(await statusOf(limited)).toBe(401);
    const other = await create(user, { level: 'standard' });
    const second = clientOf(t.url, { ...user, token: other.json.token as string });
    expect((await second.delete(`${TOKENS}/${made.json.id}`)).status).toBe(403);
    expect((await second.delete(`${TOKENS}/${other.json.id}`)).status).toBe(204);
    expect((await user.delete(`${TOKENS}/${made.json.id}`)).status).toBe(204);
    expect((await user.delete(`${TOKENS}/${made.json.id}`)).status).toBe(404);
    const [own] = (await user.get(TOKENS)).json as { id: string }[];
    expect((await user.delete(`${TOKENS}/${own?.id}`)).status).toBe(204);
    expect(await statusOf(user)).toBe(401);
  });

  it('decisions §12.6: a token makes none that allows more or ends later than itself', async () => {
    const allowed: Record<Level, readonly Level[]> = {
      read_only: ['read_only'],
      reporter: ['reporter'],
      standard: ['read_only', 'reporter', 'standard'],
      admin: ['read_only', 'reporter', 'standard', 'admin'],
    };
    const admin = await addUser({ level: 'admin' });
    for (const level of ['read_only', 'reporter', 'standard', 'admin'] as const) {
      const made = (await create(admin, { level })).json.token as string;
      const client = clientOf(t.url, { ...admin, token: made });
      for (const asked of ['read_only', 'reporter', 'standard', 'admin'] as const)
        expect((await create(client, { level: asked })).status, `${asked} by ${level}`).toBe(
          allowed[level].includes(asked) ? 201 : 422,
        );
      const unsaid = (await create(client, {})).json;
      expect(unsaid.level, level).toBe(level);
    }
    const soon = new Date(t.clock.now() + 60_000).toISOString();
    const short = (await create(admin, { expires_at: soon })).json.token as string;
    const heir = await create(clientOf(t.url, { ...admin, token: short }), {
      expires_at: new Date(t.clock.now() + 600_000).toISOString(),
    });
    expect(heir.json.expires_at).toBe(soon);
    const past = await create(admin, { expires_at: '2020-01-01T00:00:00Z' });
    expect([past.status, Object.keys(past.json.errors)]).toEqual([422, ['token.expires_at']]);
  });

  it('decisions §12.6, §1.5: a lower token does not get the answer of a higher one by its key', async () => {
    const admin = await addUser({ level: 'admin' });
    const read = (await create(admin, { level: 'read_only' })).json.token as string;
    const key = { 'idempotency-key': 'same-key' };
    const body = { token: { name: 'x' } };
    const made = await admin.post(TOKENS, body, key);
    expect((await admin.post(TOKENS, body, key)).json.token).toBe(made.json.token);
    const refused = await clientOf(t.url, { ...admin, token: read }).post(TOKENS, body, key);
    expect([refused.status, refused.text.includes('spotter_')]).toEqual([422, false]);
  });

  it('decisions §12.6: a demoted user’s tokens allow no more than the new level, and never gain anything', async () => {
    const user = await addUser();
    const tokenOf = async (level: Level) =>
      clientOf(t.url, { ...user, token: (await create(user, { level })).json.token as string });
    const [reads, files] = [await tokenOf('read_only'), await tokenOf('reporter')];
    await change(user.id, { level: 'reporter' });
    const levelOf = async (client: Client) => (await client.get(ME)).json.companies?.[0].level;
    expect([await levelOf(user), await levelOf(files)]).toEqual(['reporter', 'reporter']);
    // A read-only token would see more than a reporter, and a reporter's would write.
    expect(await statusOf(reads)).toBe(401);
    await change(user.id, { level: 'standard' });
    expect(await statusOf(reads)).toBe(401);
    await change(user.id, { level: 'read_only' });
    expect([await levelOf(user), await statusOf(files)]).toEqual(['read_only', 401]);
  });

  it('decisions §12.6: an admin lists and revokes the tokens of a user', async () => {
    const user = await addUser();
    const path = `${companyPath(t.demo)}/users/${user.id}/tokens`;
    const [listed] = (await t.demo.get(path)).json as { id: string; last_used_at: null }[];
    expect(listed?.last_used_at).toBeNull();
    expect((await t.demo.delete(`${path}/${listed?.id}`)).status).toBe(204);
    expect(await statusOf(user)).toBe(401);
    expect((await t.demo.get(path)).json).toEqual([]);
  });

  it('decisions §12.6: the last use of a token is written beside its requests', async () => {
    const often = await startTestService({ 'token-use-interval': 20 });
    try {
      const used = async () => {
        const tokens = (await often.demo.get(TOKENS)).json as { last_used_at: string | null }[];
        return tokens.map(({ last_used_at }) => last_used_at);
      };
      await expect.poll(used).toEqual([new Date(often.clock.now()).toISOString()]);
    } finally {
      await often.stop();
    }
  });
});

it.skipIf(onPostgres)(
  'decisions §12.6, failures S29: the service stops while another process holds the database',
  async () => {
    const held = await startTestService({ 'database-busy-timeout': 3_600_000 });
    const writer = new SQLite(join(held.data_dir, 'spotter.db'));
    try {
      expect((await held.demo.get(ME)).status).toBe(200);
      writer.exec('begin immediate');
      await held.service.stop();
      expect(writer.inTransaction).toBe(true);
    } finally {
      writer.close();
      await held.stop();
    }
  },
);

it('decisions §12.7: a hook of an admin who lost a project, or became a reporter, hears no more of it', async () => {
  const hooks = '/rest/v1.0/webhooks/hooks';
  const admin = await addUser({ level: 'admin' });
  const hook = (
    await admin.post(hooks, {
      company_id: admin.company_id,
      hook: { destination_url: 'http://127.0.0.1:65535/' },
    })
  ).json.id as number;
  const trigger = { resource_name: 'Near Misses', event_type: 'create' };
  await admin.post(`${hooks}/${hook}/triggers`, { api_version: 'v1', trigger });
  const heard = async (): Promise<number> => {
    const rows = await t.database.query(
      `select count(*) as n from webhook_pending where hook_id = ${hook}`,
    );
    return Number(rows[0]?.['n']);
  };
  await file(t.demo);
  expect(await heard()).toBe(1);
  await change(admin.id, { level: 'standard', project_ids: [] });
  await file(t.demo);
  expect(await heard()).toBeLessThan(2);
  const had = await heard();
  await change(admin.id, { level: 'standard', project_ids: [t.demo.project_id] });
  await file(t.demo);
  expect(await heard()).toBe(had + 1);
  await change(admin.id, { level: 'reporter' });
  await file(t.demo);
  expect(await heard()).toBeLessThan(had + 2);
});
