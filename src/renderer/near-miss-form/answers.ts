/**
 * Pure: converts between what a person types in the capture form and the fields of a near miss. roles.ts decides which
 * custom field plays which part ("How bad", "Where", "When").
 */
import type { Catalog, CustomFieldDefinition } from '../../contract/rest/catalog.ts';
import {
  eachField,
  lookupFields,
  nearMissFields,
  textFields,
  type LookupField,
  type TextField,
} from '../../contract/rest/near-miss-fields.ts';
import type { NearMissFields, TakenAt } from '../data/db/db.ts';
import { isOpenedHere } from '../data/model/incident-ids.ts';
import { captionsField } from '../data/model/photo-notes.ts';
import { whoSawFields } from '../data/model/who-saw.ts';
import { localMinute } from '../data/model/local-day.ts';
import { htmlOf, textOf } from '../data/model/text.ts';
import {
  type Five,
  fiveFrom,
  fiveTo,
  joinRating,
  type Level,
  levelOf,
  LEVELS,
  noRating,
  type Rating,
  type Risk,
  sameRating,
  splitRating,
} from './rating.ts';
import { type Roles } from './roles.ts';
import { customKey } from '../../contract/text/field-by-label.ts';
import { called } from '../words/catalog-names.ts';
import { isDayValue } from './typed-day.ts';
import { words } from '../words/words.ts';

export type LookupName = 'incident_id' | LookupField;

/** The form as typed. Text is converted only on sending, so that a half-typed number survives a restart. */
export interface Answers {
  /** The description as plain text, even if it is formatted. */
  readonly what: string;
  /** The HTML of a formatted description (list, table, link), so that editing loses no formatting. Null if plain. */
  readonly rich: string | null;
  readonly lookups: Readonly<Record<LookupName, number | null>>;
  readonly texts: Readonly<Record<TextField, string>>;
  /** Keyed `custom_field_7`. Text for every type but `boolean`. */
  readonly custom: Readonly<Record<string, string | boolean | null>>;
  /** The part of the severity that no custom field stores. */
  readonly rating: Rating;
}

/** Parses a positive whole number, ignoring surrounding spaces; null for anything else. */
export const wholeNumber = (text: string): number | null =>
  /^[1-9]\d{0,14}$/.test(text.trim()) ? Number(text.trim()) : null;

export const LOOKUPS: readonly LookupName[] = ['incident_id', ...lookupFields];

const noLookups = eachField<LookupName, number | null>(LOOKUPS, () => null);

export const emptyAnswers = (incident_id: number | null): Answers => ({
  what: '',
  rich: null,
  lookups: { ...noLookups, incident_id },
  texts: eachField(textFields, () => ''),
  custom: {},
  rating: noRating,
});

export type RatingChange = Pick<Answers, 'custom' | 'rating'>;

/** The answered 5 x 5 risk, from the custom fields or from the text. */
export const riskOf = ({ custom, rating }: Answers, { matrix }: Roles): Risk | null => {
  if (matrix === undefined) return rating.risk;
  const side = (definition: CustomFieldDefinition): Five | null =>
    fiveFrom(definition, custom[customKey(definition)]);
  const [severity, likelihood] = [side(matrix.severity), side(matrix.likelihood)];
  return severity === null || likelihood === null ? null : { severity, likelihood };
};

/** The answered level; null also if the catalog does not have exactly three options. */
const levelAnswered = ({ custom, rating }: Answers, { severity }: Roles): Level | null => {
  if (severity === undefined) return rating.level;
  if (severity.options.length !== LEVELS.length) return null;
  const chosen = severity.options.indexOf(String(custom[customKey(severity)] ?? ''));
  return LEVELS.find((level) => level === chosen) ?? null;
};

const withRisk = (answers: Answers, { matrix }: Roles, risk: Risk | null): RatingChange =>
  matrix === undefined
    ? { custom: answers.custom, rating: { ...answers.rating, risk } }
    : {
        custom: {
          ...answers.custom,
          [customKey(matrix.severity)]: risk && fiveTo(matrix.severity, risk.severity),
          [customKey(matrix.likelihood)]: risk && fiveTo(matrix.likelihood, risk.likelihood),
        },
        rating: answers.rating,
      };

/** @param level an index into the three levels or the catalog's options; null for none */
export const chooseLevel = (answers: Answers, roles: Roles, level: number | null): RatingChange => {
  const { severity } = roles;
  const chosen: Answers =
    severity === undefined
      ? {
          ...answers,
          rating: { ...answers.rating, level: LEVELS.find((one) => one === level) ?? null },
        }
      : {
          ...answers,
          custom: {
            ...answers.custom,
            [customKey(severity)]: level === null ? null : (severity.options[level] ?? null),
          },
        };
  // Drop a 5 x 5 rating that contradicts the level.
  const risk = riskOf(chosen, roles);
  const now = levelAnswered(chosen, roles);
  const agrees = risk === null || (now !== null && levelOf(risk) === now);
  return agrees ? chosen : withRisk(chosen, roles, null);
};

