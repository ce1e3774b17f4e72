/** Project memberships: reference (Project memberships) and decisions §7; failures S19. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectMembership } from '../../src/contract/rest/project-memberships.ts';
import { sortKey } from '../../src/contract/text/fold.ts';
import { takeIds } from '../../src/service/store/engine/ids.ts';
import { eventsSince } from '../support/events.ts';
import { startTestService, type TestService } from '../support/service.ts';

let t: TestService;
let bulk_remove: string;
/** From the catalog: reference users, and everyone else. */
let reference: number[];
let others: number[];
const list = '~/project_memberships';

interface Membership {
  readonly id: number;
  readonly party_id: number;
  readonly project_id: number;
}

beforeAll(async () => {
  t = await startTestService();
  const { parties } = (await t.demo.get('~/catalog')).json as {
    parties: { id: number; reference_user: boolean }[];
  };
  const ids = (wanted: boolean) =>
    parties.filter(({ reference_user }) => reference_user === wanted).map(({ id }) => id);
  reference = ids(true);
  others = ids(false);
  bulk_remove = `/rest/v2.0/companies/${t.demo.company_id}/projects/${t.demo.project_id}/project_memberships/bulk_remove`;
});
afterAll(() => t.stop());

const members = async (): Promise<Membership[]> =>
  (await t.demo.get(`${list}?per_page=10000`)).json as Membership[];
const membershipOf = async (party_id: number) =>
  (await members()).find((row) => row.party_id === party_id);
const add = (party_id: unknown) => t.demo.post(list, { project_membership: { party_id } });
const bulkAdd = (party_ids: unknown) => t.demo.post(`${list}/bulk_add`, { party_ids });
const remove = (party_ids: unknown) => t.demo.ask('DELETE', bulk_remove, { body: { party_ids } });
const [first, second] = [() => reference[0] ?? 0, () => reference[1] ?? 0];

/** More reference users than the demo has. */
const makeParties = (count: number): Promise<number[]> =>
  t.service.app.store.write(async (tx) => {
    const from = await takeIds(tx, 'parties', count);
    const ids = Array.from({ length: count }, (_, index) => from + index);
    const now = t.clock.now();
    const row = {
      company_id: t.demo.company_id,
      project_id: null,
      reference_user: 1,
      active: 1,
      version: 1,
      created_at: now,
      updated_at: now,
    };
    for (let at = 0; at < count; at += 500)
      await tx
        .insertInto('parties')
        .values(
          ids
            .slice(at, at + 500)
            .map((id) => ({ ...row, id, name: `P ${id}`, name_folded: sortKey(`P ${id}`) })),
        )
        .execute();
    return ids;
  });

describe('reference, Project memberships: list', () => {
  it('reference: id, party_id, project_id; inactive users and vendors are there, reference users not yet (reference R-memberships-1, R-memberships-4)', async () => {
    const rows = await members();
    for (const row of rows) {
      expect(projectMembership.safeParse(row).error).toBeUndefined();
      expect(Object.keys(row).sort()).toEqual(['id', 'party_id', 'project_id']);
      expect(row.project_id).toBe(t.demo.project_id);
    }
    const listed = rows.map(({ party_id }) => party_id);
    for (const id of others) expect(listed).toContain(id);
    for (const id of reference) expect(listed).not.toContain(id);
    const inactive = await t.service.app.store.read
      .selectFrom('parties')
      .select('id')
      .where('company_id', '=', t.demo.company_id)
      .where('active', '=', 0)
      .execute();
    expect(inactive.length).toBeGreaterThan(0);
    for (const { id } of inactive) expect(listed).toContain(id);
  });

  it('reference, Pagination; decisions §2: Per-Page, Total and Link (reference R-memberships-5)', async () => {
    const all = await members();
    const page = await t.demo.get(`${list}?per_page=2&page=2`);
    expect(page.json).toEqual(all.slice(2, 4));
    expect(page.headers.get('per-page')).toBe('2');
    expect(page.headers.get('total')).toBe(String(all.length));
    expect(page.headers.get('link')).toMatch(/rel="first".*rel="last"/);
    for (const query of ['page=0', 'per_page=10001'])
      expect((await t.demo.get(`${list}?${query}`)).status).toBe(422);
  });
});

