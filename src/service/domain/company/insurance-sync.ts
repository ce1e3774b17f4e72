/**
 * Sync: creates and updates many insurances in one request, each item on its own (decisions §8). Items run in order, so an item
 * sees the effects of earlier ones. `entities` and `errors` keep that order and together contain every item once. Within one
 * vendor, a sync gives an origin_id to one record only.
 */
import {
  insurance,
  insuranceSyncItem,
  insuranceWrite,
  type Insurance,
  type InsuranceSyncError,
} from '../../../contract/rest/insurances.ts';
import { takeIds } from '../../store/engine/ids.ts';
import * as store from '../../store/insurances.ts';
import { badTexts } from '../bad-text.ts';
import { parseFields } from '../field-errors.ts';
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

/** The fields of an item whose text can be stored. */
type Kept = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Kept =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The valid fields of an item, with response names, so that a person recognises the item. */
const readable = (item: Kept): Partial<Insurance> => {
  const fields = Object.entries(insuranceWrite.shape).flatMap(([name, schema]) => {
    const parsed = schema.safeParse(item[name]);
    if (!parsed.success || parsed.data === undefined) return [];
    return [[name === 'name' ? 'insurance_provider' : name, parsed.data]];
  });
  return Object.fromEntries(fields) as Partial<Insurance>;
};

/** Every field of an insurance, set to null. */
const unsaid = Object.fromEntries(Object.keys(insurance.shape).map((name) => [name, null]));

/** An error item: the fields it sent over those of the record it names, if any (reference: Errors 3). */
const refused = (
  context: Context,
  item: Kept,
  row: store.InsuranceRow | undefined,
  errors: FieldErrors,
): InsuranceSyncError => {
  const sent = item['id'];
  return {
    ...unsaid,
    id: typeof sent === 'number' && Number.isSafeInteger(sent) && sent > 0 ? sent : null,
    vendor_id: context.vendor_id,
    ...(row ? viewInsurance(row) : {}),
    ...readable(item),
    errors,
  };
};

/** '' counts as no origin_id. */
const isOrigin = (origin_id: unknown): origin_id is string =>
  typeof origin_id === 'string' && origin_id !== '';

/** Finds an item's record by its id, else by its origin_id. Null: the id is unknown. Undefined: the item creates a record. */
const findMeant = async (
  context: Context,
  item: { readonly id?: unknown; readonly origin_id?: unknown },
): Promise<store.InsuranceRow | null | undefined> => {
  const place = placeOf(context);
  if (typeof item.id === 'number' && Number.isSafeInteger(item.id))
    return (await store.findInsurance(context.db, place, item.id)) ?? null;
  return isOrigin(item.origin_id)
    ? store.findInsuranceByOrigin(context.db, place, item.origin_id)
    : undefined;
};

/** Other records that have the origin_id which an item, chosen by its id, is about to set. */
const othersOf = async (
  context: Context,
  { id, origin_id }: { readonly id?: unknown; readonly origin_id?: unknown },
): Promise<readonly store.InsuranceRow[]> =>
  typeof id === 'number' && isOrigin(origin_id)
    ? (await store.listInsurancesByOrigin(context.db, placeOf(context), origin_id)).filter(
        (row) => row.id !== id,
      )
    : [];

const TAKEN: FieldErrors = { origin_id: ['is given to another record by an earlier item'] };

/** Validates one item without looking at records. An item that is not an object names no record. */
const judge = (item: unknown) => {
  if (!isObject(item)) return { kept: {}, data: null, errors: { updates: ['must be an object'] } };
  const unkept = badTexts(item);
  const kept = Object.fromEntries(
    Object.entries(item).filter(([name]) => !Object.hasOwn(unkept, name)),
  );
  const parsed = parseFields(insuranceSyncItem, kept);
  const errors = { ...('errors' in parsed ? parsed.errors : {}), ...unkept } as FieldErrors;
  return { kept, data: 'data' in parsed ? parsed.data : null, errors };
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
  /** Records already in the response: no later item takes their origin_id. */
  const answered = new Set<number>();
  const changed = (id: number, change: Change): void => {
    if (!changes.has(id)) changes.set(id, change);
  };
  // Reserves one id per item before anything else. This locks the counter's row until the commit, so of two concurrent syncs the
  // second sees the origin_ids of the first.
  let next = items.length === 0 ? 0 : await takeIds(context.db, 'insurances', items.length);
  for (const item of items) {
    const { kept, data, errors: wrong } = judge(item);
    const meant = await findMeant(context, kept);
    const others = meant ? await othersOf(context, kept) : [];
    const bad: FieldErrors = {
      ...wrong,
      ...(meant === null ? { id: ['not found'] } : {}),
      ...(others.some(({ id }) => answered.has(id)) ? TAKEN : {}),
    };
    if (data === null || meant === null || Object.keys(bad).length > 0) {
      errors.push(refused(context, kept, meant ?? undefined, bad));
      continue;
    }
    for (const other of others) {
      await changeInsurance(context, other, { origin_id: null });
      changed(other.id, 'update');
    }
    const row = meant
      ? await changeInsurance(context, meant, data)
      : await insertInsurance(context, next++, data);
    if (row !== meant) changed(row.id, meant ? 'update' : 'create');
    answered.add(row.id);
    entities.push(viewInsurance(row));
  }
  for (const [id, change] of changes) await recordInsurance(context, id, change);
  return { entities, errors };
};
