/** Pure: presents a near miss in lists and details: its state in a word, its severity, its facts in order. */
import type { CustomFieldDefinition } from '../../contract/rest/catalog.ts';
import { textFields } from '../../contract/rest/near-miss-fields.ts';
import type { OperationState, NearMissRow } from '../data/db/db.ts';
import type { SortParts } from '../data/index/near-miss-sort.ts';
import { called } from '../words/catalog-names.ts';
import { namesNobody } from '../../contract/text/who-saw.ts';
import { answerFields, answerOf } from '../data/model/answer.ts';
import { followUpFields } from '../data/model/follow-up.ts';
import { readPin } from '../data/model/pin.ts';
import { textOf } from '../data/model/text.ts';
import { spacedCode } from '../../contract/text/answer-code.ts';
import { whoSawOf } from '../data/model/who-saw.ts';
import { words } from '../words/words.ts';
import { fieldLabel, nameOfField } from './field-names.ts';
import { type Roles } from './roles.ts';
import { customKey } from '../../contract/text/field-by-label.ts';
import { rolesHere } from './roles-here.ts';

export type Tone = 'ok' | 'wait' | 'bad' | 'info' | 'plain';

/** The delivery state of a record from its pending operations. */
export const stateOf = (
  waiting: { readonly state: OperationState } | undefined,
): { readonly tone: Tone; readonly word: string } => {
  if (waiting === undefined) return { tone: 'ok', word: words.state.delivered };
  if (waiting.state === 'parked') return { tone: 'bad', word: words.state.needs_you };
  if (waiting.state === 'sending') return { tone: 'info', word: words.state.sending };
  return { tone: 'wait', word: words.state.waiting };
};

export const severityOf = (
  row: Pick<NearMissRow, 'fields'>,
  severity: CustomFieldDefinition | undefined,
): string | null => {
  const value = severity ? row.fields.custom_fields[customKey(severity)] : null;
  return typeof value === 'string' && value !== '' ? value : null;
};

export const placeOf = (
  row: Pick<NearMissRow, 'fields'>,
  where: CustomFieldDefinition | undefined,
): string => {
  const value = where ? row.fields.custom_fields[customKey(where)] : null;
  return typeof value === 'string' ? value.trim() : '';
};

/** True for the last option of the severity field, which is the worst. */
const isWorst = (value: string | null, severity: CustomFieldDefinition | undefined): boolean =>
  value !== null && value === severity?.options.at(-1);

/** When it happened, in milliseconds since the epoch; null if not recorded. */
export const happenedAt = (
  row: Pick<NearMissRow, 'fields'>,
  when: CustomFieldDefinition | undefined,
): number | null => {
  const value = when ? row.fields.custom_fields[customKey(when)] : null;
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : at;
};

export const eventTime = (
  row: Pick<NearMissRow, 'fields' | 'created_at'>,
  when: CustomFieldDefinition | undefined,
): number => happenedAt(row, when) ?? row.created_at;

/** Sort fields beyond those of the API. */
export const sortParts = ({
  severity,
  where,
  when,
}: Pick<Roles, 'severity' | 'where' | 'when'>): SortParts => ({
  severity: severity ? { field: customKey(severity), options: severity.options } : null,
  place: where ? customKey(where) : null,
  event_time: when ? customKey(when) : null,
});

/** A custom field's value for display. */
export const shownValue = (
  definition: CustomFieldDefinition | undefined,
  value: unknown,
): string => {
  if (value === true || value === 'true') return words.detail.yes;
  if (value === false || value === 'false') return words.detail.no;
  const text = String(value);
  if (definition?.data_type === 'datetime' && !Number.isNaN(Date.parse(text)))
    return words.format.moment(Date.parse(text));
  if (definition?.data_type === 'date' && /^\d{4}-\d{2}-\d{2}$/.test(text))
    return words.format.day(Date.parse(`${text}T12:00:00`));
  // Format as a number only if no digit is lost.
  if (definition?.data_type === 'number' && String(Number(text)) === text)
    return words.format.exact(Number(text));
  return definition?.data_type === 'select' || namesNobody(text) ? called(text) : text;
};

/** The description without its title, as HTML; '' if the title is all of it. */
export const restOf = ({ fields, title }: Pick<NearMissRow, 'fields' | 'title'>): string => {
  const { description } = fields;
  const first = /^<p>[^<]*<\/p>/u.exec(description)?.[0] ?? '';
  const rest = textOf(first).trim() === title ? description.slice(first.length) : description;
  return textOf(rest).trim() === '' || textOf(rest).trim() === title ? '' : rest;
};

