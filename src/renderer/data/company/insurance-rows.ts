/**
 * Pure: an insurance as the server answers it, as a form edits it, and as a list shows it with everything that waits laid over.
 * The insurer is `insurance_provider` in answers and `name` in bodies (reference: Insurance).
 */
import type { Insurance, InsuranceWrite } from '../../../contract/rest/insurances.ts';
import { overOf } from '../../entries/entry.ts';
import { briefOf, type WaitingBrief } from '../waiting-entries.ts';
import { companyLane } from '../lanes.ts';
import type { InsuranceRow, OutboxEntry } from '../db.ts';
import { accountMark } from '../near-miss-rows.ts';
import type { RefreshScope } from '../refresh.ts';

export interface InsuranceTarget extends RefreshScope {
  readonly vendor_id: number;
}

export const insuranceLane = (account: string, project_id: number, vendor_id: number): string =>
  companyLane(account, { kind: 'insurances', project_id, vendor_id });

export const serverInsuranceKey = (account: string, id: number): string =>
  `ins-srv-${accountMark(account)}-${id}`;

export type InsuranceField = keyof InsuranceWrite;

/** In the order of the form. */
export const INSURANCE_FIELDS = [
  'name',
  'insurance_type',
  'policy_number',
  'limit',
  'effective_date',
  'expiration_date',
  'status',
  'additional_insured',
  'exempt',
  'info_received',
  'enable_expired_insurance_notifications',
  'notes',
  'division_template',
  'insurance_sets',
  'origin_id',
  'origin_data',
] as readonly InsuranceField[];

/** Every field as a body would spell it; what a server does not tell is null. */
export type InsuranceFields = { readonly [F in InsuranceField]-?: string | boolean | null };

export const fieldsOfInsurance = (server: Partial<Insurance>): InsuranceFields => {
  const { insurance_provider, ...same } = server;
  const given: Partial<Record<InsuranceField, unknown>> = { ...same, name: insurance_provider };
  return Object.fromEntries(
    INSURANCE_FIELDS.map((field) => [field, given[field] ?? null]),
  ) as InsuranceFields;
};

/** What a record is called in a line: insurer and kind, else the policy's number. */
export const insuranceName = ({ name, insurance_type, policy_number }: InsuranceFields): string =>
  [name, insurance_type].filter(Boolean).join(' · ') || String(policy_number ?? '');

/** A new one as the API makes it where its body is silent (decisions §8). */
export const newInsurance: InsuranceFields = {
  ...fieldsOfInsurance({}),
  status: 'undecided',
  exempt: false,
  info_received: false,
  enable_expired_insurance_notifications: true,
};

/** What differs, as a body: `null` empties a field. */
export const insuranceChanges = (from: InsuranceFields, to: InsuranceFields): InsuranceWrite =>
  Object.fromEntries(
    INSURANCE_FIELDS.filter((field) => (from[field] ?? '') !== (to[field] ?? '')).map((field) => [
      field,
      to[field],
    ]),
  ) as InsuranceWrite;

export interface InsuranceView {
  readonly key: string;
  readonly vendor_id: number;
  readonly server_id: number | null;
  /** With what waits on top. */
  readonly fields: InsuranceFields;
  /** Of the server, null before it has it. */
  readonly server: Insurance | null;
  /** What waits for it, in order. */
  readonly waiting: readonly WaitingBrief[];
  /** A line of a file that was not sent yet: it cannot be changed by itself. */
  readonly of_file: boolean;
  /** The insurance was deleted here, and that is parked: it is still there. */
  readonly undeleted: WaitingBrief | null;
}

const laid = (fields: InsuranceFields, changes: InsuranceWrite): InsuranceFields => ({
  ...fields,
  ...(Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  ) as Partial<InsuranceFields>),
});

/** The rows with what waits on top; those being deleted are not among them, unless that was refused. `entries`: of their lanes, by seq. */
export const showInsurances = (
  rows: readonly InsuranceRow[],
  entries: readonly OutboxEntry[],
): readonly InsuranceView[] => {
  const views = new Map<string, InsuranceView>();
  for (const { key, vendor_id, server_id, server } of rows)
    views.set(key, {
      key,
      vendor_id,
      server_id,
      server,
      fields: fieldsOfInsurance(server),
      waiting: [],
      of_file: false,
      undeleted: null,
    });
  const byId = new Map(rows.map((row) => [row.server_id, row.key]));
  const byOrigin = new Map<string, string>();
  const origin = (vendor_id: number, id: unknown): string => `${vendor_id} ${String(id)}`;
  for (const { vendor_id, key, server } of rows)
    if (server.origin_id) byOrigin.set(origin(vendor_id, server.origin_id), key);
  const put = (view: InsuranceView, entry: OutboxEntry, changes: InsuranceWrite): void => {
    const waiting = [...view.waiting, briefOf(entry)];
    const fields = laid(view.fields, changes);
    views.set(view.key, { ...view, fields, waiting });
    if (fields.origin_id) byOrigin.set(origin(view.vendor_id, fields.origin_id), view.key);
  };
  const fresh = (key: string, vendor_id: number, of_file: boolean): InsuranceView => ({
    key,
    vendor_id,
    of_file,
    server_id: null,
    server: null,
    fields: newInsurance,
    waiting: [],
    undeleted: null,
  });
  for (const entry of entries) {
    const over = overOf(entry);
    if (over?.puts === 'insurance') {
      const { record_key, vendor_id, server_id, is_new } = over;
      const known = views.get(record_key) ?? views.get(byId.get(server_id ?? 0) ?? '');
      const view = known ?? (is_new ? fresh(record_key, vendor_id, false) : null);
      if (view !== null) put(view, entry, over.fields);
    } else if (over?.puts === 'no_insurance') {
      const { record_key, server_id } = over;
      const known = views.get(record_key) ?? views.get(byId.get(server_id ?? 0) ?? '');
      if (known === undefined) continue;
      if (entry.state === 'parked') views.set(known.key, { ...known, undeleted: briefOf(entry) });
      else views.delete(known.key);
    } else if (over?.puts === 'insurances')
      for (const [at, { id, ...item }] of over.lines.entries()) {
        const chosen =
          typeof id === 'number'
            ? byId.get(id)
            : item.origin_id
              ? byOrigin.get(origin(over.vendor_id, item.origin_id))
              : undefined;
        const meant = views.get(chosen ?? '');
        if (meant) put(meant, entry, item);
        else if (typeof id !== 'number')
          put(fresh(`${entry.id}-${at}`, over.vendor_id, true), entry, item);
      }
  }
  return [...views.values()];
};