/** Sets the 5 x 5 risk and the level it implies. */
export const chooseRisk = (answers: Answers, roles: Roles, risk: Risk | null): RatingChange => {
  const { severity } = roles;
  const rated = { ...answers, ...withRisk(answers, roles, risk) };
  if (risk === null) return rated;
  const level = levelOf(risk);
  if (severity === undefined) return { ...rated, rating: { ...rated.rating, level } };
  const option = severity.options.length === LEVELS.length ? severity.options[level] : undefined;
  if (option === undefined) return rated;
  return { ...rated, custom: { ...rated.custom, [customKey(severity)]: option } };
};

/** A moment for `<input type="datetime-local">`, in local time. */
export const localInput = (at: number): string => localMinute(at).replace(' ', 'T');

/** A photo's time for the form: converted to local time if the file states its zone, else the camera's wall clock. */
export const takenInput = (taken: TakenAt): string =>
  taken.at === null ? taken.local.slice(0, 16) : localInput(taken.at);

/** The times of a photo or video: two if they contradict each other in local time. */
export const timesOf = (taken: TakenAt): readonly TakenAt[] => {
  const { local, offset, other_at } = taken;
  const other: TakenAt | null = other_at === undefined ? null : { local, offset, at: other_at };
  return other === null || takenInput(other) === takenInput(taken) ? [taken] : [taken, other];
};

/** The earliest time of the photos; null if none has one. */
export const earliestTaken = (
  photos: readonly { readonly taken_at: TakenAt | null }[],
): TakenAt | null =>
  photos
    .flatMap(({ taken_at }) => taken_at ?? [])
    .sort((a, b) => takenInput(a).localeCompare(takenInput(b)))[0] ?? null;

const DAY = 86_400_000;

/** True if the photo may belong to an event reported at `now`. A camera's clock may be years off, or ahead. */
export const mayBeNow = (taken: TakenAt, now: number): boolean => {
  const at = new Date(takenInput(taken)).getTime();
  return at > now - 31 * DAY && at < now + DAY / 24;
};

/** Tolerance for clocks that differ, in milliseconds. */
const CLOCK_SLACK = 5 * 60_000;

/** True if an answered time is in the future. A near miss has already happened, so the day or month is mistyped. */
export const isAhead = (answer: string | boolean | null | undefined, now: number): boolean =>
  typeof answer === 'string' && new Date(answer).getTime() > now + CLOCK_SLACK;

const typedOf = (value: unknown): string | boolean | null => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
};

/**
 * Parses a number with a decimal point or comma; null if invalid. `1,250` is ambiguous (thousands or decimals) and
 * therefore rejected.
 */
const typedNumber = (text: string): number | null => {
  if (/^[-+]?[1-9]\d{0,2},\d{3}$/.test(text)) return null;
  const value = Number(text.replace(',', '.'));
  // Number() also accepts hexadecimal, octal and binary.
  return Number.isFinite(value) && /^[-+.\d]/.test(text) && !/^[-+]?0[box]/i.test(text)
    ? value
    : null;
};

/** A stored value for its control. Converts `datetime` to local time. */
const shownOf = (definition: CustomFieldDefinition | undefined, value: unknown) => {
  const typed = typedOf(value);
  if (definition?.data_type === 'boolean' && typeof typed === 'string') return typed === 'true';
  if (definition?.data_type !== 'datetime' || typeof typed !== 'string') return typed;
  const at = Date.parse(typed);
  // An invalid time stays as typed, so that the form can mark it.
  return Number.isNaN(at) ? typed : localInput(at);
};

/** True if the HTML has more than paragraphs and line breaks. */
const isFormatted = (html: string): boolean => /<(?!\/?(?:p|br)\b)[a-z]/iu.test(html);

/** Splits the description into text and a rating appended to it. Formatted HTML loses only the rating's paragraph. */
const describedOf = (html: string): Pick<Answers, 'what' | 'rich' | 'rating'> => {
  const said = splitRating(textOf(html));
  if (!isFormatted(html)) return { ...said, rich: null };
  const rich = sameRating(said.rating, noRating) ? html : html.replace(/<p>[^<]*<\/p>\s*$/u, '');
  return { ...said, rich };
};

