/**
 * Converts a near miss between its forms: the server's response, the fields of a form, a request body, and the row
 * for lists and search. Pure. Only `overlay` applies pending edits to the server's copy, so a refresh can never
 * overwrite them.
 */
import type { Catalog } from '../../../contract/rest/catalog.ts';
import {
  byShownName,
  eachField,
  isText,
  lookupFields,
  nearMissFields,
  shownName,
  textFields,
} from '../../../contract/rest/near-miss-fields.ts';
import type { NearMiss, NearMissCreate } from '../../../contract/rest/near-misses.ts';
import type { NearMissFields, NearMissNames, NearMissRow, OutboxOperation } from '../db/db.ts';
import type { WireFields } from '../../operations/spec.ts';
import { optimisticPatchOf } from '../../operations/operation.ts';
import { fold } from '../../../contract/text/fold.ts';
import { textOf, titleOf } from './text.ts';

export const emptyFields: Omit<NearMissFields, 'incident_id'> = {
  description: '',
  ...eachField(lookupFields, () => null),
  ...eachField(textFields, () => ''),
  custom_fields: {},
};

export const fieldsOfServer = (server: NearMiss): NearMissFields => ({
  incident_id: server.incident_id ?? 0,
  description: server.description ?? '',
  ...eachField(lookupFields, (name) => server[shownName(name)]?.id ?? null),
  ...eachField(textFields, (name) => server[name] ?? ''),
  custom_fields: Object.fromEntries(
    Object.entries(server.custom_fields ?? {}).map(([name, field]) => [name, field.value]),
  ),
});

export type { WireFields } from '../../operations/spec.ts';

export const wireOf = (fields: Partial<NearMissFields>): WireFields => {
  const { custom_fields, ...plain } = fields;
  return { ...plain, ...custom_fields };
};

/** All wire fields of a record. A text field that its row lacks is ''. */
export const wholeWire = (fields: NearMissFields): WireFields =>
  wireOf({ ...emptyFields, ...fields });

/** The body of a create; omits empty fields. */
export const createBody = (fields: NearMissFields): NearMissCreate => {
  const given = Object.entries(wireOf(fields)).filter(
    ([name, value]) => value !== null && value !== undefined && !(isText(name) && value === ''),
  );
  return { ...Object.fromEntries(given), incident_id: fields.incident_id };
};

export const applyWire = (fields: NearMissFields, wire: WireFields): NearMissFields => {
  const plain: Record<string, unknown> = { ...fields };
  const custom: Record<string, unknown> = { ...fields.custom_fields };
  for (const [name, value] of Object.entries(wire)) {
    if (name.startsWith('custom_field_')) custom[name] = value;
    else if (name === 'incident_id' || (name in emptyFields && name !== 'custom_fields'))
      plain[name] = value;
  }
  return { ...(plain as unknown as NearMissFields), custom_fields: custom };
};

export const sameValue = (a: unknown, b: unknown): boolean =>
  JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** Normalizes rich text, so that line breaks, quotes and spaces written differently by a server compare as equal. */
const canonical = (html: string): string =>
  html
    .replace(/<br\s*\/?>/gi, '<br>')
    .replace(/&nbsp;|\u00a0/g, ' ')
    .replace(/&quot;/g, '"')
    .replace(/&#39;|&apos;/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/ ?(<\/?(?:p|div|ul|ol|li|br|h[1-6])>) ?/gi, '$1')
    .trim();

/** Servers store custom fields as text, whatever type was sent. */
const asText = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;

/** True if two values of a wire field are equal to a reader. */
export const sameField = (name: string, a: unknown, b: unknown): boolean =>
  sameValue(a, b) ||
  (name.startsWith('custom_field_') && sameValue(asText(a), asText(b))) ||
  (isText(name) && (a ?? '') === (b ?? '')) ||
  (name === 'description' &&
    typeof (a ?? '') === 'string' &&
    typeof (b ?? '') === 'string' &&
    canonical(String(a ?? '')) === canonical(String(b ?? '')));

/** The wire fields of `changes` that differ from `fields`. */
export const changedWire = (
  fields: NearMissFields,
  changes: Partial<NearMissFields>,
): WireFields => {
  const before = wholeWire(fields);
  return Object.fromEntries(
    Object.entries(wireOf(changes)).filter(([name, value]) => !sameValue(before[name], value)),
  );
};

/** The fields that differ from `before`; of the custom fields only the changed ones. */
export const changedFields = (
  before: NearMissFields,
  fields: NearMissFields,
): Partial<NearMissFields> => {
  const { custom_fields, ...plain } = fields;
  const differs = (was: object) => (pair: [string, unknown]) =>
    !sameValue((was as Record<string, unknown>)[pair[0]], pair[1]);
  const custom = Object.entries(custom_fields).filter(differs(before.custom_fields));
  return {
    ...Object.fromEntries(Object.entries(plain).filter(differs({ ...emptyFields, ...before }))),
    ...(custom.length > 0 ? { custom_fields: Object.fromEntries(custom) } : {}),
  };
};

/** Names for the ids: from the server's copy if it has the same id and a name, otherwise from the catalog. */
const namesOf = (
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
    incident:
      incident ?? catalog?.incidents.find((item) => item.id === fields.incident_id)?.title ?? '',
    ...byShownName((name) =>
      pick(fields[name], server?.[shownName(name)], catalog?.[nearMissFields[name].list]),
    ),
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

/**
 * True if the server changed the record after it sent `known`: its stamps of a record only grow. False if a stamp is missing. A
 * record that is gone has only the stamp of its deletion.
 */
export const isLater = (copy: NearMiss, known: NearMiss | null): boolean => {
  const [at, known_at] = [copy, known].map((one) => time(one?.updated_at ?? one?.deleted_at));
  return typeof at === 'number' && typeof known_at === 'number' && at > known_at;
};

/** Adds the derived fields of a row. */
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
    search: fold(
      [text, full_number, ...Object.values(named), ...textFields.map((name) => fields[name])]
        .filter(Boolean)
        .join('\n'),
    ),
    bin: input.removed_at === null ? 0 : 1,
  };
};

/**
 * Applies the pending edits of a record's lane to the server's copy, in queue order: the last edit of each field
 * wins.
 */
export const overlay = (
  row: Pick<
    NearMissRow,
    'key' | 'account' | 'company_id' | 'project_id' | 'created_at' | 'updated_at'
  >,
  server: NearMiss,
  lane: readonly OutboxOperation[],
  catalog: Catalog | null,
  seen_at: number,
): NearMissRow => {
  let fields = fieldsOfServer(server);
  let removed_at = time(server.deleted_at);
  for (const operation of [...lane].sort((a, b) => a.seq - b.seq)) {
    const over = optimisticPatchOf(operation);
    if (over?.puts !== 'fields') continue;
    fields = applyWire(fields, over.wire);
    if (over.bin !== null) removed_at = over.bin === 'in' ? operation.created_at : null;
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

/** A 53-bit hash of an account's name, so that keys from two servers do not collide. */
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

/** True for the key of a record that was first seen on the server; false for one that was made on this laptop. */
export const isFromServer = (key: string): boolean => key.startsWith('srv-');
