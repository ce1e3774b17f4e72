/** Pure: one queued item told in a word, in a line and step by step. */
import type { Catalog } from '../../../contract/rest/catalog.ts';
import type { Problem } from '../../../contract/problem.ts';
import type { PhotoRow } from '../../data/db.ts';
import { factsOf, makesIncident, makesNearMiss } from '../../entries/entry.ts';
import type { QueueEntryView, QueueItem } from '../../outbox/queue.ts';
import type { PhotoProgress } from '../../state/app.svelte.ts';
import { fieldName, type NameOf, problemWords, serverSays } from '../../words/problems.ts';
import { words } from '../../words/wing-words.ts';
import { LOOKUPS, optionsOf } from '../capture/answers.ts';
import { customKey } from '../capture/roles.ts';
import { shownValue } from '../near-misses/view.ts';
import { type StateSaid, stateWord } from '../state-word.ts';
import { entryName } from '../company/time-and-material/names.ts';
import { companyLine, companyTitle, fixable, stepName, whoMay } from './company.ts';
import { kindWord, ofNearMiss } from './kind-words.ts';

const t = words.waiting;

type Progress = Readonly<Record<string, PhotoProgress>>;

const photosOf = (item: QueueItem): readonly QueueEntryView[] =>
  item.entries.filter((entry) => entry.photo !== null);

/** All else is told, and put right, in another way: files of a time-and-material entry, a company's own records. */
export const isNearMiss = ({ tm_entry, company }: QueueItem): boolean =>
  tm_entry === null && company === null;

/** Opened here, and put right where it waits: it has no screen of its own. */
export const isIncident = ({ company }: QueueItem): boolean => company?.kind === 'incidents';

/** A report by its title, files by the entry they are for as the catalog calls it, a company's own records by what they are. */
export const titleOf = (item: QueueItem, catalog: Catalog | null): string => {
  if (item.company !== null) return companyTitle(item.company, item.entries, catalog);
  if (item.tm_entry === null) return item.title || words.list.untitled;
  const { id } = item.tm_entry;
  return id === null ? words.tm.waiting_unknown : words.tm.waiting_title(entryName(catalog, id));
};

/** What needs the user, worst said first: something refused before something set aside. */
export const parkedOf = (item: QueueItem): QueueEntryView | undefined => {
  const parked = item.entries.filter((entry) => entry.state === 'parked');
  return parked.find((entry) => entry.problem !== null) ?? parked[0];
};

/** What the server wrote, where it wrote something; '' else. */
const serverText = (problem: Problem, nameOf: NameOf): string =>
  'messages' in problem ? serverSays(problem, nameOf) : '';

/** Why an entry needs the user, in a sentence that fits what was to be done. */
export const whyOf = (
  entry: QueueEntryView,
  missing: QueueItem['missing'],
  nameOf: NameOf = fieldName,
): string => {
  const { problem } = entry;
  if (problem === null) return t.aside_text;
  if (problem.kind === 'gone' && makesIncident(entry)) return t.no_incidents;
  if (problem.kind === 'bad_input' && 'incident_id' in problem.fields) return t.incident_missing;
  if (problem.kind !== 'gone' || !ofNearMiss(entry)) return problemWords(problem, nameOf).what;
  if (makesNearMiss(entry)) return t.project_gone;
  return missing === 'recycled' ? t.recycled : t.gone;
};

/** What the user can do about a parked entry. */
export const todoOf = (
  entry: QueueEntryView,
  problem: Problem,
  missing: QueueItem['missing'],
): string => {
  switch (problem.kind) {
    case 'gone':
      if (makesIncident(entry)) return t.no_incidents_todo;
      if (!ofNearMiss(entry)) return problemWords(problem).todo;
      return missing === 'recycled' ? t.recycled_todo : t.gone_todo;
    case 'conflict':
      return factsOf(entry.kind)?.disputed ? t.conflict_todo : problemWords(problem).todo;
    case 'refused':
      return (problem.status === 403 ? whoMay(entry.kind) : null) ?? problemWords(problem).todo;
    default:
      return problemWords(problem).todo;
  }
};

/** Can the user put it right in a form? A photo has none. */
export const canMend = (item: QueueItem, parked: QueueEntryView): boolean =>
  parked.photo === null &&
  (isNearMiss(item) || fixable(parked)) &&
  (parked.problem?.kind === 'refused' || parked.problem?.kind === 'bad_input');