/** The description as sent, with the rating appended. */
const descriptionOf = ({
  what,
  rich,
  rating,
}: Pick<Answers, 'what' | 'rich' | 'rating'>): string =>
  rich === null ? htmlOf(joinRating(what, rating)) : rich + htmlOf(joinRating('', rating));

export const answersOf = (
  fields: Partial<NearMissFields>,
  definitions: readonly CustomFieldDefinition[],
): Answers => ({
  ...describedOf(fields.description ?? ''),
  lookups: {
    ...noLookups,
    ...Object.fromEntries(LOOKUPS.map((name) => [name, fields[name] || null])),
  },
  texts: eachField(textFields, (name) => fields[name] ?? ''),
  custom: Object.fromEntries(
    Object.entries(fields.custom_fields ?? {}).flatMap(([key, value]) => {
      const definition = definitions.find((one) => customKey(one) === key);
      // Skip values that the form cannot show, or they would be written back changed.
      if (definition?.data_type === 'unknown' || typeof value === 'object') return [];
      return [[key, shownOf(definition, value)]];
    }),
  ),
});

/** The values of an earlier report that the next one may share: place, incident (if open), company, work activity. */
export const repeatable = (
  { lookups, custom }: Answers,
  { where }: Roles,
  catalog: Catalog | null,
): { readonly lookups: Partial<Answers['lookups']>; readonly custom: Answers['custom'] } => {
  const { affected_company_id, work_activity_id } = lookups;
  const closed = catalog?.incidents.some((one) => one.id === lookups.incident_id && one.closed);
  const incident_id = closed ? null : lookups.incident_id;
  const given = Object.entries({ incident_id, affected_company_id, work_activity_id });
  const place = where === undefined ? null : custom[customKey(where)];
  return {
    lookups: Object.fromEntries(given.filter(([, id]) => id !== null)),
    custom: where === undefined || !place ? {} : { [customKey(where)]: place },
  };
};

/** A custom field's value as sent. An invalid number stays text, which the check below reports. */
const wireValue = (
  definition: CustomFieldDefinition | undefined,
  typed: string | boolean | null,
): unknown => {
  if (typed === null || typeof typed === 'boolean') return typed;
  const text = typed.trim();
  if (text === '') return null;
  if (definition?.data_type === 'number') return typedNumber(text) ?? text;
  if (definition?.data_type === 'datetime') {
    const at = new Date(text);
    return Number.isNaN(at.getTime()) ? text : at.toISOString();
  }
  return text;
};

const trimmed = (text: string): string => text.trim();

/**
 * Converts answers to fields.
 * @param before keeps the formatting of an unchanged description, and custom values that the form does not show
 */
export const fieldsOf = (
  answers: Answers,
  definitions: readonly CustomFieldDefinition[],
  before?: Partial<NearMissFields>,
): NearMissFields => {
  const was = before?.description === undefined ? null : describedOf(before.description);
  const kept =
    was !== null &&
    was.what === answers.what.trim() &&
    was.rich === answers.rich &&
    sameRating(was.rating, answers.rating);
  return {
    ...answers.lookups,
    ...eachField(textFields, (name) => trimmed(answers.texts[name])),
    incident_id: answers.lookups.incident_id ?? 0,
    description: kept ? (before?.description ?? '') : descriptionOf(answers),
    custom_fields: {
      ...before?.custom_fields,
      ...Object.fromEntries(
        Object.entries(answers.custom).map(([key, typed]) => [
          key,
          wireValue(
            definitions.find((definition) => customKey(definition) === key),
            typed,
          ),
        ]),
      ),
    },
  };
};

export const isEmpty = (answers: Answers): boolean =>
  answers.what.trim() === '' &&
  sameRating(answers.rating, noRating) &&
  Object.entries(answers.lookups).every(([name, id]) => name === 'incident_id' || id === null) &&
  textFields.every((name) => answers.texts[name] === '') &&
  Object.values(answers.custom).every((value) => value === null || value === '');

/** True for text fields and for fields that the catalog does not have (yet). */
const mayHoldWords = (definition: CustomFieldDefinition | undefined): boolean =>
  definition === undefined || ['string', 'text'].includes(definition.data_type);

/** A draft's title: the description, else the first non-empty text field other than captions and who saw it; '' if nothing was typed. */
export const firstWords = (
  answers: Answers,
  definitions: readonly CustomFieldDefinition[],
): string => {
  const saw = whoSawFields(definitions);
  const untold = [captionsField(definitions), saw?.who, saw?.code].flatMap((one) =>
    one ? [customKey(one)] : [],
  );
  const texts = Object.entries(answers.custom)
    .filter(([key]) => !untold.includes(key))
    .filter(([key]) => mayHoldWords(definitions.find((one) => customKey(one) === key)))
    .map(([, value]) => (typeof value === 'string' ? value : ''));
  const plain = textFields.map((name) => answers.texts[name]);
  return (
    [answers.what, ...plain, ...texts].map((text) => text.trim()).find((text) => text !== '') ?? ''
  );
};