describe('decisions §7: add', () => {
  it('reference, decisions §1.4: 201 with the party ids; single add of a member is a 422 (reference R-memberships-7)', async () => {
    const answer = await add(first());
    expect([answer.status, answer.json]).toEqual([201, [first()]]);
    expect(await membershipOf(first())).toMatchObject({ project_id: t.demo.project_id });
    const again = await add(first());
    expect([again.status, Object.keys(again.json.errors)]).toEqual([
      422,
      ['project_membership.party_id'],
    ]);
    await remove([first()]);
  });

  it('decisions §7: who has a login or a vendor, and who does not exist, is a 422 (reference R-memberships-2, R-memberships-6)', async () => {
    const theirs = (await t.other.get('~/catalog')).json.parties[0].id;
    for (const id of [...others, theirs, 4711, 0, -1, '1', 1.5, null, 2 ** 53, undefined])
      expect([(await add(id)).status, Object.keys((await add(id)).json.errors)]).toEqual([
        422,
        ['project_membership.party_id'],
      ]);
    const missing = await t.demo.post(list, {});
    expect(missing.json.errors).toHaveProperty(['project_membership']);
  });

  it('decisions §7: bulk_add leaves out who is a member already, and counts nobody twice (reference R-memberships-11)', async () => {
    await add(first());
    const answer = await bulkAdd([second(), first(), second()]);
    expect([answer.status, answer.json]).toEqual([201, [second()]]);
    expect((await bulkAdd([second()])).json).toEqual([]);
    expect((await bulkAdd([])).json).toEqual([]);
    await remove(reference);
  });

  it('decisions §7: unknown ids or non-reference users in a bulk_add: 422, nothing added (reference R-memberships-2, R-memberships-10)', async () => {
    const before = await members();
    for (const bad of [4711, others[0]]) {
      const answer = await bulkAdd([first(), bad, second()]);
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ['party_ids']]);
      expect(answer.text).toContain(String(bad));
    }
    for (const bad of ['1', 0, 1.5, null])
      expect((await bulkAdd([first(), bad])).json.errors).toHaveProperty(['party_ids.1']);
    for (const body of [{}, { party_ids: null }, { party_ids: 1 }])
      expect((await t.demo.post(`${list}/bulk_add`, body)).json.errors).toHaveProperty([
        'party_ids',
      ]);
    expect(await members()).toEqual(before);
  });

  it('failures S1: twenty additions of the same party at once make one member', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => add(first())));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(19);
    await remove([first()]);
  });
});