export interface Fact {
  readonly name: string;
  readonly value: string;
  readonly bad?: boolean;
  /** Facts with a fixed position on paper, and facts that name a person. */
  readonly part?: 'severity' | 'action' | 'person';
  /** True for when and where, which a screen shows beside the severity. */
  readonly top?: true;
  /** True for fields of the follow-up, which has a separate section. */
  readonly follow_up?: true;
  /** True for a pin on a plan, which has a separate section. */
  readonly pin?: true;
  /** True for the answer, which has a separate section. */
  readonly answer?: true;
}

/** The answer, for paper and for texts that are shared. The fields are in no other place of the form. */
const answered = (
  row: NearMissRow,
  definitions: readonly CustomFieldDefinition[],
  roles: Roles,
): Fact[] => {
  const fields = answerFields(definitions);
  if (fields === null) return [];
  const { what, seen_by } = answerOf(row.fields, fields);
  return [
    { name: fieldLabel(fields.what, roles), value: what, answer: true },
    { name: fieldLabel(fields.seen, roles), value: seen_by, part: 'person', answer: true },
  ];
};

/** Who saw it. Paper without names leaves out a name, and the code, which leads from a slip of paper to a report. */
const witnessed = (row: NearMissRow, roles: Roles): Fact[] => {
  const { saw } = roles;
  if (saw === null) return [];
  const { name, code } = whoSawOf(row.fields, saw);
  const who = String(row.fields.custom_fields[customKey(saw.who)] ?? '');
  const fact: Fact = { name: fieldLabel(saw.who, roles), value: shownValue(saw.who, who) };
  return [
    name === '' ? fact : { ...fact, part: 'person' },
    { name: fieldLabel(saw.code, roles), value: spacedCode(code), part: 'person' },
  ];
};

/** The recorded facts, in the order a supervisor asks for them. Omits empty ones. */
export const traitsOf = (
  row: NearMissRow,
  definitions: readonly CustomFieldDefinition[],
): readonly Fact[] => {
  const t = words.detail;
  const labels = words.field_labels;
  const roles = rolesHere(definitions);
  const custom = row.fields.custom_fields;
  const of = (definition: CustomFieldDefinition | undefined): string => {
    const value = definition ? custom[customKey(definition)] : null;
    return value === null || value === undefined || value === ''
      ? ''
      : shownValue(definition, value);
  };
  const severity = severityOf(row, roles.severity);
  const { severity: harm, likelihood } = roles.matrix ?? {};
  const rest = [harm, likelihood, ...roles.required, ...roles.rest, ...roles.unknown].filter(
    (one) => one !== undefined,
  );
  const follow = followUpFields(definitions);
  const followed = Object.values<CustomFieldDefinition>(follow ?? {});
  const unknown = Object.entries(custom).filter(
    ([key]) => !definitions.some((definition) => customKey(definition) === key),
  );
  const own = (definition: CustomFieldDefinition | undefined): Fact[] =>
    definition ? [{ name: fieldLabel(definition, roles), value: of(definition) }] : [];
  const facts: Fact[] = [
    ...own(roles.kind),
    { name: words.capture.when, value: words.format.moment(eventTime(row, roles.when)), top: true },
    { name: words.capture.where, value: of(roles.where), top: true },
    ...own(roles.pin).map((fact): Fact => (readPin(fact.value) ? { ...fact, pin: true } : fact)),
    {
      name: words.capture.severity,
      value: called(severity ?? ''),
      bad: isWorst(severity, roles.severity),
      part: 'severity',
    },
    { name: words.capture.action, value: of(roles.action), part: 'action' },
    ...own(roles.stopped),
    { name: labels.harm_source, value: called(row.names.harm_source) },
    { name: labels.work_activity, value: called(row.names.work_activity) },
    { name: labels.managed_equipment, value: row.names.managed_equipment },
    { name: labels.affected_person, value: row.names.affected_person, part: 'person' },
    { name: labels.affected_party, value: row.names.affected_party, part: 'person' },
    { name: labels.affected_company, value: row.names.affected_company },
    ...textFields.map((name) => ({ name: labels[name], value: row.fields[name] ?? '' })),
    ...rest.map((definition): Fact => {
      const fact = { name: fieldLabel(definition, roles), value: of(definition) };
      if (definition === follow?.who) return { ...fact, part: 'person', follow_up: true };
      return followed.includes(definition) ? { ...fact, follow_up: true } : fact;
    }),
    ...unknown.map(([key, value]) => ({
      name: nameOfField(key, definitions, roles),
      value: value === null || value === undefined ? '' : String(value),
    })),
    ...answered(row, definitions, roles),
    ...witnessed(row, roles),
    { name: t.reported_by, value: row.server?.incident_created_by?.name ?? '', part: 'person' },
  ];
  return facts.filter((fact) => fact.value !== '');
};
