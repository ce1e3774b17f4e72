/**
 * Pure: a record of the company's own data as the server answers it, as a form edits it, and as a list shows it with everything that
 * waits laid over. One set of functions for every kind: which fields a kind has is the contract's to say (decisions §11, §4.6).
 */
import { company } from '../../../contract/rest/companies.ts';
import { companyRecordKinds } from '../../../contract/rest/company-records.ts';
import { incident, type Incident } from '../../../contract/rest/incidents.ts';
import { type OwnDataFields, type OwnDataKind } from '../../entries/company/company-record.ts';
import { overOf } from '../../entries/entry.ts';
import { briefOf, type WaitingBrief } from '../waiting-entries.ts';
import { companyLane } from '../lanes.ts';
import type { CompanyRecordRow, OutboxEntry } from '../db.ts';
import { accountMark } from '../near-miss-rows.ts';
import type { RefreshScope } from '../refresh.ts';

/** Whose records of which kind. */
export interface OwnDataTarget extends RefreshScope {
  readonly of: OwnDataKind;
}

/** Incidents are a project's, all else is the company's. */
export const projectOf = ({ of, project_id }: OwnDataTarget): number | null =>
  of === 'incidents' ? project_id : null;

export const ownDataLane = (target: OwnDataTarget): string =>
  companyLane(target.account, {
    kind: 'own_data',
    of: target.of,
    project_id: projectOf(target),
  });

export const serverRecordKey = (account: string, of: OwnDataKind, id: number): string =>
  `own-srv-${accountMark(account)}-${of}-${id}`;

/** Which field says what a record is called. */
export const nameField = (of: OwnDataKind): 'name' | 'label' | 'title' => {
  if (of === 'incidents') return 'title';
  return of === 'custom_field_definitions' ? 'label' : 'name';
};

export const recordName = (of: OwnDataKind, fields: OwnDataFields): string => {
  const name = fields[nameField(of)];
  return typeof name === 'string' ? name : '';
};

/** Is it offered? A closed incident is not, nor is what was retired. */
export const isOffered = (of: OwnDataKind, fields: OwnDataFields): boolean =>
  of === 'incidents' ? fields['status'] !== 'closed' : fields['active'] !== false;

/** What takes a record out of the forms, or puts it back. */
export const offering = (of: OwnDataKind, offered: boolean): OwnDataFields =>
  of === 'incidents' ? { status: offered ? 'open' : 'closed' } : { active: offered };

/** A record as the server has it. */
export type Copy = { readonly id: number } & OwnDataFields;

const shownOf = (of: OwnDataKind) => {
  if (of === 'company') return company;
  return of === 'incidents' ? incident : companyRecordKinds[of].shown;
};

/** The server's answer, as the contract knows its kind; null where it is no such record. */
export const copyOf = (of: OwnDataKind, server: unknown): Copy | null => {
  const read = shownOf(of).safeParse(server);
  if (!read.success) return null;
  const copy = read.data as Copy & Partial<Pick<Incident, 'people'>>;
  // A body names people by their numbers, an answer shows them.
  const people_ids = copy.people?.map(({ id }) => id).sort((a, b) => a - b);
  return people_ids === undefined ? copy : { ...copy, people_ids };
};

/** Lists are compared by what is in them; nothing said is null, `''` and not there alike. */
export const isSameValue = (a: unknown, b: unknown): boolean => {
  const plain = (value: unknown): unknown => (value === '' ? null : (value ?? null));
  return JSON.stringify(plain(a)) === JSON.stringify(plain(b));
};

/** What differs, as a body: `null` empties a field. */
export const recordChanges = (from: OwnDataFields, to: OwnDataFields): OwnDataFields =>
  Object.fromEntries(
    Object.entries(to).filter(([field, value]) => !isSameValue(from[field], value)),
  );

export interface OwnDataView {
  readonly key: string;
  readonly of: OwnDataKind;
  readonly server_id: number | null;
  /** With what waits on top. */
  readonly fields: OwnDataFields;
  /** What waits for it, in order. */
  readonly waiting: readonly WaitingBrief[];
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Records that are offered first, then by name. */
export const byStanding = (a: OwnDataView, b: OwnDataView): number =>
  Number(isOffered(b.of, b.fields)) - Number(isOffered(a.of, a.fields)) ||
  collator.compare(recordName(a.of, a.fields), recordName(b.of, b.fields));

/** The rows with what waits on top, in order. `entries`: of their lane, by seq. */
export const showRecords = (
  rows: readonly CompanyRecordRow[],
  entries: readonly OutboxEntry[],
): readonly OwnDataView[] => {
  const views = new Map<string, OwnDataView>();
  for (const { key, of, server_id, server } of rows)
    views.set(key, { key, of, server_id, fields: server, waiting: [] });
  const byId = new Map(rows.map((row) => [row.server_id, row.key]));
  for (const entry of entries) {
    const over = overOf(entry);
    if (over?.puts !== 'company_record') continue;
    const { record_key, server_id, is_new, fields } = over;
    const of = over.of as OwnDataKind;
    const known = views.get(record_key) ?? views.get(byId.get(server_id ?? 0) ?? '');
    const fresh: OwnDataView = { key: record_key, of, server_id: null, fields: {}, waiting: [] };
    const view = known ?? (is_new ? fresh : null);
    if (view === null) continue;
    views.set(view.key, {
      ...view,
      fields: { ...view.fields, ...fields },
      waiting: [...view.waiting, briefOf(entry)],
    });
  }
  return [...views.values()].sort(byStanding);
};
