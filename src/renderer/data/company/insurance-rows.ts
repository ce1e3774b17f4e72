/**
 * Converts an insurance between the server's response, a form, and a list with pending edits applied. Pure. The
 * insurer is `insurance_provider` in responses and `name` in bodies (reference: Insurance).
 */
import type { Insurance, InsuranceWrite } from '../../../contract/rest/insurances.ts';
import { optimisticPatchOf } from '../../operations/operation.ts';
import { briefOf, type PendingSummary } from '../near-misses/pending-operations.ts';
import { companyLane } from '../model/lanes.ts';
import type { InsuranceRow, OutboxOperation } from '../db/db.ts';
import { accountMark } from '../model/near-miss-rows.ts';
import type { RefreshScope } from '../near-misses/refresh-rows.ts';

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

/** Every field under its name in a body; null when the server omits it. */
export type InsuranceFields = { readonly [F in InsuranceField]-?: string | boolean | null };

export const fieldsOfInsurance = (server: Partial<Insurance>): InsuranceFields => {
  const { insurance_provider, ...same } = server;
  const given: Partial<Record<InsuranceField, unknown>> = { ...same, name: insurance_provider };
  return Object.fromEntries(
    INSURANCE_FIELDS.map((field) => [field, given[field] ?? null]),
  ) as InsuranceFields;
};

/** Display name: insurer and type, otherwise the policy number. */
export const insuranceName = ({ name, insurance_type, policy_number }: InsuranceFields): string =>
  [name, insurance_type].filter(Boolean).join(' · ') || String(policy_number ?? '');

/** The API's defaults for a new insurance (decisions §8). */
export const newInsurance: InsuranceFields = {
  ...fieldsOfInsurance({}),
  status: 'undecided',
  exempt: false,
  info_received: false,
  enable_expired_insurance_notifications: true,
};

/** The differing fields as a body; `null` clears a field. */
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
  /** Includes pending edits. */
  readonly fields: InsuranceFields;
  /** The server's copy; null before the server has it. */
  readonly server: Insurance | null;
  /** Pending operations, in order. */
  readonly waiting: readonly PendingSummary[];
  /** A line of an import that was not sent yet; it cannot be edited separately. */
  readonly of_file: boolean;
  /** The parked deletion of this insurance, which therefore still exists. */
  readonly undeleted: PendingSummary | null;
}

const laid = (fields: InsuranceFields, changes: InsuranceWrite): InsuranceFields => ({
  ...fields,
  ...(Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  ) as Partial<InsuranceFields>),
});

/**
 * The rows with pending edits applied. Omits insurances with a pending deletion, unless it is parked. `operations`:
 * those of their lanes, by seq.
 */
export const showInsurances = (
  rows: readonly InsuranceRow[],
  operations: readonly OutboxOperation[],
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
  const put = (view: InsuranceView, operation: OutboxOperation, changes: InsuranceWrite): void => {
    const waiting = [...view.waiting, briefOf(operation)];
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
  for (const operation of operations) {
    const over = optimisticPatchOf(operation);
    if (over?.puts === 'insurance') {
      const { record_key, vendor_id, server_id, is_new } = over;
      const known = views.get(record_key) ?? views.get(byId.get(server_id ?? 0) ?? '');
      const view = known ?? (is_new ? fresh(record_key, vendor_id, false) : null);
      if (view !== null) put(view, operation, over.fields);
    } else if (over?.puts === 'no_insurance') {
      const { record_key, server_id } = over;
      const known = views.get(record_key) ?? views.get(byId.get(server_id ?? 0) ?? '');
      if (known === undefined) continue;
      if (operation.state === 'parked')
        views.set(known.key, { ...known, undeleted: briefOf(operation) });
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
        if (meant) put(meant, operation, item);
        else if (typeof id !== 'number')
          put(fresh(`${operation.id}-${at}`, over.vendor_id, true), operation, item);
      }
  }
  return [...views.values()];
};
