/**
 * [ours] Imports many incidents of a project, all or none (decisions §11.5). A row matches the incident with its id, else its
 * number, else its title, among those that the importing user may see (§4.5). Without a match it creates an incident.
 */
import { sortKey } from '../../../contract/text/fold.ts';
import { incidentRow, type IncidentRow } from '../../../contract/rest/incidents.ts';
import type { Db } from '../../store/engine/db.ts';
import { takeIds } from '../../store/engine/ids.ts';
import { stampChange } from '../../store/engine/change-clock.ts';
import * as store from '../../store/near-misses/incidents.ts';
import {
  readImportRow,
  type Import,
  type ImportCounts,
  type ImportRow,
  type ReportErrors,
} from '../import-rows.ts';
import {
  changeIncident,
  listPeople,
  newIncident,
  recordIncident,
  type Where,
} from './incidents.ts';
import { Refusal, type FieldErrors } from '../problem.ts';

export interface IncidentsContext extends Where {
  readonly db: Db;
  readonly now: number;
}

interface Read {
  readonly place: string;
  readonly said: IncidentRow;
}

/** The fields that identify an incident. */
interface Name {
  readonly id: number;
  readonly number: number | null;
  readonly title: string;
  readonly status: string;
}

const namesOf = (rows: readonly Name[]) => {
  const byId = new Map<number, Name>();
  const byTitle = new Map<string, Set<number>>();
  const put = (name: Name): void => {
    const had = byId.get(name.id);
    if (had) byTitle.get(sortKey(had.title))?.delete(had.id);
    byId.set(name.id, name);
    const folded = sortKey(name.title);
    byTitle.set(folded, (byTitle.get(folded) ?? new Set()).add(name.id));
  };
  for (const row of rows) put(row);
  const byNumber = new Map(rows.map(({ id, number }) => [number, id]));
  const one = (id: number | undefined): readonly Name[] => {
    const found = id === undefined ? undefined : byId.get(id);
    return found ? [found] : [];
  };
  return {
    put,
    withId: one,
    withNumber: (number: number) => one(byNumber.get(number)),
    withTitle: (title: string) => [...(byTitle.get(sortKey(title)) ?? [])].flatMap((id) => one(id)),
  };
};
type Names = ReturnType<typeof namesOf>;

/** Among incidents with the same title: the exact spelling, else the open one. */
const onlyOf = (found: readonly Name[], title: string): readonly Name[] => {
  const exact = found.filter((one) => one.title === title);
  const close = exact.length > 0 ? exact : found;
  const open = close.filter(({ status }) => status === 'open');
  return open.length === 1 ? open : close;
};

type Meant = { readonly had: Name | null } | { readonly errors: FieldErrors };

/** The incident that a row matches; null if the row creates one. */
const meantBy = (names: Names, { id, number, title }: IncidentRow): Meant => {
  if (id !== undefined || number !== undefined) {
    const [had] = id === undefined ? names.withNumber(number ?? 0) : names.withId(id);
    return had ? { had } : { errors: { [id === undefined ? 'number' : 'id']: ['not found'] } };
  }
  if (title === undefined) return { errors: { title: ['is required'] } };
  const [had, ...others] = onlyOf(names.withTitle(title), title);
  if (others.length > 0)
    return { errors: { title: ['is that of several records: say which by id or number'] } };
  return { had: had ?? null };
};

/** Maps a refusal's errors to the row's field names: `incident.title` is `title`. */
const fieldsOf = (error: unknown): FieldErrors => {
  if (!(error instanceof Refusal) || Array.isArray(error.errors)) throw error;
  const named = Object.entries(error.errors as FieldErrors);
  return Object.fromEntries(
    named.map(([field, messages]) => [field.replace(/^incident\./, ''), messages]),
  );
};

const uniquePeople = ({ people_ids }: IncidentRow): number[] => [...new Set(people_ids ?? [])];