describe('decisions §7: remove', () => {
  it('reference, decisions §1.4: 204 without a body, and gone (reference R-memberships-8, R-memberships-9)', async () => {
    await add(first());
    const { id = 0 } = (await membershipOf(first())) ?? {};
    const answer = await t.demo.delete(`${list}/${id}?party_id=${first()}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await membershipOf(first())).toBeUndefined();
    expect((await t.demo.delete(`${list}/${id}?party_id=${first()}`)).status).toBe(404);
  });

  it('decisions §7: id and party_id must belong together, else 404', async () => {
    await bulkAdd([first(), second()]);
    const { id = 0 } = (await membershipOf(first())) ?? {};
    for (const path of [
      `${id}?party_id=${second()}`,
      `4711?party_id=${first()}`,
      `${id}?party_id=4711`,
    ])
      expect((await t.demo.delete(`${list}/${path}`)).status).toBe(404);
    expect(await membershipOf(first())).toBeDefined();
    await remove(reference);
  });

  it('decisions §1.2: a missing or malformed party_id is a 422 on its name (reference R-memberships-8)', async () => {
    const { id = 0 } = (await members())[0] ?? {};
    for (const query of [
      '',
      '?party_id=',
      '?party_id=x',
      '?party_id=0',
      '?party_id=1&party_id=2',
    ]) {
      const answer = await t.demo.delete(`${list}/${id}${query}`);
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ['party_id']]);
    }
  });

  it('decisions §7: a non-reference user is a 422 and stays (reference R-memberships-3)', async () => {
    for (const party_id of others) {
      const { id = 0 } = (await membershipOf(party_id)) ?? {};
      const answer = await t.demo.delete(`${list}/${id}?party_id=${party_id}`);
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ['party_id']]);
      expect(await membershipOf(party_id)).toBeDefined();
    }
  });
});

describe('decisions §7, reference: bulk_remove (v2.0)', () => {
  it('decisions §7: skipped are those that are no reference-user member of the project (reference R-memberships-3, R-memberships-14, R-memberships-16)', async () => {
    await bulkAdd([first(), second()]);
    const answer = await remove([second(), others[0], 4711, first(), reference[2]]);
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        data: {
          processed_ids: [second(), first()],
          skipped_ids: [others[0], 4711, reference[2]],
        },
      },
    ]);
    expect(await membershipOf(others[0] ?? 0)).toBeDefined();
    expect((await remove([first()])).json.data).toEqual({
      processed_ids: [],
      skipped_ids: [first()],
    });
  });

  it('reference, decisions §1.1: path ids are texts; another company’s is a 403, what is no id a 404 (reference R-memberships-12)', async () => {
    const at = (company: string, project: string) =>
      t.demo.ask(
        'DELETE',
        `/rest/v2.0/companies/${company}/projects/${project}/project_memberships/bulk_remove`,
        { body: { party_ids: [] } },
      );
    const [company, project] = [String(t.demo.company_id), String(t.demo.project_id)];
    expect((await at(company, project)).status).toBe(200);
    expect((await at(String(t.other.company_id), project)).status).toBe(403);
    expect((await at(company, String(t.other.project_id))).status).toBe(404);
    for (const bad of ['abc', '0', '-1', '01', '1e0', '0x1', '%201', '99999999999999999999'])
      expect([(await at(company, bad)).status, (await at(bad, project)).status]).toEqual([
        404, 404,
      ]);
  });

  it('failures S19, decisions §7: of 1001 ids the first 1000 are processed and the rest ignored (reference R-memberships-15)', async () => {
    const ids = await makeParties(1001);
    expect((await bulkAdd(ids)).json).toHaveLength(1001);
    const answer = await remove(ids);
    expect(answer.json.data).toEqual({ processed_ids: ids.slice(0, 1000), skipped_ids: [] });
    expect(await membershipOf(ids[1000] ?? 0)).toBeDefined();
    // Ignored items are not validated either.
    const junk = await remove([ids[1000], ...Array.from({ length: 999 }, () => 4711), 'x', null]);
    expect(junk.json.data).toEqual({ processed_ids: [ids[1000]], skipped_ids: [4711] });
  });

  it('failures S19: of a million ids the first 1000 are answered, and no other is looked at', async () => {
    await bulkAdd([first()]);
    const ids = Array.from({ length: 999 }, (_, index) => 5_000_000 + index);
    // These would be refused if they were read.
    const rest = Array.from({ length: 999_000 }, () => 0);
    const answer = await remove([first(), ...ids, ...rest]);
    expect(answer.status, answer.text.slice(0, 200)).toBe(200);
    expect(answer.json.data.processed_ids).toEqual([first()]);
    expect(answer.json.data.skipped_ids).toEqual(ids);
  });

  it('failures S19: duplicates count once; strings and other non-ids are a 422 that names the first (reference R-memberships-13)', async () => {
    await add(first());
    const twice = await remove([first(), first(), 4711, 4711]);
    expect(twice.json.data).toEqual({ processed_ids: [first()], skipped_ids: [4711] });
    for (const bad of ['1', 0, -1, 1.5, null, {}, [], true, 2 ** 53]) {
      const answer = await remove([first(), bad, bad]);
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ['party_ids.1']]);
    }
    const many = await remove(Array.from({ length: 100_000 }, () => 'x'));
    expect([many.status, Object.keys(many.json.errors)]).toEqual([422, ['party_ids.0']]);
    for (const body of [{}, { party_ids: null }, { party_ids: {} }])
      expect((await t.demo.ask('DELETE', bulk_remove, { body })).json.errors).toHaveProperty([
        'party_ids',
      ]);
  });
});

describe('decisions §1.3, §1.5, §9.4: what every resource keeps', () => {
  it('failures S22: other fields of a body are ignored and never stored', async () => {
    const answer = await t.demo.post(list, {
      id: 4711,
      project_membership: {
        party_id: first(),
        id: 4711,
        project_id: t.other.project_id,
        company_id: t.other.company_id,
        created_at: '2001-01-01',
      },
    });
    expect(answer.status).toBe(201);
    const row = await membershipOf(first());
    expect(row).toMatchObject({ project_id: t.demo.project_id });
    expect(row?.id).not.toBe(4711);
    await remove([first()]);
  });

  it('decisions §1.5: the same key adds and removes once, and answers the same again', async () => {
    const key = { 'idempotency-key': 'membership' };
    const body = { project_membership: { party_id: first() } };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => t.demo.post(list, body, key)),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    const ask = { body: { party_ids: [first()] }, headers: key };
    const gone = await t.demo.ask('DELETE', bulk_remove, ask);
    const again = await t.demo.ask('DELETE', bulk_remove, ask);
    expect(again.json.data.processed_ids).toEqual([first()]);
    expect(again.text).toBe(gone.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('decisions §9.3, §9.4: one event of Project Memberships for each that comes or goes, none for who was skipped', async () => {
    const events = await eventsSince(t, 'Project Memberships');
    await bulkAdd([first(), second()]);
    await bulkAdd([first(), 4711]);
    const ids = [(await membershipOf(first()))?.id, (await membershipOf(second()))?.id];
    await t.demo.delete(`${list}/${ids[0]}?party_id=${first()}`);
    await remove([first(), second()]);
    expect(await events()).toEqual([
      `create ${ids[0]}`,
      `create ${ids[1]}`,
      `delete ${ids[0]}`,
      `delete ${ids[1]}`,
    ]);
  });
});
