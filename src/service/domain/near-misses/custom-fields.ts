/**
 * Custom fields of a near miss: requests send `custom_field_<definition id>` keys, the database stores texts, responses return
 * `{data_type, value}` (reference: Near misses; decisions §1.3, §3.6). Values are texts on the wire in both directions; JSON
 * numbers and booleans are accepted too. A `required` field cannot be emptied, but a record without it is accepted, because it
 * may have been written offline before the field became required. A stored value may always be sent back, even if the field no
 * longer accepts it.
 */
import { z } from 'zod';
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import type { AnsweredFieldValues } from '../../../contract/rest/near-misses.ts';

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

/** @param had the stored value; null for a new record */
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
  /** By definition id. Null clears the field. */
  readonly changes: ReadonlyMap<number, string | null>;
  readonly errors: Readonly<Record<string, string[]>>;
}

export const noFieldChanges: FieldChanges = { changes: new Map(), errors: {} };

/** True if a body has custom fields. If not, the caller need not read definitions. */
export const namesCustomFields = (body: object): boolean =>
  Object.keys(body).some((key) => KEY.test(key));

/**
 * Reads every `custom_field_…` key of a near_miss object. Names in `errors` are dotted.
 * @param stored null for a new record
 */
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

/** `"false"` is true in JavaScript: a program takes this instead of the text. */
const typedValue = (data_type: CustomFieldDefinition['data_type'], text: string) => {
  if (data_type === 'boolean') return text === 'true';
  return data_type === 'number' && Number.isFinite(Number(text)) ? Number(text) : text;
};

/** Omits values without a definition. */
export const viewCustomFields = (
  stored: StoredFields,
  definitions: Definitions,
): AnsweredFieldValues => {
  const out: AnsweredFieldValues = {};
  for (const [id, text] of Object.entries(stored)) {
    const data_type = definitions.get(Number(id))?.data_type;
    // `unknown` is for what other servers have.
    if (data_type === undefined || data_type === 'unknown') continue;
    out[`custom_field_${id}`] = {
      data_type,
      value: text,
      typed_value: typedValue(data_type, text),
    };
  }
  return out;
};