interface Batch {
  readonly opened: { readonly id: number; readonly title: string; readonly said: IncidentRow }[];
  readonly changed: { readonly place: string; readonly id: number; readonly said: IncidentRow }[];
}

/** Imports the rows in batches. */
export const incidentImport = (context: IncidentsContext, report: ReportErrors): Import => {
  const { db, company_id, project_id, user_id, now } = context;
  const where: Where = { company_id, project_id, user_id };
  /** Place of the row that matched each incident. */
  const places = new Map<number, string>();
  const counts = { created: 0, updated: 0, unchanged: 0 };
  let names: Names | null = null;
  /** Errors of the current batch, reported in the order of its rows. */
  const wrong = new Map<string, FieldErrors>();
  const bad = (place: string, errors: FieldErrors): void => void wrong.set(place, errors);

  const settle = (known: Names, { place, said }: Read, fresh: number, batch: Batch): void => {
    const meant = meantBy(known, said);
    if ('errors' in meant) return bad(place, meant.errors);
    const { had } = meant;
    const before = had && places.get(had.id);
    if (before) return bad(place, { title: [`means the same record as ${before}`] });
    const id = had?.id ?? fresh;
    const title = said.title ?? had?.title ?? '';
    places.set(id, place);
    const status = said.status ?? had?.status ?? 'open';
    known.put({ id, number: had?.number ?? null, title, status });
    if (had) batch.changed.push({ place, id, said });
    else batch.opened.push({ id, title, said });
  };

  const open = async ({ opened }: Batch): Promise<void> => {
    if (opened.length === 0) return;
    const first = await store.takeIncidentNumbers(db, where, opened.length);
    const updated_at = await stampChange(db, company_id, now);
    const rows = opened.map(({ id, title, said }, index) =>
      newIncident(where, { id, number: first + index }, { ...said, title }, { now, updated_at }),
    );
    await store.insertIncidents(db, rows);
    for (const { id, said } of opened)
      if (said.private === true) await listPeople(db, where, id, uniquePeople(said));
    await Promise.all(opened.map(({ id }) => recordIncident(db, where, id, 'create', now)));
    counts.created += opened.length;
  };

  const change = async ({ changed }: Batch): Promise<void> => {
    const rows = await store.findIncidents(
      db,
      where,
      changed.map(({ id }) => id),
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const { place, id, said } of changed) {
      const row = byId.get(id);
      if (!row) throw new Error('an incident went while its company was written');
      try {
        const done = await changeIncident(db, where, row, said, now);
        counts[done ? 'updated' : 'unchanged'] += 1;
      } catch (error) {
        bad(place, fieldsOf(error));
      }
    }
  };

  /** The rows with only existing people; the others are reported. */
  const withPeople = async (read: readonly Read[]): Promise<readonly Read[]> => {
    const named = [...new Set(read.flatMap(({ said }) => uniquePeople(said)))];
    const found = await store.findPeople(db, where, named);
    return read.filter(({ place, said }) => {
      const all = uniquePeople(said).every((id) => found.has(id));
      if (!all) bad(place, { people_ids: ['do not all exist in this company or project'] });
      return all;
    });
  };

  return {
    add: async (rows: readonly ImportRow[]): Promise<void> => {
      names ??= namesOf(await store.listIncidentNames(db, where));
      const read: Read[] = [];
      for (const row of rows) {
        const parsed = readImportRow(incidentRow, row);
        if ('errors' in parsed) bad(row.place, parsed.errors);
        else read.push({ place: row.place, said: parsed.data });
      }
      // Reserves one id per row. A dry run and invalid rows leave gaps.
      const first = await takeIds(db, 'incidents', rows.length);
      const batch: Batch = { opened: [], changed: [] };
      for (const [index, one] of (await withPeople(read)).entries())
        settle(names, one, first + index, batch);
      await open(batch);
      await change(batch);
      for (const { place } of rows) {
        const errors = wrong.get(place);
        if (errors) report(place, errors);
      }
      wrong.clear();
    },
    counts: (): ImportCounts => counts,
  };
};
