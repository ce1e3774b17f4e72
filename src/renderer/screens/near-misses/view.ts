/** Pure: how a near miss is told in a list and a detail: its state in a word, its severity, the facts in order. */
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import type { EntryState, NearMissRow } from '../../data/db.ts';
import { called } from '../../words/catalog-names.ts';
import { followUpFields } from '../../data/follow-up.ts';
import { textOf } from '../../data/text.ts';
import { words } from '../../words/words.ts';
import { fieldLabel, nameOfField } from '../capture/field-names.ts';
import { customKey } from '../capture/roles.ts';
import { rolesHere } from '../capture/roles-here.ts';

export type Tone = 'ok' | 'wait' | 'bad' | 'info' | 'plain';

/** Where a record stands, from what waits for it. */
export const stateOf = (
  waiting: { readonly state: EntryState } | undefined,
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

/** Where it happened, as it was typed. */
export const placeOf = (
  row: Pick<NearMissRow, 'fields'>,
  where: CustomFieldDefinition | undefined,
): string => {
  const value = where ? row.fields.custom_fields[customKey(where)] : null;
  return typeof value === 'string' ? value.trim() : '';
};

/** The last choice of the severity field is the worst. */
export const isWorst = (
  value: string | null,
  severity: CustomFieldDefinition | undefined,
): boolean => value !== null && value === severity?.options.at(-1);

/** When it happened: the event time where the record has one, else when it was reported. */
export const eventTime = (
  row: Pick<NearMissRow, 'fields' | 'created_at'>,
  when: CustomFieldDefinition | undefined,
): number => {
  const value = when ? row.fields.custom_fields[customKey(when)] : null;
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? row.created_at : at;
};

/** One custom value as a person reads it. */
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
  // A text that a number does not hold digit for digit stays what it is.
  if (definition?.data_type === 'number' && String(Number(text)) === text)
    return words.format.exact(Number(text));
  return definition?.data_type === 'select' ? called(text) : text;
};

/** The description below its title, as HTML; '' where the title is all. The first line is not said twice. */
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
  /** What has a place of its own on paper, and what names a person. */
  readonly part?: 'severity' | 'action' | 'person';
  /** Of what has to be done, which a screen shows by itself. */
  readonly follow_up?: true;
}

/** What is known, in the order a supervisor asks for it. What is empty is left out. */
export const factsOf = (
  row: NearMissRow,
  definitions: readonly CustomFieldDefinition[],
): readonly Fact[] => {
  const t = words.detail;
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
  const facts: Fact[] = [
    { name: words.capture.when, value: words.format.moment(eventTime(row, roles.when)) },
    { name: words.capture.where, value: of(roles.where) },
    {
      name: words.capture.severity,
      value: called(severity ?? ''),
      bad: isWorst(severity, roles.severity),
      part: 'severity',
    },
    ...(roles.action
      ? [{ name: words.capture.action, value: of(roles.action), part: 'action' as const }]
      : []),
    { name: t.harm_source, value: called(row.names.harm_source) },
    { name: t.work_activity, value: called(row.names.work_activity) },
    { name: t.equipment, value: row.names.managed_equipment },
    { name: t.affected_person, value: row.names.affected_person, part: 'person' },
    { name: t.affected_party, value: row.names.affected_party, part: 'person' },
    { name: t.affected_company, value: row.names.affected_company },
    ...rest.map((definition): Fact => {
      const fact = { name: fieldLabel(definition, roles), value: of(definition) };
      if (definition === follow?.who) return { ...fact, part: 'person', follow_up: true };
      return followed.includes(definition) ? { ...fact, follow_up: true } : fact;
    }),
    ...unknown.map(([key, value]) => ({
      name: nameOfField(key, definitions, roles),
      value: value === null || value === undefined ? '' : String(value),
    })),
    { name: t.reported_by, value: row.server?.incident_created_by?.name ?? '', part: 'person' },
  ];
  return facts.filter((fact) => fact.value !== '');
};
