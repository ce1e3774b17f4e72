/**
 * Pure: the capture form between what a person types and what a near miss holds. Which custom field plays which part
 * ("How bad", "Where", "When") is told by roles.ts.
 */
import type { Catalog, CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import { DESCRIPTION_MAX_BYTES } from '../../../contract/rest/near-misses.ts';
import type { NearMissFields, TakenAt } from '../../data/db.ts';
import { isOpenedHere } from '../../data/incident-ids.ts';
import { captionsField } from '../../data/photo-notes.ts';
import { localMinute } from '../../data/local-day.ts';
import { htmlOf, textOf } from '../../data/text.ts';
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
import { customKey, type Roles } from './roles.ts';
import { called } from '../../words/catalog-names.ts';
import { isDayValue } from '../typed-day.ts';
import { words } from '../../words/words.ts';

export type LookupName = Exclude<keyof NearMissFields, 'description' | 'custom_fields'>;

/** The form as typed: text stays text until it is sent, so that a half-typed number survives a restart. */
export interface Answers {
  /** As plain text, whatever it is written in. */
  readonly what: string;
  /** The description where it is formatted (a list, a table, a link): edited as that, so that nothing of it is lost. Null: plain. */
  readonly rich: string | null;
  readonly lookups: Readonly<Record<LookupName, number | null>>;
  /** Keyed `custom_field_7`. Text for every type but `boolean`. */
  readonly custom: Readonly<Record<string, string | boolean | null>>;
  /** How bad it could have been, as far as no custom field holds it. */
  readonly rating: Rating;
}

/** `12` of ` 12 `; null of anything that is no positive whole number. */
export const wholeNumber = (text: string): number | null =>
  /^[1-9]\d{0,14}$/.test(text.trim()) ? Number(text.trim()) : null;

export const LOOKUPS: readonly LookupName[] = [
  'incident_id',
  'harm_source_id',
  'work_activity_id',
  'affected_person_id',
  'affected_party_id',
  'affected_company_id',
  'managed_equipment_id',
];

const noLookups = Object.fromEntries(LOOKUPS.map((name) => [name, null])) as Record<
  LookupName,
  number | null
>;

export const emptyAnswers = (incident_id: number | null): Answers => ({
  what: '',
  rich: null,
  lookups: { ...noLookups, incident_id },
  custom: {},
  rating: noRating,
});

/** What a change of how bad it could have been changes in the answers. */
export type RatingChange = Pick<Answers, 'custom' | 'rating'>;

/** The 5 x 5 as answered, from the fields or from the text. */
export const riskOf = ({ custom, rating }: Answers, { matrix }: Roles): Risk | null => {
  if (matrix === undefined) return rating.risk;
  const side = (definition: CustomFieldDefinition): Five | null =>
    fiveFrom(definition, custom[customKey(definition)]);
  const [severity, likelihood] = [side(matrix.severity), side(matrix.likelihood)];
  return severity === null || likelihood === null ? null : { severity, likelihood };
};

/** The level as answered; null too where the catalog's choices are not three. */
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

/** @param level one of three, or of the catalog's choices the one at that place; null: none */
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
  // A 5 x 5 that says something else is not left standing beside it.
  const risk = riskOf(chosen, roles);
  const now = levelAnswered(chosen, roles);
  const agrees = risk === null || (now !== null && levelOf(risk) === now);
  return agrees ? chosen : withRisk(chosen, roles, null);
};

/** The 5 x 5, and the level that it means. */
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

/** A moment as `<input type="datetime-local">` wants it, in this computer's zone. */
export const localInput = (at: number): string => localMinute(at).replace(' ', 'T');

/** When the camera says it was, as the form shows it: certain where the file names its zone, else its wall clock. */
export const takenInput = (taken: TakenAt): string =>
  taken.at === null ? taken.local.slice(0, 16) : localInput(taken.at);

/** The earliest time that photos tell; null where none does. */
export const earliestTaken = (
  photos: readonly { readonly taken_at: TakenAt | null }[],
): TakenAt | null =>
  photos
    .flatMap(({ taken_at }) => taken_at ?? [])
    .sort((a, b) => takenInput(a).localeCompare(takenInput(b)))[0] ?? null;

const DAY = 86_400_000;

/** Can the photo be of what is reported at `now`? A camera's clock may be years off, or ahead. */
export const mayBeNow = (taken: TakenAt, now: number): boolean => {
  const at = new Date(takenInput(taken)).getTime();
  return at > now - 31 * DAY && at < now + DAY / 24;
};

const typedOf = (value: unknown): string | boolean | null => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
};

/**
 * The number somebody typed, with a point or a comma; null where it is none. `1,250` may be a thousand or one and a quarter: that is
 * not guessed.
 */
const typedNumber = (text: string): number | null => {
  if (/^[-+]?[1-9]\d{0,2},\d{3}$/.test(text)) return null;
  const value = Number(text.replace(',', '.'));
  // As hexadecimal or the like nobody means it.
  return Number.isFinite(value) && /^[-+.\d]/.test(text) && !/^[-+]?0[box]/i.test(text)
    ? value
    : null;
};

/** How a stored value looks in its control. `datetime` turns from the wire's zone to this computer's. */
const shownOf = (definition: CustomFieldDefinition | undefined, value: unknown) => {
  const typed = typedOf(value);
  if (definition?.data_type === 'boolean' && typeof typed === 'string') return typed === 'true';
  if (definition?.data_type !== 'datetime' || typeof typed !== 'string') return typed;
  const at = Date.parse(typed);
  // What is no time stays as it was typed, for the form to point at.
  return Number.isNaN(at) ? typed : localInput(at);
};

