/**
 * Sync: many insurances in one request, each item judged and written by itself (decisions §8). Items run in order, so an item
 * sees what the items before it did; entities and errors each keep that order and together are every item once.
 */
import {
  insuranceSyncItem,
  insuranceWrite,
  type Insurance,
  type InsuranceSyncError,
} from '../../contract/rest/insurances.ts';
import { takeIds } from '../store/ids.ts';
import * as store from '../store/insurances.ts';
import { parseFields } from './field-errors.ts';
import {
  changeInsurance,
  insertInsurance,
  placeOf,
  recordInsurance,
  requireVendor,
  viewInsurance,
  type Change,
  type Context,
} from './insurances.ts';

interface Synced {
  readonly entities: Insurance[];
  readonly errors: InsuranceSyncError[];
}

type FieldErrors = InsuranceSyncError['errors'];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the item sent that could be read, in an answer's words: so that a person recognises the item. */
const readable = (item: unknown): Partial<Insurance> => {
  if (!isObject(item)) return {};
  const fields = Object.entries(insuranceWrite.shape).flatMap(([name, schema]) => {
    const parsed = schema.safeParse(item[name]);
    if (!parsed.success || parsed.data === undefined) return [];
    return [[name === 'name' ? 'insurance_provider' : name, parsed.data]];
  });
  return Object.fromEntries(fields) as Partial<Insurance>;
};

/** A refused item: the record it meant where there is one, below what it sent (reference: Errors 3). */
const refused = (
  context: Context,
  item: unknown,
  row: store.InsuranceRow | undefined,
  errors: FieldErrors,
): InsuranceSyncError => {
  const sent = isObject(item) ? item['id'] : null;
  return {
    id: typeof sent === 'number' && Number.isSafeInteger(sent) && sent > 0 ? sent : null,
    vendor_id: context.vendor_id,
    ...(row ? viewInsurance(row) : {}),
    ...readable(item),
    errors,
  };
};

/** The record an item means, by its id or else by its origin_id; null: an id that nobody has. */
const findMeant = async (
  context: Context,
  item: { readonly id?: unknown; readonly origin_id?: unknown },
): Promise<store.InsuranceRow | null | undefined> => {
  const place = placeOf(context);
  if (typeof item.id === 'number' && Number.isSafeInteger(item.id))
    return (await store.findInsurance(context.db, place, item.id)) ?? null;
  return typeof item.origin_id === 'string'
    ? store.findInsuranceByOrigin(context.db, place, item.origin_id)
    : undefined;
};

/** @throws Refusal 404 when the project does not know the vendor */
export const syncInsurances = async (
  context: Context,
  items: readonly unknown[],
): Promise<Synced> => {
  await requireVendor(context);
  const entities: Insurance[] = [];
  const errors: InsuranceSyncError[] = [];
  const changes = new Map<number, Change>();
  // Taken first, one for each item, used or not: the counter's row is locked until the commit, so of two syncs at once
  // the second sees the origin_ids that the first has made.
  let next = items.length === 0 ? 0 : await takeIds(context.db, 'insurances', items.length);
  for (const item of items) {
    const parsed = isObject(item)
      ? parseFields(insuranceSyncItem, item)
      : { errors: { updates: ['must be an object'] } };
    const meant = isObject(item) ? await findMeant(context, item) : undefined;
    const bad: FieldErrors = {
      ...('errors' in parsed ? parsed.errors : {}),
      ...(meant === null ? { id: ['not found'] } : {}),
    };
    if ('errors' in parsed || meant === null) {
      errors.push(refused(context, item, meant ?? undefined, bad));
      continue;
    }
    const row = meant
      ? await changeInsurance(context, meant, parsed.data)
      : await insertInsurance(context, next++, parsed.data);
    if (!meant) changes.set(row.id, 'create');
    else if (row !== meant && !changes.has(row.id)) changes.set(row.id, 'update');
    entities.push(viewInsurance(row));
  }
  for (const [id, change] of changes) await recordInsurance(context, id, change);
  return { entities, errors };
};
