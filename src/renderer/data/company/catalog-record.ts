/**
 * Pure: the catalog and the company's own data: a catalog in which one record is as the server just answered it, before the next
 * refresh; and the records of a kind as far as the catalog tells of them, where nothing else is on this laptop.
 */
import { type Catalog, catalog as catalogSchema } from '../../../contract/rest/catalog.ts';
import type { OwnDataFields, OwnDataKind } from '../../entries/company/company-record.ts';
import { isOffered } from './company-record-rows.ts';

type ListName = keyof Catalog;

/** The list of the catalog that holds a kind; null: none does. */
const listOf = (of: OwnDataKind): ListName | null => {
  if (of === 'projects' || of === 'company') return null;
  return of === 'affected_companies' ? 'companies' : of;
};

export const withRecord = (catalog: Catalog, of: OwnDataKind, record: OwnDataFields): Catalog => {
  const list = listOf(of);
  if (list === null) return catalog;
  // An incident that is closed stays, marked: a near miss may name it.
  const closed = of === 'incidents' ? { closed: !isOffered(of, record) } : {};
  const read = catalogSchema.shape[list].element.safeParse({ ...record, ...closed });
  if (!read.success) return catalog;
  const { data } = read;
  const kept = of === 'incidents' || isOffered(of, record);
  const all: readonly { readonly id: number }[] = catalog[list];
  const others = all.filter(({ id }) => id !== data.id);
  const at = all.findIndex(({ id }) => id === data.id);
  const next = kept ? others.toSpliced(at < 0 ? others.length : at, 0, data) : others;
  return { ...catalog, [list]: next };
};

/** What the catalog tells of the records of a kind. */
export const recordsIn = (
  catalog: Catalog,
  of: OwnDataKind,
): readonly ({ readonly id: number } & OwnDataFields)[] => {
  if (of === 'incidents')
    return catalog.incidents.map(({ closed, ...known }) => ({
      ...known,
      status: closed === true ? 'closed' : 'open',
    }));
  const list = listOf(of);
  return list === null ? [] : catalog[list].map((known) => ({ active: true, ...known }));
};
