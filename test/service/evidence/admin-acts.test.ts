/** [ours] The log of administrative acts (decisions §19.5), on both databases. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminAct } from '../../../src/contract/rest/evidence/admin-acts.ts';
import { startTestService, type Client, type TestService } from '../../support/service.ts';
import { list } from '../near-miss-records.ts';
import { askPack } from './support.ts';

let t: TestService;
let company: string;
beforeAll(async () => {
  t = await startTestService({ 'allow-private-webhooks': true });
  company = `/rest/v1.0/companies/${t.demo.company_id}`;
});
afterAll(() => t.stop());

const actsOf = async (client: Client, query = '?per_page=100'): Promise<AdminAct[]> => {
  const answer = await client.get(`${company}/admin_acts${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json as AdminAct[];
};

/** What was logged meanwhile, oldest first. */
const during = async (work: () => Promise<unknown>): Promise<AdminAct[]> => {
  const before = (await actsOf(t.demo)).length;
  await work();
  return (await actsOf(t.demo)).toReversed().slice(before);
};

const addUser = async (login: string): Promise<number> =>
  (await t.demo.post(`${company}/users`, { user: { login, name: 'Nora Blum' } })).json.id as number;

describe('decisions §19.5: what is logged', () => {
  it('decisions §19.5: users, their levels, projects and state, with who did it and to whom', async () => {
    const me = (await t.demo.get('/rest/v1.0/me')).json;
    let id = 0;
    const acts = await during(async () => {
      id = await addUser('nora@example.com');
      const path = `${company}/users/${id}`;
      await t.demo.patch(path, { user: { level: 'reporter', project_ids: [t.demo.project_id] } });
      await t.demo.patch(path, { user: { name: 'Nora B.' } });
      await t.demo.patch(path, { user: { active: false } });
    });
    expect(acts.map(({ act, details }) => [act, details])).toEqual([
      ['user_added', { level: 'standard', project_ids: null }],
      [
        'user_changed',
        { level_from: 'standard', level_to: 'reporter', project_ids: [t.demo.project_id] },
      ],
      ['user_changed', { active: false }],
    ]);
    const about = { id, name: 'Nora B.', login: 'nora@example.com' };
    for (const act of acts) {
      expect(act.user).toEqual({ id: me.id, name: me.name, login: me.login });
      expect(act.about).toEqual(about);
    }
  });

  it('decisions §19.5: tokens of admins, those that admins revoke, and codes; no others', async () => {
    const id = await addUser('otto@example.com');
    const acts = await during(async () => {
      const own = await t.demo.post('/rest/v1.0/me/tokens', { token: { name: 'Laptop' } });
      await t.demo.delete(`/rest/v1.0/me/tokens/${own.json.id}`);
      await t.as('standard').post('/rest/v1.0/me/tokens', { token: { name: 'x' } });
      const code = await t.demo.post(`${company}/enrolment_codes`, {
        enrolment_code: { user_id: id },
      });
      const second = await t.demo.post(`${company}/enrolment_codes`, {
        enrolment_code: { user_id: id },
      });
      await t.demo.delete(`${company}/enrolment_codes/${second.json.id}`);
      const enrolled = await fetch(`${t.url}/rest/v1.0/enrolments`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ enrolment: { code: code.json.code } }),
      });
      const token = ((await enrolled.json()) as { id: string }).id;
      await t.demo.delete(`${company}/users/${id}/tokens/${token}`);
    });
    expect(acts.map(({ act }) => act)).toEqual([
      'token_created',
      'token_revoked',
      'enrolment_code_created',
      'enrolment_code_created',
      'enrolment_code_withdrawn',
      'token_revoked',
    ]);
    expect(acts.at(-1)?.about?.id).toBe(id);
    expect(JSON.stringify(acts)).not.toMatch(/Laptop|spotter_/);
  });

  it('decisions §19.5: service accounts and their secrets, signing secrets of hooks, packs and redactions', async () => {
    const incident = { title: 'Of the log' };
    const incident_id = (await t.demo.post('~/incidents', { incident })).json.id as number;
    const made = await t.demo.post(list, { near_miss: { incident_id, description: 'a' } });
    const near_miss_id = made.json.id as number;
    const number = made.json.full_number as string;
    await t.demo.patch(`${list}/${near_miss_id}`, { near_miss: { description: 'b' } });
    const hook = { destination_url: 'http://127.0.0.1:65535/log', namespace: 'log' };
    const { project_id } = t.demo;
    const hooks = '/rest/v1.0/webhooks/hooks';
    const hook_id = (await t.demo.post(hooks, { project_id, hook })).json.id as number;
    const acts = await during(async () => {
      const accounts = `${company}/service_accounts`;
      const account = await t.demo.post(accounts, { service_account: { name: 'Crane' } });
      const path = `${accounts}/${account.json.id}`;
      expect((await t.demo.post(`${path}/secret`, {})).status).toBe(201);
      await t.demo.delete(path);
      await t.demo.post(`${hooks}/${hook_id}/signing_secret?namespace=log`, {});
      await askPack(t.demo, near_miss_id, { with_names: true });
      await t.demo.delete(`${list}/${near_miss_id}/history/1`);
    });
    expect(acts.map(({ act, details }) => [act, details])).toEqual([
      ['service_account_created', { level: 'standard', project_ids: null }],
      ['service_account_secret_rotated', { keep_previous: true }],
      ['service_account_deleted', {}],
      ['webhook_secret_rotated', { hook_id, keep_previous: true }],
      ['evidence_exported', { project_id, near_miss_id, number, with_names: true }],
      ['history_redacted', { project_id, near_miss_id, number, entry_id: 1 }],
    ]);
    // A deleted account is still named.
    expect(acts[2]?.about?.name).toBe('Crane');
  });

  it('decisions §19.5: what is refused or repeated leaves no act, or a single one', async () => {
    const id = await addUser('pia@example.com');
    const path = `${company}/users/${id}`;
    const body = { user: { level: 'admin' } };
    const key = { 'Idempotency-Key': 'admin-acts' };
    const acts = await during(async () => {
      expect((await t.demo.patch(path, body, { 'If-Match': '"no"' })).status).toBe(412);
      expect((await t.demo.patch(path, { user: { project_ids: [999_999] } })).status).toBe(422);
      await t.demo.patch(path, body, key);
      await t.demo.patch(path, body, key);
    });
    expect(acts.map(({ act }) => act)).toEqual(['user_changed']);
  });
});

describe('decisions §19.5: who reads it', () => {
  it('decisions §19.5: admins, newest first, by pages; nobody changes it', async () => {
    const all = await actsOf(t.demo);
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted((a, b) => b - a));
    const second = await t.demo.get(`${company}/admin_acts?per_page=2&page=2`);
    expect(second.headers.get('total')).toBe(String(all.length));
    expect(second.json).toEqual(all.slice(2, 4));
    expect((await t.as('standard').get(`${company}/admin_acts`)).status).toBe(403);
    expect((await t.demo.delete(`${company}/admin_acts`)).status).toBe(405);
  });
});