export type Trouble = 'missing' | 'too_long' | 'not_a_number' | 'not_a_choice' | 'not_a_day';

/** What prevents saving, by control: `what`, `incident_id`, `custom_field_7`. */
export const troublesOf = (
  answers: Answers,
  definitions: readonly CustomFieldDefinition[],
): Readonly<Record<string, Trouble>> => {
  const found: Record<string, Trouble> = {};
  if (answers.what.trim() === '') found['what'] = 'missing';
  else if (
    new TextEncoder().encode(descriptionOf(answers)).length > nearMissFields.description.maxBytes
  )
    found['what'] = 'too_long';
  if (answers.lookups.incident_id === null) found['incident_id'] = 'missing';
  for (const definition of definitions) {
    if (definition.data_type === 'unknown') continue;
    const key = customKey(definition);
    const typed = answers.custom[key] ?? null;
    const blank = typed === null || (typeof typed === 'string' && typed.trim() === '');
    if (blank) {
      if (definition.required) found[key] = 'missing';
    } else if (
      definition.data_type === 'number' &&
      typeof wireValue(definition, typed) !== 'number'
    ) {
      found[key] = 'not_a_number';
    } else if (
      (definition.data_type === 'date' || definition.data_type === 'datetime') &&
      typeof typed === 'string' &&
      !isDayValue(typed, definition.data_type === 'datetime')
    ) {
      found[key] = 'not_a_day';
    } else if (
      definition.data_type === 'select' &&
      typeof typed === 'string' &&
      !definition.options.includes(typed)
    ) {
      found[key] = 'not_a_choice';
    }
  }
  return found;
};

type Incident = Catalog['incidents'][number];

/** The note beside an incident's title: its number, and whether it is closed or private (decisions §4.5). */
const incidentNote = ({ id, number, closed, private: hidden }: Incident): string =>
  [
    isOpenedHere(id) ? words.capture.new_incident.not_sent : String(number),
    ...(closed ? [words.capture.closed_incident] : []),
    ...(hidden ? [words.detail.private_incident] : []),
  ].join(' · ');

/** Closed incidents are no longer offered, except the chosen one (decisions §4.6). */
const openOf = (catalog: Catalog | null, chosen: number | null = null): readonly Incident[] =>
  (catalog?.incidents ?? []).filter(({ id, closed }) => !closed || id === chosen);

/**
 * The incident preselected for a new near miss: the first remembered one that is offered, or the only one. Without a list
 * of incidents any remembered one is accepted.
 */
export const incidentToBegin = (
  catalog: Catalog | null,
  remembered: readonly (number | null | undefined)[],
): number | null => {
  // A report under a private job is hidden from colleagues, so a person must choose that for each report.
  const offered = openOf(catalog).filter((incident) => incident.private !== true);
  const listed = (catalog?.incidents ?? []).length > 0;
  const usable = (id: number | null | undefined): id is number =>
    Boolean(id) && (!listed || offered.some((incident) => incident.id === id));
  return remembered.find(usable) ?? (offered.length === 1 ? (offered[0]?.id ?? null) : null);
};

const spoken = (options: readonly { readonly id: number; readonly name: string }[]) =>
  options.map(({ id, name }) => ({ id, name: called(name) }));

/** The options of a lookup, in the catalog's order: the active ones, and the chosen one in any case. */
export const optionsOf = (
  catalog: Catalog | null,
  name: LookupName,
  chosen: number | null,
): readonly { readonly id: number; readonly name: string; readonly note?: string }[] => {
  if (catalog === null) return [];
  const usable = <T extends { readonly id: number; readonly active: boolean }>(
    list: readonly T[],
  ) => list.filter((item) => item.active || item.id === chosen);
  switch (name) {
    case 'incident_id':
      return openOf(catalog, chosen).map((incident) => ({
        id: incident.id,
        name: incident.title,
        note: incidentNote(incident),
      }));
    case 'harm_source_id':
      return spoken(usable(catalog.harm_sources));
    case 'work_activity_id':
      return spoken(usable(catalog.work_activities));
    case 'affected_person_id':
      return catalog.people.map(({ id, name: called }) => ({ id, name: called }));
    case 'affected_party_id':
      return catalog.parties;
    case 'affected_company_id':
      return catalog.companies;
    case 'managed_equipment_id':
      return catalog.managed_equipment;
    default:
      return name satisfies never;
  }
};
