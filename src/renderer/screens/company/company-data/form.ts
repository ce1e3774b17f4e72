/**
 * Pure: the one form of the company's own data, as a table: which fields each kind has, what they hold when the form opens, the body
 * they make, and what is wrong with it. What may be written is the contract's to say.
 */
import { companyUpdate } from '../../../../contract/rest/companies.ts';
import { companyRecordKinds } from '../../../../contract/rest/company-records.ts';
import { incidentCreate, incidentUpdate } from '../../../../contract/rest/incidents.ts';
import { nameField, recordChanges } from '../../../data/company/company-record-rows.ts';
import type { OwnDataFields, OwnDataKind } from '../../../entries/company/company-record.ts';
import { words } from '../../../words/wing-words.ts';
import { isDayValue } from '../../typed-day.ts';
import { localInput } from '../../capture/answers.ts';

export type FieldName =
  | 'name'
  | 'title'
  | 'label'
  | 'login'
  | 'description'
  | 'location'
  | 'event_date'
  | 'time_unknown'
  | 'private'
  | 'people_ids'
  | 'data_type'
  | 'options'
  | 'required'
  | 'folder_id'
  | 'project_id'
  | 'origin_id';

export type Control =
  'line' | 'area' | 'tick' | 'type' | 'folder' | 'only_here' | 'moment' | 'people';

export const controls: Readonly<Record<FieldName, Control>> = {
  name: 'line',
  title: 'line',
  label: 'line',
  login: 'line',
  description: 'area',
  location: 'line',
  event_date: 'moment',
  time_unknown: 'tick',
  private: 'tick',
  people_ids: 'people',
  data_type: 'type',
  options: 'area',
  required: 'tick',
  folder_id: 'folder',
  project_id: 'only_here',
  origin_id: 'line',
};

const common = ['project_id', 'origin_id'] as const;
const plain = ['name', ...common] as const;

const fieldsOf: Readonly<Record<OwnDataKind, readonly FieldName[]>> = {
  company: ['name'],
  incidents: [
    'title',
    'description',
    'location',
    'event_date',
    'time_unknown',
    'private',
    'people_ids',
  ],
  projects: ['name', 'origin_id'],
  people: ['name', 'login', ...common],
  parties: plain,
  vendors: plain,
  affected_companies: plain,
  managed_equipment: plain,
  harm_sources: plain,
  work_activities: plain,
  time_and_material_entries: plain,
  folders: plain,
  documents: ['name', 'folder_id', ...common],
  custom_field_definitions: ['label', 'data_type', 'options', 'required', ...common],
};

/** Set once, when the record is made. */
const ONCE: ReadonlySet<FieldName> = new Set(['project_id', 'data_type']);
/** Below "More fields". */
const MORE: ReadonlySet<FieldName> = new Set(common);

/** What a field holds while it is edited. */
export type Held = string | boolean | number | readonly number[] | null;
export type Form = { -readonly [F in FieldName]?: Held };

export const formFields = (
  of: OwnDataKind,
  is_new: boolean,
): { readonly first: readonly FieldName[]; readonly more: readonly FieldName[] } => {
  const all = fieldsOf[of].filter((field) => is_new || !ONCE.has(field));
  return {
    first: all.filter((field) => !MORE.has(field)),
    more: all.filter((field) => MORE.has(field)),
  };
};

const held = (field: FieldName, value: unknown): Held => {
  if (field === 'options') return Array.isArray(value) ? value.join('\n') : '';
  if (controls[field] === 'tick') return value === true;
  if (field === 'people_ids') return Array.isArray(value) ? (value as readonly number[]) : [];
  if (field === 'event_date') return typeof value === 'string' ? localInput(Date.parse(value)) : '';
  if (field === 'data_type') return typeof value === 'string' ? value : 'string';
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? value : controls[field] === 'folder' ? null : '';
};

/** The form of a record, or of a new one. */
export const openForm = (of: OwnDataKind, fields: OwnDataFields = {}): Form =>
  Object.fromEntries(fieldsOf[of].map((field) => [field, held(field, fields[field])]));