/** The part of the item that is not about photos, as a person says it. */
const recordWord = (item: QueueItem): string => {
  const record = item.entries.find((entry) => entry.photo === null);
  if (record === undefined) return t.record_delivered;
  return makesNearMiss(record) ? t.record_saved : kindWord(record.kind);
};

/** `Record saved · 3 photos, 11.9 MB`, `Record delivered · 1 of 4 photos delivered`; for what needs the user, the reason. */
export const lineOf = (item: QueueItem, nameOf: NameOf = fieldName): string => {
  const parked = parkedOf(item);
  if (parked?.problem) return whyOf(parked, item.missing, nameOf);
  const photos = photosOf(item);
  if (item.company !== null) return companyLine(item.entries);
  if (item.tm_entry !== null) {
    const others = item.entries.filter((entry) => entry.photo === null);
    return [
      ...(photos.length > 0 ? [words.tm.waiting_line(photos.length, item.bytes)] : []),
      ...others.map((entry) => kindWord(entry.kind)),
    ].join(' · ');
  }
  const parts = [
    recordWord(item),
    ...(item.waits_for === null ? [] : [t.waits_for(item.waits_for)]),
  ];
  if (item.delivered_photos > 0)
    parts.push(t.photos_done(item.delivered_photos, item.delivered_photos + photos.length));
  else if (photos.length > 0) parts.push(t.facts(photos.length, item.bytes));
  return parts.join(' · ');
};

/** Bytes of a waiting photo that the server has acknowledged. */
const sentOf = ({ photo, step }: QueueEntryView, progress: Progress): number => {
  if (photo === null) return 0;
  if (step === 'uploaded' || step === 'associated') return photo.size;
  return Math.min(photo.size, progress[photo.photo_id]?.sent ?? 0);
};

export interface Movement {
  /** 0..1, null where nothing is measured. */
  readonly share: number | null;
  readonly text: string;
}

/** How far the item is: bytes acknowledged over all photos that wait, and what is being done right now. */
export const movementOf = (item: QueueItem, progress: Progress): Movement => {
  const photos = photosOf(item);
  const sent = photos.reduce((sum, entry) => sum + sentOf(entry, progress), 0);
  const moving = photos.find((entry) => entry.state === 'sending' && entry.photo !== null);
  const live = moving?.photo ? progress[moving.photo.photo_id] : undefined;
  const tries = Math.max(0, ...item.entries.map((entry) => entry.attempts));
  if (photos.length === 0)
    return {
      share: null,
      text: item.state === 'sending' ? t.sending : tries === 0 ? t.not_started : t.tries(tries),
    };
  const share = item.bytes > 0 ? sent / item.bytes : 0;
  if (item.state !== 'sending' && sent === 0)
    return { share: 0, text: tries === 0 ? t.not_started : t.tries(tries) };
  const of = t.of_bytes(sent, item.bytes);
  return { share, text: live ? `${of} · ${t.steps[live.step]}` : of };
};

/** When the item is tried again by itself, milliseconds since the epoch; null: with the queue, or only when told to. */
export const nextTryOf = (item: QueueItem): number | null => {
  const times = item.entries.flatMap((entry) =>
    entry.state === 'waiting' && entry.next_try_at !== null ? [entry.next_try_at] : [],
  );
  return times.length === 0 ? null : Math.min(...times);
};

/** The last answer of the server or the network to something that is tried again, in plain words; null where all is well. */
export const lastAnswerOf = (item: QueueItem): string | null => {
  const asked = item.entries.find((entry) => entry.state === 'waiting' && entry.problem !== null);
  return asked?.problem ? t.last_answer(problemWords(asked.problem).what) : null;
};

export interface Step extends StateSaid {
  readonly id: string;
  readonly name: string;
  /** More in plain words: bytes, why not, what the server wrote. */
  readonly note: string;
}

/**
 * Where the item stands.
 * @param held of its photos, those that wait for the network or for a person's word
 */
