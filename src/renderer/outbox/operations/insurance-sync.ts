/**
 * `insurance.sync`: lines of a CSV file in one request (reference: sync; decisions §8). What was refused is kept by its row of
 * the file until a person has looked at it. Against a server without idempotency keys a second try gives the lines that would be
 * created the ids of the records that are there already, field for field the same.
 */
import { ok, type Result } from '../../../contract/problem.ts';
import type {
  Insurance,
  InsuranceSyncError,
  InsuranceSyncItem,
} from '../../../contract/rest/insurances.ts';
import type { InsurancesToSync } from '../../entries/insurance.ts';
import { mayBeDouble } from './company.ts';
import { listAll, madeHere, putInsurance, sameAsWritten } from './insurance-create.ts';
import type { Operation, SendContext } from './operation.ts';

export interface SyncOutcome {
  readonly file: string;
  readonly created: number;
  readonly updated: number;
  readonly errors: readonly {
    /** Of the file; null where the answer does not tell which line it means. */
    readonly row: number | null;
    readonly name: string;
    readonly errors: Readonly<Record<string, readonly string[]>>;
  }[];
}

/** Does the refused item look like this one? Fields that are said to be wrong cannot be compared. */
const isOf = (item: InsuranceSyncItem, error: InsuranceSyncError): boolean => {
  // A record found by its origin_id has an id in the answer that the item has not; one that is not found has the item's.
  const named = typeof item.id === 'number' || 'id' in error.errors;
  if (named && typeof error.id === 'number' && item.id !== error.id) return false;
  const { insurance_provider, ...same } = error;
  const told: Readonly<Record<string, unknown>> = { ...same, name: insurance_provider };
  return Object.entries(item).every(
    ([name, value]) =>
      name === 'id' || name in error.errors || told[name] === undefined || told[name] === value,
  );
};

/** Refused items by their line: in the answer they have no number, only what they said. */
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

/** Lines that would be created, with the id of the record they are already. */
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
}

export const insuranceSyncOperation: Operation<'insurance.sync', Synced> = {
  async send(payload, context) {
    const { project_id, vendor_id } = payload;
    const double = await mayBeDouble(context, project_id);
    if (!double.ok) return double;
    const items = double.value ? await withIds(payload, context) : ok(payload.updates);
    if (!items.ok) return items;
    const answer = await context.host.request('insurances.sync', {
      params: { project_id, vendor_id },
      body: { updates: [...items.value] },
      idempotency_key: context.entry.id,
    });
    return answer.ok ? ok(answer.value.data) : answer;
  },

  async settle(payload, { entities, errors }, { db, entry, seen_at }) {
    const { account } = entry;
    const place = { ...payload, account };
    const ids = entities.map(({ id }) => [account, id]);
    const known = await db.insurances.where('[account+server_id]').anyOf(ids).count();
    for (const server of entities) await putInsurance(db, place, server, null, seen_at);
    const unique = new Set(entities.map(({ id }) => id)).size;
    await db.outcomes.put({
      entry_id: entry.id,
      account,
      project_id: payload.project_id,
      lane: payload.key,
      kind: entry.kind,
      at: seen_at,
      data: {
        file: payload.about,
        created: unique - known,
        updated: known,
        errors: errorsByRow(payload, errors),
      } satisfies SyncOutcome,
    });
    return [];
  },
};
