/**
 * Converts a record of company data between the server's response, a form, and a list with pending edits applied.
 * Pure. The same functions serve every kind; the contract defines the fields of each kind (decisions §11, §4.6).
 */
import { companyDetails } from '../../../contract/rest/companies.ts';
import { companyRecordKinds } from '../../../contract/rest/company-records.ts';
import { incident, type Incident } from '../../../contract/rest/incidents.ts';
import { type OwnDataFields, type OwnDataKind } from '../../operations/company/company-record.ts';
import { optimisticPatchOf } from '../../operations/operation.ts';
import { briefOf, type PendingSummary } from '../near-misses/pending-operations.ts';
import { companyLane } from '../model/lanes.ts';
import type { CompanyRecordRow, OutboxOperation } from '../db/db.ts';
import { accountMark } from '../model/near-miss-rows.ts';
import type { RefreshScope } from '../near-misses/refresh-rows.ts';

export interface OwnDataTarget extends RefreshScope {
  readonly of: OwnDataKind;
}

/** Incidents belong to a project, all other kinds to the company. */
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

export const nameField = (of: OwnDataKind): 'name' | 'label' | 'title' => {
  if (of === 'incidents') return 'title';
  return of === 'custom_field_definitions' ? 'label' : 'name';
};

export const recordName = (of: OwnDataKind, fields: OwnDataFields): string => {
  const name = fields[nameField(of)];
  return typeof name === 'string' ? name : '';
};

/** True if forms offer the record: it is neither closed nor retired. */
export const isOffered = (of: OwnDataKind, fields: OwnDataFields): boolean =>
  of === 'incidents' ? fields['status'] !== 'closed' : fields['active'] !== false;

/** The change that shows or hides a record in forms. */
export const offering = (of: OwnDataKind, offered: boolean): OwnDataFields =>
  of === 'incidents' ? { status: offered ? 'open' : 'closed' } : { active: offered };

export type Copy = { readonly id: number } & OwnDataFields;

const shownOf = (of: OwnDataKind) => {
  if (of === 'company') return companyDetails;
  return of === 'incidents' ? incident : companyRecordKinds[of].shown;
};

/** Parses the server's response by the contract; null if it does not match. */
export const copyOf = (of: OwnDataKind, server: unknown): Copy | null => {
  const read = shownOf(of).safeParse(server);
  if (!read.success) return null;
  const copy = read.data as Copy & Partial<Pick<Incident, 'people'>>;
  // A body refers to people by id, but a response contains them as objects.
  const people_ids = copy.people?.map(({ id }) => id).sort((a, b) => a - b);
  return people_ids === undefined ? copy : { ...copy, people_ids };
};

/** null, '' and undefined count as equal; arrays are compared by content. */
export const isSameValue = (a: unknown, b: unknown): boolean => {
  const plain = (value: unknown): unknown => (value === '' ? null : (value ?? null));
  return JSON.stringify(plain(a)) === JSON.stringify(plain(b));
};

/** The differing fields as a body; `null` clears a field. */
export const recordChanges = (from: OwnDataFields, to: OwnDataFields): OwnDataFields =>
  Object.fromEntries(
    Object.entries(to).filter(([field, value]) => !isSameValue(from[field], value)),
  );

export interface OwnDataView {
  readonly key: string;
  readonly of: OwnDataKind;
  readonly server_id: number | null;
  /** Includes pending edits. */
  readonly fields: OwnDataFields;
  /** Pending operations, in order. */
  readonly waiting: readonly PendingSummary[];
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Offered records first, then by name. */
const byStanding = (a: OwnDataView, b: OwnDataView): number =>
  Number(isOffered(b.of, b.fields)) - Number(isOffered(a.of, a.fields)) ||
  collator.compare(recordName(a.of, a.fields), recordName(b.of, b.fields));

/** The rows with pending edits applied, sorted. `operations`: those of their lane, by seq. */
export const showRecords = (
  rows: readonly CompanyRecordRow[],
  operations: readonly OutboxOperation[],
): readonly OwnDataView[] => {
  const views = new Map<string, OwnDataView>();
  for (const { key, of, server_id, server } of rows)
    views.set(key, { key, of, server_id, fields: server, waiting: [] });
  const byId = new Map(rows.map((row) => [row.server_id, row.key]));
  for (const operation of operations) {
    const over = optimisticPatchOf(operation);
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
      waiting: [...view.waiting, briefOf(operation)],
    });
  }
  return [...views.values()].sort(byStanding);
};
