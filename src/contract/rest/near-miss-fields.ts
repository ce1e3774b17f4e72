/**
 * The fields of a near miss that a person fills in, one line each. Requests, responses, columns, form, history, search and files
 * follow from this table. The README of this room lists what a new line needs besides.
 */
import { z } from 'zod';
import { answered, answeredByUs } from './protocol/answered.ts';
import type { Catalog } from './catalog.ts';
import type { CompanyRecordKind } from './company-records.ts';
import { dateTime, id, ours } from './protocol/endpoint.ts';

const named = z.object({ id, name: answered(z.string()) });
export const person = z.object({
  id,
  name: answered(z.string()),
  login: answered(z.string()),
});
const term = z.object({
  id,
  name: answered(z.string()),
  active: answered(z.boolean()),
  global: answered(z.boolean()),
  created_at: answered(dateTime),
  updated_at: answered(dateTime),
});

/**
 * HTML, sanitised by the service. Empty: ''. A second column has its plain text, which is searched. Its form control and its export
 * column are written by hand.
 */
const richText = (maxBytes: number) => ({
  kind: 'rich_text' as const,
  maxBytes,
  takes: z.string().nullable().optional(),
  shows: answered(z.string()),
});

/**
 * The id of a company's record, whose name is searched. Empty: null. A response has an object under the name without `_id`.
 * @param of the kind of record, also the service's table
 * @param list its choices in the catalog
 */
const lookup = <
  const Of extends CompanyRecordKind,
  List extends keyof Catalog,
  V extends z.ZodType,
>(
  of: Of,
  list: List,
  view: V,
) => ({
  kind: 'lookup' as const,
  of,
  list,
  takes: id.nullable().optional(),
  shows: answered(view.nullable()),
});

/** [ours] One line of plain text, which is searched. Empty: ''. Rows, drafts and files from before the field lack it. @public */
export const text = (maxLength: number) => ({
  kind: 'text' as const,
  maxLength,
  takes: z
    .string()
    .max(maxLength, `must have at most ${maxLength} characters`)
    .nullable()
    .optional()
    .meta(ours),
  shows: answeredByUs(z.string()),
});

/** In the order of filters and export columns. */
export const nearMissFields = {
  description: richText(64 * 1024),
  harm_source_id: lookup('harm_sources', 'harm_sources', term),
  work_activity_id: lookup('work_activities', 'work_activities', term),
  managed_equipment_id: lookup('managed_equipment', 'managed_equipment', named),
  affected_company_id: lookup('affected_companies', 'companies', named),
  affected_party_id: lookup('parties', 'parties', named),
  affected_person_id: lookup('people', 'people', person),
};

type Fields = typeof nearMissFields;
export type FieldName = keyof Fields;
type OfKind<Kind> = {
  [N in FieldName]: Fields[N]['kind'] extends Kind ? N : never;
}[FieldName];
export type LookupField = OfKind<'lookup'>;
export type TextField = OfKind<'text'>;
/** `harm_source_id` -> `harm_source`: its name in responses, labels and names. */
export type ShownName<N extends FieldName = FieldName> = N extends `${infer Name}_id` ? Name : N;

const fieldNames = Object.keys(nearMissFields) as FieldName[];
const ofKind = (kind: string) => fieldNames.filter((name) => nearMissFields[name].kind === kind);
export const lookupFields = ofKind('lookup') as LookupField[];
export const textFields = ofKind('text') as TextField[];
export const isText = (name: string): name is TextField => textFields.some((one) => one === name);

export const shownName = <N extends FieldName>(name: N): ShownName<N> =>
  name.replace(/_id$/, '') as ShownName<N>;

/** An object with a value for each of these fields. */
export const eachField = <N extends string, T>(
  names: readonly N[],
  value: (name: N) => T,
): Record<N, T> => Object.fromEntries(names.map((name) => [name, value(name)])) as Record<N, T>;

/** How many characters a text field takes. */
export const textLengths = eachField(textFields, (name): number => {
  const field: ReturnType<typeof text> = nearMissFields[name];
  return field.maxLength;
});

/** An object with a value for each lookup, under its name in responses. */
export const byShownName = <T>(
  value: (name: LookupField) => T,
): Record<ShownName<LookupField>, T> =>
  Object.fromEntries(lookupFields.map((name) => [shownName(name), value(name)])) as Record<
    ShownName<LookupField>,
    T
  >;

/** The fields in the body of a create or an update. */
export const takenFields = eachField(fieldNames, (name) => nearMissFields[name].takes) as {
  [N in FieldName]: Fields[N]['takes'];
};

/** The fields in a response. */
export const shownFields = Object.fromEntries(
  fieldNames.map((name) => [shownName(name), nearMissFields[name].shows]),
) as { [N in FieldName as ShownName<N>]: Fields[N]['shows'] };
