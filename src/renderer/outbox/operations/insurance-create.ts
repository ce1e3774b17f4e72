/**
 * `insurance.create`: a new insurance of a vendor (reference: Vendor insurances; decisions §8). Against a server without
 * idempotency keys one whose outcome is unknown is looked for first: an insurance of this vendor with every field the same,
 * which no other record of this laptop is, is this one.
 */
import { everyRow } from '../../../contract/rest/every-page.ts';
import { ok, type Result } from '../../../contract/problem.ts';
import type { Insurance } from '../../../contract/rest/insurances.ts';
import { fieldsOfInsurance, serverInsuranceKey } from '../../data/insurance-rows.ts';
import type { SpotterDb } from '../../data/db.ts';
import { mayBeDouble } from './company.ts';
import type { Operation, SendContext } from './operation.ts';

const PAGE_SIZE = 1000;

/** All insurances of a vendor, as the server lists them. */
export const listAll = async (
  { host }: Pick<SendContext, 'host'>,
  params: { readonly project_id: number; readonly vendor_id: number },
): Promise<Result<Insurance[]>> =>
  everyRow(PAGE_SIZE, (query) => host.request('insurances.list', { params, query }));

/** Has the record every field that was to be written? A decimal may come back with other zeros. */
export const sameAsWritten = (
  server: Insurance,
  written: Readonly<Record<string, unknown>>,
): boolean => {
  const there: Readonly<Record<string, unknown>> = fieldsOfInsurance(server);
  return Object.entries(written).every(([field, value]) => {
    if (value === null || value === undefined || value === '') return true;
    return field === 'limit' ? Number(there[field]) === Number(value) : there[field] === value;
  });
};

/** Those that are records made on this laptop: no second one is the same. */
export const madeHere = async (
  { db, entry }: Pick<SendContext, 'db' | 'entry'>,
  ids: readonly number[],
): Promise<ReadonlySet<number>> => {
  const { account } = entry;
  const rows = await db.insurances
    .where('[account+server_id]')
    .anyOf(ids.map((id) => [account, id]))
    .toArray();
  return new Set(
    rows.flatMap((row) =>
      row.key === serverInsuranceKey(account, row.server_id) ? [] : [row.server_id],
    ),
  );
};

/** Inside the settling transaction: the server's copy under the key it is known by here. */
export const putInsurance = async (
  db: SpotterDb,
  place: {
    readonly account: string;
    readonly company_id: number;
    readonly project_id: number;
    readonly vendor_id: number;
  },
  server: Insurance,
  key: string | null,
  seen_at: number,
): Promise<void> => {
  const { account, company_id, project_id, vendor_id } = place;
  const here = await db.insurances
    .where('[account+server_id]')
    .equals([account, server.id])
    .first();
  const final = key ?? here?.key ?? serverInsuranceKey(account, server.id);
  if (here !== undefined && here.key !== final) await db.insurances.delete(here.key);
  await db.insurances.put({
    key: final,
    account,
    company_id,
    project_id,
    vendor_id,
    seen_at,
    server_id: server.id,
    server,
  });
};

export const insuranceCreateOperation: Operation<'insurance.create', Insurance> = {
  async send({ project_id, vendor_id, insurance }, context) {
    const params = { project_id, vendor_id };
    const double = await mayBeDouble(context, project_id);
    if (!double.ok) return double;
    if (double.value) {
      const all = await listAll(context, params);
      if (!all.ok) return all;
      const same = all.value.filter((one) => sameAsWritten(one, insurance));
      const mine = await madeHere(
        context,
        same.map(({ id }) => id),
      );
      const found = same.find(({ id }) => !mine.has(id));
      if (found) return ok(found);
    }
    const answer = await context.host.request('insurances.create', {
      params,
      body: { insurance },
      idempotency_key: context.entry.id,
    });
    return answer.ok ? ok(answer.value.data) : answer;
  },

  async settle(payload, server, { db, entry, seen_at }) {
    const place = { ...payload, account: entry.account };
    await putInsurance(db, place, server, payload.record_key, seen_at);
    return [{ local_id: payload.record_key, server_id: server.id }];
  },
};
