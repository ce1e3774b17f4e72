/** Vendor insurances: reference (Insurance, Vendor insurances) and decisions §8. Sync is in insurances-sync.test.ts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insurance as insuranceSchema } from '../../src/contract/rest/insurances.ts';
import { eventsSince } from '../support/events.ts';
import { startTestService, type TestService } from '../support/service.ts';

let t: TestService;
let vendors: { id: number }[];
let list: string;
beforeAll(async () => {
  t = await startTestService();
  vendors = (await t.demo.get('~/catalog')).json.vendors;
  list = `~/vendors/${vendors[0]?.id}/insurances`;
});
afterAll(() => t.stop());

const whole = {
  effective_date: '2026-01-01',
  enable_expired_insurance_notifications: false,
  exempt: true,
  expiration_date: '2026-12-31',
  info_received: true,
  insurance_type: 'General liability',
  limit: '1000000.00',
  name: 'Northern Mutual',
  notes: 'Renewal asked for',
  policy_number: 'NM-77',
  status: 'compliant',
  additional_insured: 'Harbour Authority',
  division_template: 'Division A',
  insurance_sets: 'Set 1',
  origin_data: '{"row":7}',
  origin_id: 'erp-7',
};
const create = (insurance: unknown, path = list) => t.demo.post(path, { insurance });
const made = async (insurance: object = {}, path = list) => {
  const answer = await create(insurance, path);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
};
const total = async (): Promise<string | null> =>
  (await t.demo.get(`${list}?per_page=1`)).headers.get('total');

describe('reference, Insurance: fields', () => {
  it('decisions §8, reference: every writable field is kept; `name` goes in, `insurance_provider` comes out (reference R-insurance-5, R-insurance-11, R-insurance-12)', async () => {
    const row = await made(whole);
    const { name, ...others } = whole;
    expect(row).toEqual({
      ...others,
      id: expect.any(Number),
      insurance_provider: name,
      vendor_id: vendors[0]?.id,
    });
    expect(insuranceSchema.safeParse(row).error).toBeUndefined();
    expect((await t.demo.get(`${list}/${row.id}`)).json).toEqual(row);
    expect((await t.demo.get(list)).json[0]).toEqual(row);
  });

  it('decisions §8: an empty insurance is accepted, and notifications are on by default (reference R-insurance-8)', async () => {
    expect(await made({})).toMatchObject({
      enable_expired_insurance_notifications: true,
      exempt: false,
      info_received: false,
      status: 'undecided',
      insurance_provider: null,
      limit: null,
      effective_date: null,
    });
  });

  it('reference, Insurance status: each of the seven is taken, anything else is a 422 (reference R-insurance-2)', async () => {
    for (const status of [
      'compliant',
      'compliant_in_progress',
      'expired',
      'non_compliant',
      'non_compliant_in_progress',
      'undecided',
      'unregistered',
    ])
      expect((await made({ status })).status).toBe(status);
    for (const status of ['Compliant', '', null, 1])
      expect((await create({ status })).json.errors).toHaveProperty(['insurance.status']);
  });

  it('decisions §8: dates are YYYY-MM-DD, a limit is a decimal string, anything else 422, on every way in (reference R-insurance-6, R-insurance-7)', async () => {
    const { id } = await made();
    const bad: [string, unknown][] = [
      ...['2026-02-30', '2026-1-1', '01.02.2026', '2026-01-01T00:00:00Z', '', 20260101, true].map(
        (value): [string, unknown] => ['effective_date', value],
      ),
      ['expiration_date', '2025-02-29'],
      ...[1000000, 1e6, '1,000', '1e6', 'abc', '', '.5', '5.', '-1', ' 1', '0x1', '١'].map(
        (value): [string, unknown] => ['limit', value],
      ),
    ];
    for (const [field, value] of bad)
      for (const answer of [
        await create({ [field]: value }),
        await t.demo.patch(`${list}/${id}`, { insurance: { [field]: value } }),
      ])
        expect(
          [answer.status, Object.keys(answer.json.errors)],
          `${field} ${String(value)}`,
        ).toEqual([422, [`insurance.${field}`]]);
    for (const limit of ['0', '1000000', '1000000.00', '0.5', '99999999999999999999.999999'])
      expect((await made({ limit })).limit).toBe(limit);
  });

  it('failures S22, decisions §1.3: read-only and unknown fields in a body change nothing (reference R-insurance-5)', async () => {
    const row = await made({
      id: 4711,
      vendor_id: vendors[1]?.id,
      company_id: t.other.company_id,
      project_id: t.other.project_id,
      insurance_provider: 'not me',
      created_at: '2001-01-01T00:00:00Z',
      version: 99,
      whatever: { a: 1 },
    });
    expect(row).toMatchObject({ vendor_id: vendors[0]?.id, insurance_provider: null });
    expect(row.id).not.toBe(4711);
    expect(row).not.toHaveProperty('version');
    const before = (await t.demo.get(`${list}/${row.id}`)).text;
    await t.demo.patch(`${list}/${row.id}`, { insurance: { id: 1, vendor_id: 2, nothing: 3 } });
    expect((await t.demo.get(`${list}/${row.id}`)).text).toBe(before);
  });

  it('decisions §1.3: the object `insurance` is required, in create and update (reference R-insurance-11, R-insurance-13)', async () => {
    const { id } = await made();
    for (const body of [{}, { insurance: null }, { insurance: [] }, { insurance: 'x' }, []])
      for (const answer of [
        await t.demo.post(list, body),
        await t.demo.patch(`${list}/${id}`, body),
      ])
        expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ['insurance']]);
  });
});

describe('reference, Vendor insurances: operations', () => {
  it('reference, decisions §1.4: update changes what is sent alone, and null empties (reference R-insurance-13)', async () => {
    const row = await made(whole);
    const answer = await t.demo.patch(`${list}/${row.id}`, {
      insurance: { name: 'Other', notes: null, limit: '5' },
    });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ ...row, insurance_provider: 'Other', notes: null, limit: '5' });
    expect((await t.demo.get(`${list}/${row.id}`)).json).toEqual(answer.json);
  });

  it('reference, decisions §1.4: delete answers 200 with the record, and it is gone (reference R-insurance-14)', async () => {
    const row = await made(whole);
    const answer = await t.demo.delete(`${list}/${row.id}`);
    expect([answer.status, answer.json]).toEqual([200, row]);
    for (const again of [
      await t.demo.delete(`${list}/${row.id}`),
      await t.demo.get(`${list}/${row.id}`),
      await t.demo.patch(`${list}/${row.id}`, { insurance: {} }),
    ])
      expect(again.status).toBe(404);
  });

  it('reference, Pagination; decisions §2: Per-Page, Total and Link of the list, newest first (reference R-insurance-9, R-insurance-10)', async () => {
    const path = `~/vendors/${vendors[2]?.id}/insurances`;
    const ids: number[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await made({}, path)).id);
    const page = await t.demo.get(`${path}?per_page=2&page=2`);
    expect(page.json.map(({ id }: { id: number }) => id)).toEqual(ids.slice(2, 4));
    expect([page.headers.get('per-page'), page.headers.get('total')]).toEqual(['2', '5']);
    const at = `${t.url}${path.replace('~', `/rest/v1.0/projects/${t.demo.project_id}`)}`;
    expect(page.headers.get('link')).toBe(
      `<${at}?per_page=2&page=1>; rel="first", <${at}?per_page=2&page=3>; rel="next", <${at}?per_page=2&page=3>; rel="last"`,
    );
    expect((await t.demo.get(path)).headers.get('link')).toBeNull();
    expect((await t.demo.get(`${path}?page=9`)).json).toEqual([]);
    for (const query of ['page=0', 'per_page=10001', 'per_page=x'])
      expect((await t.demo.get(`${path}?${query}`)).status).toBe(422);
  });

  it('decisions §1.1: a vendor that is not there, and a record of another vendor, are 404', async () => {
    const row = await made();
    for (const path of [`~/vendors/${vendors[1]?.id}/insurances/${row.id}`, `${list}/4711`]) {
      expect((await t.demo.get(path)).status).toBe(404);
      expect((await t.demo.patch(path, { insurance: {} })).status).toBe(404);
      expect((await t.demo.delete(path)).status).toBe(404);
    }
    const nobody = '~/vendors/4711/insurances';
    expect((await t.demo.get(nobody)).status).toBe(404);
    expect((await create({}, nobody)).status).toBe(404);
    expect((await t.demo.patch(`${nobody}/sync`, { updates: [] })).status).toBe(404);
    expect((await t.demo.get(`${list}/${row.id}`)).status).toBe(200);
  });

  it('decisions §1.7: ETag on show and update; another value in If-Match is a 412 and changes nothing', async () => {
    const row = await made();
    const path = `${list}/${row.id}`;
    const etag = (await t.demo.get(path)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[^"]+"$/);
    const stale = { 'if-match': '"stale"' };
    expect((await t.demo.patch(path, { insurance: { notes: 'a' } }, stale)).status).toBe(412);
    expect((await t.demo.delete(path, stale)).status).toBe(412);
    const changed = await t.demo.patch(path, { insurance: { notes: 'a' } }, { 'if-match': etag });
    expect([changed.status, changed.json.notes]).toEqual([200, 'a']);
    expect(changed.headers.get('etag')).not.toBe(etag);
    const same = await t.demo.patch(path, { insurance: { notes: 'a' } });
    expect(same.headers.get('etag')).toBe(changed.headers.get('etag'));
  });

  it('decisions §1.5: the same key creates, changes and deletes once', async () => {
    const before = Number(await total());
    const key = { 'idempotency-key': 'insurance' };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => t.demo.post(list, { insurance: whole }, key)),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(Number(await total())).toBe(before + 1);
    const path = `${list}/${answers[0]?.json.id}`;
    const gone = await t.demo.delete(path, key);
    const again = await t.demo.delete(path, key);
    expect([again.status, again.text]).toEqual([200, gone.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('decisions §9.3, §9.4: create, update and delete are events of Project Insurances; what changes nothing is none', async () => {
    const events = await eventsSince(t, 'Project Insurances');
    const { id } = await made();
    await t.demo.patch(`${list}/${id}`, { insurance: { notes: 'x' } });
    await t.demo.patch(`${list}/${id}`, { insurance: { notes: 'x' } });
    await create({ limit: 'x' });
    await t.demo.delete(`${list}/${id}`);
    expect(await events()).toEqual([`create ${id}`, `update ${id}`, `delete ${id}`]);
  });
});
