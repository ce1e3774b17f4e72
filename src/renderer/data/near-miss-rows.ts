/**
 * Pure: how a near miss is turned between its forms: the server's answer, the fields a form edits, the body of a
 * request, and the row that lists and search read. `overlay` is the one place that says how pending edits lie on top
 * of the server's copy, so that a refresh can never clobber them.
 */
import type { Catalog } from '../../contract/rest/catalog.ts';
import type { NearMiss, NearMissCreate } from '../../contract/rest/near-misses.ts';
import type { NearMissFields, NearMissNames, NearMissRow, OutboxEntry } from './db.ts';
import type { WireFields } from '../entries/answers.ts';
import { overOf } from '../entries/entry.ts';
import { fold } from '../../contract/fold.ts';
import { textOf, titleOf } from './text.ts';

export const emptyFields: Omit<NearMissFields, 'incident_id'> = {
  description: '',
  affected_company_id: null,
  affected_party_id: null,
  affected_person_id: null,
  harm_source_id: null,
  managed_equipment_id: null,
  work_activity_id: null,
  custom_fields: {},
};

export const fieldsOfServer = (server: NearMiss): NearMissFields => ({
  incident_id: server.incident_id ?? 0,
  description: server.description ?? '',
  affected_company_id: server.affected_company?.id ?? null,
  affected_party_id: server.affected_party?.id ?? null,
  affected_person_id: server.affected_person?.id ?? null,
  harm_source_id: server.harm_source?.id ?? null,
  managed_equipment_id: server.managed_equipment?.id ?? null,
  work_activity_id: server.work_activity?.id ?? null,
  custom_fields: Object.fromEntries(
    Object.entries(server.custom_fields ?? {}).map(([name, field]) => [name, field.value]),
  ),
});

export type { WireFields } from '../entries/answers.ts';

export const wireOf = (fields: Partial<NearMissFields>): WireFields => {
  const { custom_fields, ...plain } = fields;
  return { ...plain, ...custom_fields };
};

/** A create's body: what was left empty is not sent. */
export const createBody = (fields: NearMissFields): NearMissCreate => {
  const given = Object.entries(wireOf(fields)).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return { ...Object.fromEntries(given), incident_id: fields.incident_id };
};

export const applyWire = (fields: NearMissFields, wire: WireFields): NearMissFields => {
  const plain: Record<string, unknown> = { ...fields };
  const custom: Record<string, unknown> = { ...fields.custom_fields };
  for (const [name, value] of Object.entries(wire)) {
    if (name.startsWith('custom_field_')) custom[name] = value;
    else if (name in plain && name !== 'custom_fields') plain[name] = value;
  }
  return { ...(plain as unknown as NearMissFields), custom_fields: custom };
};

export const sameValue = (a: unknown, b: unknown): boolean =>
  JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** Rich text as it is the same for a reader: how a server writes a line break, a quote or a space says nothing. */
