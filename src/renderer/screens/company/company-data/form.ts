/**
 * Pure: the form of company data as a table: the fields of each kind, their initial values, the request body, and the
 * validation. The contract decides what is valid.
 */
import { companyUpdate } from '../../../../contract/rest/companies.ts';
import { companyRecordKinds } from '../../../../contract/rest/company-records.ts';
import { incidentCreate, incidentUpdate } from '../../../../contract/rest/incidents.ts';
import { nameField, recordChanges } from '../../../data/company/company-record-rows.ts';
import type { OwnDataFields, OwnDataKind } from '../../../operations/company/company-record.ts';
import { words } from '../../../words/company-words.ts';
import { isDayValue } from '../../../near-miss-form/typed-day.ts';
import { localInput } from '../../../near-miss-form/answers.ts';

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
  | 'help_contact'
  | 'privacy_notice'
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
  help_contact: 'line',
  privacy_notice: 'area',
  project_id: 'only_here',
  origin_id: 'line',
};

const common = ['project_id', 'origin_id'] as const;
const plain = ['name', ...common] as const;

const fieldsOf: Readonly<Record<OwnDataKind, readonly FieldName[]>> = {
  company: ['name', 'help_contact', 'privacy_notice'],
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

/** Fields that can be set only on creation. */
const ONCE: ReadonlySet<FieldName> = new Set(['project_id', 'data_type']);
const MORE: ReadonlySet<FieldName> = new Set(common);

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

export const openForm = (of: OwnDataKind, fields: OwnDataFields = {}): Form =>
  Object.fromEntries(fieldsOf[of].map((field) => [field, held(field, fields[field])]));

/** True if the field applies: only a select has options, and only a private record lists people. */
export const isAsked = (field: FieldName, form: Form): boolean => {
  if (field === 'options') return form.data_type === 'select';
  if (field === 'people_ids') return form.private === true;
  return field !== 'time_unknown' || form.event_date !== '';
};

/** Converts a date field to ISO; null if empty, unchanged if unparsable. */
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
  // An empty name is an error; any other empty text means null.
  return text === '' && !['name', 'title', 'label'].includes(field) ? null : text;
};

export const bodyOf = (of: OwnDataKind, form: Form): OwnDataFields =>
  Object.fromEntries(
    fieldsOf[of]
      .filter((field) => isAsked(field, form))
      .map((field) => [field, said(field, form[field])]),
  );

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

/**
 * Validates the form, by field.
 * @param had the record's fields when the form was opened; null for a new record
 */
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

export const sayHeld = (field: string, value: unknown): string => {
  const t = words.own_data;
  if (value === null || value === undefined || value === '') return t.nothing;
  if (typeof value === 'boolean') return value ? t.yes : t.no;
  if (field === 'status') return value === 'closed' ? t.closed : t.form.reopen;
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : t.nothing;
};

export const sayField = (field: string): string => {
  const { form, columns } = words.own_data;
  const known: Readonly<Record<string, unknown>> = { ...columns, ...form };
  const name = known[field];
  return typeof name === 'string' ? name : field.replaceAll('_', ' ');
};