/** Is the field of use as the form stands? Only a select has choices, and what is private lists who sees it. */
export const isAsked = (field: FieldName, form: Form): boolean => {
  if (field === 'options') return form.data_type === 'select';
  if (field === 'people_ids') return form.private === true;
  return field !== 'time_unknown' || form.event_date !== '';
};

/** What a box of a day and a time holds, as a moment; null where it is empty, as it was typed where it is none. */
const momentOf = (text: string): string | null =>
  isDayValue(text, true) ? new Date(text).toISOString() : text.trim() || null;

const said = (field: FieldName, value: Held | undefined): unknown => {
  if (field === 'options')
    return String(value ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
  if (controls[field] === 'tick') return value === true;
  if (Array.isArray(value)) return [...(value as readonly number[])].sort((a, b) => a - b);
  if (field === 'event_date') return momentOf(String(value ?? ''));
  if (typeof value !== 'string') return value ?? null;
  const text = value.trim();
  // A name that is empty is wrong, everything else may be.
  return text === '' && !['name', 'title', 'label'].includes(field) ? null : text;
};

/** What the form says, as a body. */
export const bodyOf = (of: OwnDataKind, form: Form): OwnDataFields =>
  Object.fromEntries(
    fieldsOf[of]
      .filter((field) => isAsked(field, form))
      .map((field) => [field, said(field, form[field])]),
  );

/** What the form says otherwise than it did when it was opened with the record: what nobody touched is not sent. */
export const changesIn = (of: OwnDataKind, form: Form, had: OwnDataFields): OwnDataFields =>
  recordChanges(bodyOf(of, openForm(of, had)), bodyOf(of, form));

const wrongWord = (of: OwnDataKind, field: string, code: string, message: string): string => {
  const t = words.own_data.form;
  if (message.includes('twice')) return t.choices_twice;
  if (field === 'event_date') return words.dates.unreadable_time;
  if (code === 'too_big') return t.too_long;
  return code === 'too_small' && field === nameField(of) ? t.name_missing : t.wrong;
};

const schemasOf = (of: OwnDataKind) => {
  if (of === 'company') return { make: companyUpdate, change: companyUpdate };
  if (of === 'incidents') return { make: incidentCreate, change: incidentUpdate };
  return { make: companyRecordKinds[of].create, change: companyRecordKinds[of].update };
};

/** What is wrong, by field. @param had what a record that is changed held when the form was opened; null: a new one */
export const wrongInForm = (
  of: OwnDataKind,
  form: Form,
  had: OwnDataFields | null,
): Readonly<Partial<Record<FieldName, string>>> => {
  const body = bodyOf(of, form);
  const { make, change } = schemasOf(of);
  const read = had === null ? make.safeParse(body) : change.safeParse(changesIn(of, form, had));
  const errors: Partial<Record<FieldName, string>> = {};
  for (const { path, code, message } of read.success ? [] : read.error.issues) {
    const field = fieldsOf[of].find((one) => one === path[0]);
    if (field) errors[field] ??= wrongWord(of, field, code, message);
  }
  if (
    form.data_type === 'select' &&
    body['options'] instanceof Array &&
    body['options'].length === 0
  )
    errors.options = words.own_data.form.choices_missing;
  return errors;
};

/** One value as a person reads it. */
export const sayHeld = (field: string, value: unknown): string => {
  const t = words.own_data;
  if (value === null || value === undefined || value === '') return t.nothing;
  if (typeof value === 'boolean') return value ? t.yes : t.no;
  if (field === 'status') return value === 'closed' ? t.closed : t.form.reopen;
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : t.nothing;
};

/** A field's name as a person reads it. */
export const sayField = (field: string): string => {
  const { form, columns } = words.own_data;
  const known: Readonly<Record<string, unknown>> = { ...columns, ...form };
  const name = known[field];
  return typeof name === 'string' ? name : field.replaceAll('_', ' ');
};
