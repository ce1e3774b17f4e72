/** The orders of a project's near misses by which lists are sorted. The last ones are kept, and corrected where a record changed. */
import { eachField, lookupFields, shownName } from '../../../contract/rest/near-miss-fields.ts';
import type { NearMissRow } from '../db/db.ts';
import { idFields, isOwnSort, type Asked, type IdField } from '../model/near-miss-query.ts';
import type { NearMissTraits } from './near-miss-facts.ts';
import { comparer, type Compare, type SortParts } from './near-miss-sort.ts';

const nameFields: Readonly<Record<IdField, keyof NearMissRow['names']>> = {
  incident_id: 'incident',
  ...eachField(lookupFields, (name) => shownName(name)),
};

/** The names of ids, as rows show them. */
export interface Names {
  readonly fields: ReadonlyMap<IdField, Map<number, string>>;
  readonly reporters: Map<number, string>;
}

export const createNames = (): Names => ({
  fields: new Map(idFields.map((field) => [field, new Map()])),
  reporters: new Map(),
});

/** Learns the names that a row shows. Returns the fields in which one is new. */
export const learnNames = ({ fields, reporters }: Names, row: NearMissRow): readonly IdField[] => {
  const reporter = row.server?.incident_created_by;
  if (reporter) reporters.set(reporter.id, reporter.name ?? '');
  return idFields.filter((field) => {
    const id = row.fields[field];
    const known = fields.get(field);
    const name = row.names[nameFields[field]];
    if (!id || known === undefined || known.get(id) === name) return false;
    if (name === '' && known.has(id)) return false;
    known.set(id, name);
    return true;
  });
};

/** A cached order of all records, with the keys changed since it was sorted. */
interface Order {
  list: NearMissTraits[];
  readonly changed: Set<string>;
}

/** Maximum number of cached orders: each holds 100,000 references and takes about a tenth of a second to sort. */
const ORDERS = 4;

/** Merges the changed records, sorted, into the unchanged order. */
const merge = (
  order: Order,
  all: ReadonlyMap<string, NearMissTraits>,
  compare: Compare,
): NearMissTraits[] => {
  const kept = order.list.filter((one) => !order.changed.has(one.key));
  const fresh = [...order.changed].flatMap((key) => all.get(key) ?? []).sort(compare);
  const out: NearMissTraits[] = [];
  let at = 0;
  for (const one of kept) {
    for (let next = fresh[at]; next !== undefined && compare(next, one) < 0; next = fresh[at]) {
      out.push(next);
      at += 1;
    }
    out.push(one);
  }
  out.push(...fresh.slice(at));
  return out;
};

export interface Orders {
  /** All records, sorted. */
  of(sort: Asked['sort'], parts: SortParts): readonly NearMissTraits[];
  noteChanged(key: string): void;
  /** Drops the orders by a field in which a record has a new name. */
  dropBy(field: IdField): void;
}

export const createOrders = (
  all: ReadonlyMap<string, NearMissTraits>,
  { fields }: Names,
): Orders => {
  const orders = new Map<string, Order>();

  const sorted = (name: string, compare: Compare): readonly NearMissTraits[] => {
    const fresh = { list: [...all.values()].sort(compare), changed: new Set<string>() };
    orders.set(name, fresh);
    for (const old of orders.keys()) {
      if (orders.size <= ORDERS) break;
      orders.delete(old);
    }
    return fresh.list;
  };

  return {
    of(sort, parts) {
      const name = sort !== null && isOwnSort(sort) ? JSON.stringify([sort, parts]) : (sort ?? '');
      const order = orders.get(name);
      orders.delete(name);
      const compare = comparer(sort, fields, parts);
      if (order === undefined || order.changed.size > order.list.length / 4)
        return sorted(name, compare);
      if (order.changed.size > 0) order.list = merge(order, all, compare);
      order.changed.clear();
      orders.set(name, order);
      return order.list;
    },
    noteChanged(key) {
      for (const order of orders.values()) order.changed.add(key);
    },
    dropBy(field) {
      for (const sort of orders.keys()) if (sort.endsWith(nameFields[field])) orders.delete(sort);
    },
  };
};