export const standingOf = (item: QueueItem, held: readonly QueueEntryView[]): StateSaid => {
  const { state, entries } = item;
  if (state !== 'waiting') return stateWord(state, parkedOf(item)?.problem ?? null);
  if (held.length > 0 && held.length === entries.length) {
    const { one_paused, one_waits } = t.traffic;
    return {
      tone: 'plain',
      word: held.every(({ pace }) => pace === 'paused') ? one_paused : one_waits,
    };
  }
  const photos_only =
    isNearMiss(item) &&
    item.on_server &&
    photosOf(item).length === entries.length &&
    parkedOf(item) === undefined;
  return {
    tone: 'wait',
    word: photos_only ? t.photos_pending(entries.length) : words.state.waiting,
  };
};

const reasonOf = (
  entry: QueueEntryView,
  missing: QueueItem['missing'],
  nameOf: NameOf = fieldName,
): string => {
  if (entry.problem === null) return '';
  const says = serverText(entry.problem, nameOf);
  const why = whyOf(entry, missing, nameOf);
  return says === '' || why.includes(says) ? why : `${why} ${t.server_says(says)}`;
};

const photoStep = (
  entry: QueueEntryView,
  name: string,
  progress: Progress,
  missing: QueueItem['missing'],
): Step => {
  const size = entry.photo?.size ?? 0;
  const sent = sentOf(entry, progress);
  const live = entry.photo ? progress[entry.photo.photo_id] : undefined;
  const done =
    entry.step === 'associated'
      ? t.sent_unread
      : entry.step === 'uploaded'
        ? t.sent_unhung
        : sent > 0
          ? t.of_bytes(sent, size)
          : words.format.bytes(size);
  const now = entry.state === 'sending' && live ? `${done} · ${t.steps[live.step]}` : done;
  return {
    id: entry.id,
    name,
    ...stateWord(entry.state, entry.problem),
    note: [now, reasonOf(entry, missing)].filter(Boolean).join('. '),
  };
};

/** Every step of a record on its way, those done included: the text, then each photo, then changes. */
export const stepsOf = (
  item: QueueItem,
  photos: readonly Pick<PhotoRow, 'photo_id' | 'filename' | 'state' | 'size'>[],
  progress: Progress,
  nameOf: NameOf = fieldName,
): readonly Step[] => {
  if (item.tm_entry !== null || item.company !== null)
    return item.entries.map((entry) =>
      entry.photo === null
        ? {
            id: entry.id,
            name: stepName(entry),
            ...stateWord(entry.state, entry.problem),
            note: reasonOf(entry, null),
          }
        : photoStep(entry, words.tm.waiting_step(entry.photo.filename), progress, null),
    );
  const record = item.entries.filter((entry) => entry.photo === null);
  const create = record.find(makesNearMiss);
  const own = (entry: QueueEntryView): Step => ({
    id: entry.id,
    name: makesNearMiss(entry) ? t.text : kindWord(entry.kind),
    ...stateWord(entry.state, entry.problem),
    note: reasonOf(entry, item.missing, nameOf),
  });
  const text: Step = create
    ? own(create)
    : { id: 'text', name: t.text, tone: 'ok', word: t.sent, note: '' };
  const all = [...photos].sort((a, b) => (a.photo_id < b.photo_id ? -1 : 1));
  const steps = all.flatMap((photo, index): Step[] => {
    const name = t.photo_of(index + 1, all.length, photo.filename);
    const entry = item.entries.find((one) => one.photo?.photo_id === photo.photo_id);
    if (entry) return [photoStep(entry, name, progress, item.missing)];
    if (photo.state !== 'delivered') return [];
    const note = words.format.bytes(photo.size);
    return [{ id: photo.photo_id, name, tone: 'ok', word: t.checked, note }];
  });
  return [text, ...steps, ...record.filter((entry) => entry !== create).map(own)];
};

/** A field's value as a person reads it: an id by what the catalog calls it. */
export const sayValue = (catalog: Catalog | null, field: string, value: unknown): string => {
  if (value === null || value === undefined || value === '') return t.nothing_there;
  const name = LOOKUPS.find((one) => one === field);
  const offered = name ? optionsOf(catalog, name, Number(value)) : [];
  const known = offered.find((option) => option.id === value)?.name;
  if (known !== undefined) return known;
  const definition = catalog?.custom_field_definitions.find((one) => customKey(one) === field);
  return shownValue(definition, value);
};