/** Is there more in it than paragraphs and line breaks? */
const isFormatted = (html: string): boolean => /<(?!\/?(?:p|br)\b)[a-z]/iu.test(html);

/** A description as typed: its rating apart, where that stands in the text; formatted, without the paragraph that says it. */
const describedOf = (html: string): Pick<Answers, 'what' | 'rich' | 'rating'> => {
  const said = splitRating(textOf(html));
  if (!isFormatted(html)) return { ...said, rich: null };
  const rich = sameRating(said.rating, noRating) ? html : html.replace(/<p>[^<]*<\/p>\s*$/u, '');
  return { ...said, rich };
};

/** The description as it is sent. */
const descriptionOf = ({
  what,
  rich,
  rating,
}: Pick<Answers, 'what' | 'rich' | 'rating'>): string =>
  rich === null ? htmlOf(joinRating(what, rating)) : rich + htmlOf(joinRating('', rating));

/** What a draft or a record holds, as the form shows it. */
export const answersOf = (
  fields: Partial<NearMissFields>,
  definitions: readonly CustomFieldDefinition[],
): Answers => ({
  ...describedOf(fields.description ?? ''),
  lookups: {
    ...noLookups,
    ...Object.fromEntries(LOOKUPS.map((name) => [name, fields[name] || null])),
  },
  custom: Object.fromEntries(
    Object.entries(fields.custom_fields ?? {}).flatMap(([key, value]) => {
      const definition = definitions.find((one) => customKey(one) === key);
      // What cannot be shown is not taken over: it would be written back as something else.
      if (definition?.data_type === 'unknown' || typeof value === 'object') return [];
      return [[key, shownOf(definition, value)]];
    }),
  ),
});

/** Of an earlier report what the next one may share: where, under which incident if that is still open, whose people, what work. */
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

/** What is sent for a custom field; a number that is no number stays text, for the check below to find. */
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

/**
 * What the form says, as fields. `before` keeps a description's formatting where its words were not touched, and custom
 * values the form does not show.
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

/** Nothing worth keeping yet? */
export const isEmpty = (answers: Answers): boolean =>
  answers.what.trim() === '' &&
  sameRating(answers.rating, noRating) &&
  Object.entries(answers.lookups).every(([name, id]) => name === 'incident_id' || id === null) &&
  Object.values(answers.custom).every((value) => value === null || value === '');

/** Words as a person types them; a field that the catalog does not have (yet) may hold some. */
const mayHoldWords = (definition: CustomFieldDefinition | undefined): boolean =>
  definition === undefined || ['string', 'text'].includes(definition.data_type);

/** What a draft is called: the description, or else the first text field with words of its own (not of photos); '' where nothing was typed. */
export const firstWords = (
  answers: Answers,
  definitions: readonly CustomFieldDefinition[],
): string => {
  const captions = captionsField(definitions);
  const texts = Object.entries(answers.custom)
    .filter(([key]) => captions === undefined || key !== customKey(captions))
    .filter(([key]) => mayHoldWords(definitions.find((one) => customKey(one) === key)))
    .map(([, value]) => (typeof value === 'string' ? value : ''));
  return [answers.what, ...texts].map((text) => text.trim()).find((text) => text !== '') ?? '';
};

export type Trouble = 'missing' | 'too_long' | 'not_a_number' | 'not_a_choice' | 'not_a_day';

/** What keeps the form from being saved, by control: `what`, `incident_id`, `custom_field_7`. */
export const troublesOf = (
  answers: Answers,
  definitions: readonly CustomFieldDefinition[],
): Readonly<Record<string, Trouble>> => {
  const found: Record<string, Trouble> = {};
  if (answers.what.trim() === '') found['what'] = 'missing';
  else if (new TextEncoder().encode(descriptionOf(answers)).length > DESCRIPTION_MAX_BYTES)
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

/** Beside an incident's title: its number, whether it is closed, and whether not everybody sees it (decisions §4.5). */
const incidentNote = ({ id, number, closed, private: hidden }: Incident): string =>
  [
    isOpenedHere(id) ? words.capture.new_incident.not_sent : String(number),
    ...(closed ? [words.capture.closed_incident] : []),
    ...(hidden ? [words.detail.private_incident] : []),
  ].join(' · ');

/** A form offers a closed incident no more; one that is chosen already stays (decisions §4.6). */
const openOf = (catalog: Catalog | null, chosen: number | null = null): readonly Incident[] =>
  (catalog?.incidents ?? []).filter(({ id, closed }) => !closed || id === chosen);

/**
 * The incident that a new near miss begins with: of those remembered the first that is offered, or the only one there is. A
 * server without a list of incidents takes any.
 */
export const incidentToBegin = (
  catalog: Catalog | null,
  remembered: readonly (number | null | undefined)[],
): number | null => {
  const offered = openOf(catalog);
  const listed = (catalog?.incidents ?? []).length > 0;
  const usable = (id: number | null | undefined): id is number =>
    Boolean(id) && (!listed || offered.some((incident) => incident.id === id));
  return remembered.find(usable) ?? (offered.length === 1 ? (offered[0]?.id ?? null) : null);
};

const spoken = (options: readonly { readonly id: number; readonly name: string }[]) =>
  options.map(({ id, name }) => ({ id, name: called(name) }));

/** The options of a lookup, in the catalog's order; only active ones, and the one in use whatever it is. */
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
