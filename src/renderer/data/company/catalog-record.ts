/**
 * Converts between the catalog and records of company data. Pure. It puts one delivered record into the catalog
 * before the next refresh, and lists the catalog's records of a kind when no others are on this laptop.
 */
import { type Catalog, catalog as catalogSchema } from '../../../contract/rest/catalog.ts';
import { companyNotices } from '../../../contract/rest/companies.ts';
import type { OwnDataFields, OwnDataKind } from '../../operations/company/company-record.ts';
import { isOffered } from './company-record-rows.ts';

type ListName = Exclude<keyof Catalog, 'notices'>;

/** The catalog's list for a kind; null if it has none. */
const listOf = (of: OwnDataKind): ListName | null => {
  if (of === 'projects' || of === 'company') return null;
  return of === 'affected_companies' ? 'companies' : of;
};

export const withRecord = (catalog: Catalog, of: OwnDataKind, record: OwnDataFields): Catalog => {
  if (of === 'company') {
    const notices = companyNotices.safeParse(record);
    return notices.success ? { ...catalog, notices: notices.data } : catalog;
  }
  const list = listOf(of);
  if (list === null) return catalog;
  // A closed incident stays in the list, marked, because a near miss may refer to it.
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

/** The records of a kind that the catalog contains. */
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
