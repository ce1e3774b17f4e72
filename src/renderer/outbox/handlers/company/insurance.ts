/**
 * Sends insurances of a vendor (reference: Vendor insurances; decisions §8). On a server without idempotency keys, an
 * insurance with unknown outcome is looked up first. A match has every field equal and is no other record of this
 * laptop.
 */
import { everyRow } from '../../../../contract/rest/protocol/every-page.ts';
import { fail, ok, type Result } from '../../../../contract/problem.ts';
import type {
  Insurance,
  InsuranceSyncError,
  InsuranceSyncItem,
} from '../../../../contract/rest/insurances.ts';
import {
  fieldsOfInsurance,
  type InsuranceField,
  serverInsuranceKey,
} from '../../../data/company/insurance-rows.ts';
import type { SpotterDb } from '../../../data/db/db.ts';
import type {
  InsuranceToChange,
  InsurancesToSync,
  SyncNotes,
} from '../../../operations/company/insurance.ts';
import { lookThenWrite } from '../look-then-write.ts';
import { believeRecord } from '../believe-record.ts';
import { noRows, type Handler, type SendContext } from '../handler.ts';
import { mayBeDouble } from '../plain-server.ts';
import { removal } from '../removal.ts';

const PAGE_SIZE = 1000;

const listAll = async (
  { host }: Pick<SendContext, 'host'>,
  params: { readonly project_id: number; readonly vendor_id: number },
): Promise<Result<Insurance[]>> =>
  everyRow(PAGE_SIZE, (query) => host.request('insurances.list', { params, query }));

/** True if the record has every field that was sent. A decimal may return with other trailing zeros. */
const sameAsWritten = (server: Insurance, written: Readonly<Record<string, unknown>>): boolean => {
  const there: Readonly<Record<string, unknown>> = fieldsOfInsurance(server);
  return Object.entries(written).every(([field, value]) => {
    if (value === null || value === undefined || value === '') return true;
    return field === 'limit' ? Number(there[field]) === Number(value) : there[field] === value;
  });
};

/** Server ids that belong to records created on this laptop; they match no other record. */
const madeHere = async (
  { db, operation }: Pick<SendContext, 'db' | 'operation'>,
  ids: readonly number[],
): Promise<ReadonlySet<number>> => {
  const { account } = operation;
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

/** Stores the server's copy under its local key, inside the settling transaction. */
const putInsurance = async (
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

export const insuranceCreateOperation: Handler<'insurance.create', Insurance> = {
  rows: noRows,

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
      idempotency_key: context.operation.id,
    });
    return answer.ok ? believeRecord(context, insurance, answer.value.data) : answer;
  },

  async settle(payload, server, { db, operation, seen_at }) {
    const place = { ...payload, account: operation.account };
    await putInsurance(db, place, server, payload.record_key, seen_at);
    return [{ local_id: payload.record_key, server_id: server.id }];
  },
};

/** The server's values of fields that somebody else changed to something other than our value. */
const disputed = (
  server: Insurance,
  { changes, base }: Pick<InsuranceToChange, 'changes' | 'base'>,
): Record<string, unknown> => {
  const there = fieldsOfInsurance(server);
  const same = (a: unknown, b: unknown): boolean => (a ?? '') === (b ?? '');
  return Object.fromEntries(
    Object.entries(changes).flatMap(([name, wanted]) => {
      const value = there[name as InsuranceField];
      return same(value, wanted) || same(value, base[name]) ? [] : [[name, value]];
    }),
  );
};

export const insuranceUpdateOperation: Handler<'insurance.update', Insurance> = {
  rows: noRows,

  async send(payload, context) {
    const { project_id, vendor_id, changes } = payload;
    const id = await context.serverId(payload.record_key, payload.server_id);
    if (id === null) return fail({ kind: 'gone', status: 404, messages: [] });
    const params = { project_id, vendor_id, id };
    const { host } = context;
    return lookThenWrite(context, {
      look: () => host.request('insurances.show', { params }),
      disputed: (server) => disputed(server, payload),
      write: (under) =>
        host.request('insurances.update', { params, body: { insurance: changes }, ...under }),
      sent: changes,
    });
  },

  async settle(payload, server, { db, operation, seen_at }) {
    await putInsurance(db, { ...payload, account: operation.account }, server, null, seen_at);
    return [];
  },
};

export const insuranceDeleteOperation: Handler<'insurance.delete', number | null> = {
  rows: noRows,

  async send({ project_id, vendor_id, record_key, server_id }, { host, operation, serverId }) {
    const id = await serverId(record_key, server_id);
    return removal(id, (id) =>
      host.request('insurances.delete', {
        params: { project_id, vendor_id, id },
        idempotency_key: operation.id,
      }),
    );
  },

  async settle({ record_key }, id, { db, operation }) {
    await db.insurances.delete(record_key);
    if (id !== null)
      await db.insurances.where('[account+server_id]').equals([operation.account, id]).delete();
    return [];
  },
};

