/** What happens between the decision and the end of an erasure (decisions §21), on both databases. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { NearMiss } from '../../../src/contract/rest/near-misses.ts';
import { decideErasure } from '../../../src/service/domain/erasure/erasures.ts';
import { startTestService, type Client, type TestService } from '../../support/service.ts';
import { list } from '../near-miss-records.ts';
import {
  addPerson,
  all,
  erase,
  everyTable,
  fileReport,
  NAME,
  preview,
  proofOf,
  traced,
  tracedFiles,
} from './erasure-support.ts';
import { companyOf } from './support.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const ownId = async (client: Client): Promise<number> =>
  (await client.get('/rest/v1.0/me')).json.id as number;

/** Stores a decision, as a service does that is killed before it carries it out. */
const decideAlone = async (
  subject: { readonly user_id: number },
  admin = t.demo,
): Promise<number> => {
  const { store, webhooks } = t.service.app;
  const { company_id } = admin;
  const user_id = await ownId(admin);
  const { hits, fingerprint } = await preview(admin, subject);
  const parts = { db: store.long, company_id, user_id, secrets: webhooks.secrets };
  const body = { ...subject, also_called: [], fingerprint, decisions: all(hits) };
  const write = await decideErasure(parts, body);
  const actor = { company_id, user_id, now: t.clock.now() };
  return (await store.write((tx) => write(tx, actor), company_id)).id;
};

const carryOut = async (): Promise<void> => {
  t.service.app.erasures.wake();
  await t.service.app.erasures.settled();
};

it('failures S78: what names the person after the decision is in the proof, and kept answers lose the name', async () => {
  const person = await addPerson(t);
  const report = await fileReport(t, person);
  await t.database.query('delete from idempotency_keys');
  const id = await decideAlone({ user_id: person.user_id });
  const key = { 'idempotency-key': 'between' };
  const near_miss = { description: `<p>${NAME} again</p>` };
  expect((await t.demo.patch(`${list}/${report.id}`, { near_miss }, key)).status).toBe(200);
  const comment = { text: `Also ${NAME}` };
  expect((await t.demo.post(`${list}/${report.id}/comments`, { comment })).status).toBe(201);
  await carryOut();
  const proof = await proofOf(t.demo, id);
  expect(proof.done_at).not.toBeNull();
  expect(proof.remained).toMatchObject([
    { kind: 'history', resource_id: report.id, why: 'later' },
    { kind: 'comment', resource_id: report.id, why: 'later' },
  ]);
  expect(await traced(t)).toEqual(['near_miss_comments', 'near_miss_history']);
  const again = await erase(t, { name: NAME });
  expect(again.remained).toEqual([]);
  expect(await traced(t)).toEqual([]);
});

it('decisions §21.2: two erasures of one person at once leave one name, and both end', async () => {
  const person = await addPerson(t);
  await fileReport(t, person);
  const subject = { user_id: person.user_id };
  const ids = [await decideAlone(subject), await decideAlone(subject)];
  await carryOut();
  const [first, second] = [await proofOf(t.demo, ids[0] ?? 0), await proofOf(t.demo, ids[1] ?? 0)];
  expect([first.remained, second.remained]).toEqual([[], []]);
  expect(await traced(t)).toEqual([]);
  const users = (await everyTable(t)).get('users') ?? '';
  expect(users).toContain(first.pseudonym);
  expect(users).not.toContain(second.pseudonym);
});

it('failures S79: while the bytes of a photo cannot be deleted, its erasure is not done; then it is', async () => {
  const person = await addPerson(t);
  const report = await fileReport(t, person);
  const shown = (await t.demo.get(`${list}/${report.id}`)).json as NearMiss;
  const uuid = shown.attachments?.[0]?.upload_uuid ?? '';
  const parts = join(t.data_dir, 'files/parts');
  // A folder in place of a file: no user, not even root, can unlink it.
  const inTheWay = join(parts, uuid.slice(0, 2), `${uuid}.a-folder`);
  mkdirSync(inTheWay);
  const { done_at, id } = await erase(t, { user_id: person.user_id });
  expect(done_at).toBeNull();
  rmSync(inTheWay, { recursive: true });
  await carryOut();
  expect((await proofOf(t.demo, id)).done_at).not.toBeNull();
  expect(tracedFiles(join(t.data_dir, 'files'))).toEqual([]);
});

it('decisions §4.5, §21.1: an admin reads nothing of a private incident in a preview, and can erase there', async () => {
  const person = await addPerson(t, 'Zebulon Hartigan', 'zebulon@northline.example');
  const incident = {
    title: 'Cornelia Featherstone',
    private: true,
    people_ids: [person.person_id],
  };
  const incident_id = (await person.client.post('~/incidents', { incident })).json.id as number;
  const near_miss = { incident_id, description: 'Cornelia Featherstone drinks' };
  const { id } = (await person.client.post(list, { near_miss })).json;
  expect((await t.demo.get(`${list}/${id}`)).status).toBe(404);
  const seen = await preview(t.demo, { name: 'Cornelia Featherstone' });
  const own = seen.hits.filter(({ kind }) => kind === 'report' || kind === 'incident');
  expect(own.map(({ excerpt }) => excerpt)).toEqual(['', '']);
  expect(JSON.stringify(seen.hits)).not.toMatch(/drinks|Featherstone/);
  await erase(t, { name: 'Cornelia Featherstone' });
  const after = (await person.client.get(`${list}/${id}`)).json as NearMiss;
  expect(after.description).toMatch(/^Person .{4} drinks$/);
});

it('decisions §21.3: two admins who erase each other at once leave one of them', async () => {
  const { company_id } = t.demo;
  const me = await ownId(t.demo);
  const other = await addPerson(t, 'Philippa Grosvenor', 'philippa@northline.example');
  const path = `${companyOf(t.demo)}/users/${other.user_id}`;
  expect((await t.demo.patch(path, { user: { level: 'admin' } })).status).toBe(200);
  const two = `(${me}, ${other.user_id})`;
  await t.database.query(
    `update company_users set level = 'standard' where company_id = ${company_id} and user_id not in ${two}`,
  );
  await decideAlone({ user_id: me }, other.client);
  const second = await decideAlone({ user_id: other.user_id });
  await carryOut();
  const admins = await t.database.query(
    `select user_id from company_users where company_id = ${company_id} and level = 'admin' and active = 1`,
  );
  expect(admins.map(({ user_id }) => Number(user_id))).toEqual([other.user_id]);
  const proof = await proofOf(other.client, second);
  expect(proof.remained).toContainEqual(
    expect.objectContaining({ kind: 'user', resource_id: other.user_id, why: 'last_admin' }),
  );
});