const canonical = (html: string): string =>
  html
    .replace(/<br\s*\/?>/gi, '<br>')
    .replace(/&nbsp;|\u00a0/g, ' ')
    .replace(/&quot;/g, '"')
    .replace(/&#39;|&apos;/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/ ?(<\/?(?:p|div|ul|ol|li|br|h[1-6])>) ?/gi, '$1')
    .trim();

/** Servers keep custom fields as texts, whatever was sent. */
const asText = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;

/** Do two values of a wire field say the same? */
export const sameField = (name: string, a: unknown, b: unknown): boolean =>
  sameValue(a, b) ||
  (name.startsWith('custom_field_') && sameValue(asText(a), asText(b))) ||
  (name === 'description' &&
    typeof (a ?? '') === 'string' &&
    typeof (b ?? '') === 'string' &&
    canonical(String(a ?? '')) === canonical(String(b ?? '')));

/** The wire fields of `changes` that differ from `fields`. */
export const changedWire = (
  fields: NearMissFields,
  changes: Partial<NearMissFields>,
): WireFields => {
  const before = wireOf(fields);
  return Object.fromEntries(
    Object.entries(wireOf(changes)).filter(([name, value]) => !sameValue(before[name], value)),
  );
};

/** The fields of `fields` that differ from `before`; of the custom fields only the changed ones. */
export const changedFields = (
  before: NearMissFields,
  fields: NearMissFields,
): Partial<NearMissFields> => {
  const { custom_fields, ...plain } = fields;
  const differs = (was: object) => (pair: [string, unknown]) =>
    !sameValue((was as Record<string, unknown>)[pair[0]], pair[1]);
  const custom = Object.entries(custom_fields).filter(differs(before.custom_fields));
  return {
    ...Object.fromEntries(Object.entries(plain).filter(differs(before))),
    ...(custom.length > 0 ? { custom_fields: Object.fromEntries(custom) } : {}),
  };
};

const names: NearMissNames = {
  incident: '',
  affected_company: '',
  affected_party: '',
  affected_person: '',
  harm_source: '',
  managed_equipment: '',
  work_activity: '',
};

/** Names for the ids, from the catalog first and the server's copy where that has the same id. */
export const namesOf = (
  fields: NearMissFields,
  server: NearMiss | null,
  catalog: Catalog | null,
): NearMissNames => {
  const pick = (
    id: number | null,
    seen: { id: number; name?: string | null } | null | undefined,
    list: readonly { id: number; name: string }[] | undefined,
  ): string => {
    if (id === null) return '';
    if (seen?.id === id && seen.name) return seen.name;
    return list?.find((item) => item.id === id)?.name ?? '';
  };
  const incident =
    server !== null && server.incident_id === fields.incident_id ? server.incident_title : null;
  return {
    ...names,
    incident:
      incident ?? catalog?.incidents.find((item) => item.id === fields.incident_id)?.title ?? '',
    affected_company: pick(
      fields.affected_company_id,
      server?.affected_company,
      catalog?.companies,
    ),
    affected_party: pick(fields.affected_party_id, server?.affected_party, catalog?.parties),
    affected_person: pick(fields.affected_person_id, server?.affected_person, catalog?.people),
    harm_source: pick(fields.harm_source_id, server?.harm_source, catalog?.harm_sources),
    managed_equipment: pick(
      fields.managed_equipment_id,
      server?.managed_equipment,
      catalog?.managed_equipment,
    ),
    work_activity: pick(fields.work_activity_id, server?.work_activity, catalog?.work_activities),
  };
};

export interface RowInput {
  readonly key: string;
  readonly account: string;
  readonly company_id: number;
  readonly project_id: number;
  readonly server_id: number | null;
  readonly fields: NearMissFields;
  readonly server: NearMiss | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly removed_at: number | null;
  readonly seen_at: number;
}

const time = (text: string | null | undefined): number | null => {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? null : at;
};

/** Fills in what is derived. */
export const rowOf = (input: RowInput, catalog: Catalog | null): NearMissRow => {
  const { server, fields } = input;
  const text = textOf(fields.description);
  const named = namesOf(fields, server, catalog);
  const full_number = String(server?.full_number ?? '');
  return {
    ...input,
    incident_id: fields.incident_id,
    names: named,
    full_number,
    title: titleOf(text),
    search: fold([text, full_number, ...Object.values(named)].filter(Boolean).join('\n')),
    bin: input.removed_at === null ? 0 : 1,
  };
};

/** Pending edits of a record's lane on top of what the server said: last edit wins, field by field. */
export const overlay = (
  row: Pick<
    NearMissRow,
    'key' | 'account' | 'company_id' | 'project_id' | 'created_at' | 'updated_at'
  >,
  server: NearMiss,
  lane: readonly OutboxEntry[],
  catalog: Catalog | null,
  seen_at: number,
): NearMissRow => {
  let fields = fieldsOfServer(server);
  let removed_at = time(server.deleted_at);
  for (const entry of [...lane].sort((a, b) => a.seq - b.seq)) {
    const over = overOf(entry);
    if (over?.puts !== 'fields') continue;
    fields = applyWire(fields, over.wire);
    if (over.bin !== null) removed_at = over.bin === 'in' ? entry.created_at : null;
  }
  return rowOf(
    {
      key: row.key,
      account: row.account,
      company_id: row.company_id,
      project_id: row.project_id,
      server_id: server.id,
      fields,
      server,
      created_at: time(server.created_at) ?? row.created_at,
      updated_at: time(server.updated_at) ?? row.updated_at,
      removed_at,
      seen_at,
    },
    catalog,
  );
};

/** 53 bits of an account's name: keys of two servers must not meet. */
export const accountMark = (account: string): string => {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let index = 0; index < account.length; index += 1) {
    const code = account.charCodeAt(index);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  return ((b >>> 0) * 2 ** 21 + ((a >>> 0) % 2 ** 21)).toString(36);
};

/** The key of a record first seen on the server. */
export const serverKey = (account: string, id: number): string =>
  `srv-${accountMark(account)}-${id}`;