export interface SyncOutcome {
  readonly file: string;
  readonly created: number;
  readonly updated: number;
  readonly errors: readonly {
    /** The line of the file; null if the answer does not identify it. */
    readonly row: number | null;
    readonly name: string;
    readonly errors: Readonly<Record<string, readonly string[]>>;
  }[];
}

/** True if the refused item matches this one. Fields with errors cannot be compared. */
const isOf = (item: InsuranceSyncItem, error: InsuranceSyncError): boolean => {
  // An item matched by origin_id has an id in the answer that the item lacks; an unknown one echoes the item's id.
  const named = typeof item.id === 'number' || 'id' in error.errors;
  if (named && typeof error.id === 'number' && item.id !== error.id) return false;
  const { insurance_provider, ...same } = error;
  const received: Readonly<Record<string, unknown>> = { ...same, name: insurance_provider };
  return Object.entries(item).every(
    ([name, value]) =>
      name === 'id' ||
      name in error.errors ||
      received[name] === undefined ||
      received[name] === value,
  );
};

/** Maps refused items to their lines. The answer has no line numbers, only the items' values. */
export const errorsByRow = (
  { updates, rows }: Pick<InsurancesToSync, 'updates' | 'rows'>,
  errors: readonly InsuranceSyncError[],
): SyncOutcome['errors'] => {
  const taken = new Set<number>();
  return errors.map((error) => {
    const at = updates.findIndex((item, index) => !taken.has(index) && isOf(item, error));
    if (at >= 0) taken.add(at);
    const name = error.insurance_provider ?? error.policy_number ?? '';
    return { row: rows[at] ?? null, name, errors: error.errors };
  });
};

/** Adds ids to items that would be created although their record exists already. */
const withIds = async (
  { project_id, vendor_id, updates }: InsurancesToSync,
  context: SendContext,
): Promise<Result<readonly InsuranceSyncItem[]>> => {
  const all = await listAll(context, { project_id, vendor_id });
  if (!all.ok) return all;
  const free = new Set(all.value);
  const mine = await madeHere(
    context,
    all.value.map(({ id }) => id),
  );
  return ok(
    updates.map((item) => {
      if (typeof item.id === 'number' || item.origin_id) return item;
      const found = [...free].find((one) => !mine.has(one.id) && sameAsWritten(one, item));
      if (found === undefined) return item;
      free.delete(found);
      return { ...item, id: found.id };
    }),
  );
};

interface Synced {
  readonly entities: readonly Insurance[];
  readonly errors: readonly InsuranceSyncError[];
  readonly known: readonly number[];
}

/**
 * The ids known before the first attempt. An attempt with a lost answer may have created records, and a refresh may
 * store them before the next one.
 */
const knownBefore = async (
  { project_id, vendor_id }: InsurancesToSync,
  { db, operation, checkpoint }: SendContext<SyncNotes>,
): Promise<readonly number[]> => {
  if (operation.checkpoint.known !== undefined) return operation.checkpoint.known;
  const rows = await db.insurances
    .where('[account+project_id+vendor_id]')
    .equals([operation.account, project_id, vendor_id])
    .toArray();
  const known = rows.map(({ server_id }) => server_id);
  await checkpoint({ known });
  return known;
};

export const insuranceSyncOperation: Handler<'insurance.sync', Synced> = {
  rows: noRows,

  async send(payload, context) {
    const { project_id, vendor_id } = payload;
    const double = await mayBeDouble(context, project_id);
    if (!double.ok) return double;
    const items = double.value ? await withIds(payload, context) : ok(payload.updates);
    if (!items.ok) return items;
    const known = await knownBefore(payload, context);
    const answer = await context.host.request('insurances.sync', {
      params: { project_id, vendor_id },
      body: { updates: [...items.value] },
      idempotency_key: context.operation.id,
    });
    return answer.ok ? ok({ ...answer.value.data, known }) : answer;
  },

  async settle(payload, { entities, errors, known }, { db, operation, seen_at }) {
    const { account } = operation;
    const place = { ...payload, account };
    for (const server of entities) await putInsurance(db, place, server, null, seen_at);
    const ids = new Set(entities.map(({ id }) => id));
    const updated = known.filter((id) => ids.has(id)).length;
    await db.outcomes.put({
      operation_id: operation.id,
      account,
      project_id: payload.project_id,
      lane: payload.key,
      kind: operation.kind,
      at: seen_at,
      data: {
        file: payload.about,
        created: ids.size - updated,
        updated,
        errors: errorsByRow(payload, errors),
      } satisfies SyncOutcome,
    });
    return [];
  },
};
