/**
 * Custom fields of a near miss: `custom_field_<definition id>` keys in, texts kept, `{data_type, value}` out
 * (reference: Near misses; decisions §1.3, §3.6). Values are texts on the wire in both directions; a number or a
 * boolean sent as JSON is taken too. A `required` field may not be emptied, but a record without it is accepted: one
 * that was written offline before the field became required must never be refused. What a record has may be sent back as it was
 * answered, whatever a field takes by now.
 */
import { z } from 'zod';
import type { CustomFieldDefinition } from '../../contract/rest/catalog.ts';
import type { NearMiss } from '../../contract/rest/near-misses.ts';

export type StoredFields = Readonly<Record<string, string>>;
export type Definitions = ReadonlyMap<number, CustomFieldDefinition>;

const KEY = /^custom_field_(.*)$/s;
const STRING_MAX = 1000;
const TEXT_MAX = 20_000;

const dateSchema = z.iso.date();
const momentSchema = z.iso.datetime({ offset: true });
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

type Judged = { readonly value: string } | { readonly problem: string };
const value = (text: string): Judged => ({ value: text });
const problem = (text: string): Judged => ({ problem: text });

const judges: {
  readonly [T in CustomFieldDefinition['data_type']]: (
    text: string,
    definition: CustomFieldDefinition,
  ) => Judged;
} = {
  string: (text) =>
    text.length <= STRING_MAX ? value(text) : problem(`must have at most ${STRING_MAX} characters`),
  text: (text) =>
    text.length <= TEXT_MAX ? value(text) : problem(`must have at most ${TEXT_MAX} characters`),
  number: (text) =>
    NUMBER.test(text.trim()) && text.length <= 100 && Number.isFinite(Number(text))
      ? value(text.trim())
      : problem('must be a number'),
  date: (text) =>
    dateSchema.safeParse(text).success ? value(text) : problem('must be a date, YYYY-MM-DD'),
  datetime: (text) =>
    momentSchema.safeParse(text).success
      ? value(text)
      : problem('must be a date and time with zone, such as 2026-01-31T08:15:00Z'),
  boolean: (text) =>
    text === 'true' || text === 'false' ? value(text) : problem('must be true or false'),
  unknown: () => problem('is of a type that cannot be written'),
  select: (text, { options }) =>
    options.includes(text) ? value(text) : problem(`must be one of: ${options.join(', ')}`),
};

const textOf = (raw: unknown): string | null => {
  if (typeof raw === 'string') return raw;
  if (typeof raw === 'boolean') return String(raw);
  return typeof raw === 'number' && Number.isFinite(raw) ? String(raw) : null;
};

/** @param had what the record holds; null: there is no record yet */
const judge = (
  raw: unknown,
  definition: CustomFieldDefinition | undefined,
  had: string | undefined | null,
): Judged | null => {
  if (!definition) return problem('is unknown');
  const empty = raw === null || raw === undefined || raw === '';
  if (empty) return definition.required && had !== undefined ? problem('must not be empty') : null;
  const text = textOf(raw);
  if (text !== null && text === had) return value(text);
  return text === null ? problem('must be a text') : judges[definition.data_type](text, definition);
};

export interface FieldChanges {
  /** By definition id; null clears. */
  readonly changes: ReadonlyMap<number, string | null>;
  readonly errors: Readonly<Record<string, string[]>>;
}

export const noFieldChanges: FieldChanges = { changes: new Map(), errors: {} };

/** Who names none needs no definitions. */
export const namesCustomFields = (body: object): boolean =>
  Object.keys(body).some((key) => KEY.test(key));

/** Reads every `custom_field_…` key of a near_miss object. Names in `errors` are dotted. `stored`: null of a new record. */
export const readCustomFields = (
  body: Readonly<Record<string, unknown>>,
  definitions: Definitions,
  stored: StoredFields | null,
): FieldChanges => {
  const changes = new Map<number, string | null>();
  const errors: Record<string, string[]> = {};
  for (const [key, raw] of Object.entries(body)) {
    const id = KEY.exec(key)?.[1];
    if (id === undefined) continue;
    const definition = /^[1-9]\d{0,15}$/.test(id) ? definitions.get(Number(id)) : undefined;
    const judged = judge(raw, definition, stored && stored[id]);
    if (judged && 'problem' in judged) errors[`near_miss.${key}`.slice(0, 200)] = [judged.problem];
    else changes.set(Number(id), judged ? judged.value : null);
  }
  return { changes, errors };
};

export const applyChanges = (had: StoredFields, changes: FieldChanges['changes']): StoredFields => {
  const next: Record<string, string> = { ...had };
  for (const [id, text] of changes) {
    if (text === null) delete next[String(id)];
    else next[String(id)] = text;
  }
  return next;
};

/** Values of definitions that are gone are left out. */
export const viewCustomFields = (
  stored: StoredFields,
  definitions: Definitions,
): NonNullable<NearMiss['custom_fields']> => {
  const out: Record<string, { data_type: string; value: string }> = {};
  for (const [id, text] of Object.entries(stored)) {
    const definition = definitions.get(Number(id));
    if (definition) out[`custom_field_${id}`] = { data_type: definition.data_type, value: text };
  }
  return out;
};
