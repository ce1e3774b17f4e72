/** Pure: describes a queued item in a word, in a line and by its steps. */
import type { Catalog } from '../../../../contract/rest/catalog.ts';
import type { Problem } from '../../../../contract/problem.ts';
import type { PhotoRow } from '../../../data/db/db.ts';
import {
  traitsOf,
  makesIncident,
  makesNearMiss,
  writesComment,
} from '../../../operations/operation.ts';
import type { QueuedOperation, QueueItem } from '../../../outbox/queue/queue.ts';
import type { PhotoProgress } from '../../../state/app.svelte.ts';
import { fieldName, type NameOf, problemWords, serverSays } from '../../../words/problems.ts';
import { words } from '../../../words/company-words.ts';
import { LOOKUPS, optionsOf } from '../../../near-miss-form/answers.ts';
import { customKey } from '../../../../contract/text/field-by-label.ts';
import { shownValue } from '../../../near-miss-form/view.ts';
import { type StateSaid, stateWord } from '../../common/state-word.ts';
import { entryName } from '../../company/time-and-material/names.ts';
import { companyLine, companyTitle, fixable, stepName, whoMay } from '../company.ts';
import { kindWord, ofNearMiss } from '../kind-words.ts';

const t = words.waiting;

type Progress = Readonly<Record<string, PhotoProgress>>;

const photosOf = (item: QueueItem): readonly QueuedOperation[] =>
  item.operations.filter((operation) => operation.photo !== null);

/** Files of a time-and-material entry and company records are described and fixed differently. */
export const isNearMiss = ({ tm_entry, company }: QueueItem): boolean =>
  tm_entry === null && company === null;

/** An incident created here. It has no screen, so it is fixed in the queue. */
export const isIncident = ({ company }: QueueItem): boolean => company?.kind === 'incidents';

/** A report's title, the time-and-material entry's name in the catalog, or the kind of company record. */
export const titleOf = (item: QueueItem, catalog: Catalog | null): string => {
  if (item.company !== null) return companyTitle(item.company, item.operations, catalog);
  if (item.tm_entry === null) return item.title || words.list.untitled;
  const { id } = item.tm_entry;
  return id === null ? words.tm.waiting_unknown : words.tm.waiting_title(entryName(catalog, id));
};

/** The parked operation to show: refused ones before those on hold. */
export const parkedOf = (item: QueueItem): QueuedOperation | undefined => {
  const parked = item.operations.filter((operation) => operation.state === 'parked');
  return parked.find((operation) => operation.problem !== null) ?? parked[0];
};

/** The server's own message; '' if there is none. */
const serverText = (problem: Problem, nameOf: NameOf): string =>
  'messages' in problem ? serverSays(problem, nameOf) : '';

/** Why an operation needs the user, worded for its kind. */
export const whyOf = (
  operation: QueuedOperation,
  missing: QueueItem['missing'],
  nameOf: NameOf = fieldName,
): string => {
  const { problem } = operation;
  if (problem === null) return t.aside_text;
  if (problem.kind === 'gone' && makesIncident(operation)) return t.no_incidents;
  if (problem.kind === 'bad_input' && 'incident_id' in problem.fields) return t.incident_missing;
  if (problem.kind !== 'gone' || !ofNearMiss(operation)) return problemWords(problem, nameOf).what;
  if (makesNearMiss(operation)) return t.project_gone;
  return missing === 'recycled' ? t.recycled : t.gone;
};

export const todoOf = (
  operation: QueuedOperation,
  problem: Problem,
  missing: QueueItem['missing'],
): string => {
  switch (problem.kind) {
    case 'gone':
      if (makesIncident(operation)) return t.no_incidents_todo;
      if (!ofNearMiss(operation)) return problemWords(problem).todo;
      return missing === 'recycled' ? t.recycled_todo : t.gone_todo;
    case 'conflict':
      return traitsOf(operation.kind)?.disputed ? t.conflict_todo : problemWords(problem).todo;
    case 'refused':
      return (problem.status === 403 ? whoMay(operation.kind) : null) ?? problemWords(problem).todo;
    default:
      return problemWords(problem).todo;
  }
};

/** True if a form can fix the operation. Photos and comments have none. */
export const canMend = (item: QueueItem, parked: QueuedOperation): boolean =>
  parked.photo === null &&
  !writesComment(parked) &&
  (isNearMiss(item) || fixable(parked)) &&
  (parked.problem?.kind === 'refused' || parked.problem?.kind === 'bad_input');

/** The part of the item that is not about photos. */
const recordWord = (item: QueueItem): string => {
  const record = item.operations.find((operation) => operation.photo === null);
  if (record === undefined) return t.record_delivered;
  return makesNearMiss(record) ? t.record_saved : kindWord(record.kind);
};

/** One line: `Record saved · 3 photos, 11.9 MB`, `Record delivered · 1 of 4 photos delivered`, or why it needs the user. */
export const lineOf = (item: QueueItem, nameOf: NameOf = fieldName): string => {
  const parked = parkedOf(item);
  if (parked?.problem) return whyOf(parked, item.missing, nameOf);
  const photos = photosOf(item);
  if (item.company !== null) return companyLine(item.operations);
  if (item.tm_entry !== null) {
    const others = item.operations.filter((operation) => operation.photo === null);
    return [
      ...(photos.length > 0 ? [words.tm.waiting_line(photos.length, item.bytes)] : []),
      ...others.map((operation) => kindWord(operation.kind)),
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

/** Bytes of a pending photo that the server has acknowledged. */
const sentOf = ({ photo, step }: QueuedOperation, progress: Progress): number => {
  if (photo === null) return 0;
  if (step === 'uploaded' || step === 'associated') return photo.size;
  return Math.min(photo.size, progress[photo.photo_id]?.sent ?? 0);
};

export interface Movement {
  /** From 0 to 1; null if not measurable. */
  readonly share: number | null;
  readonly text: string;
}

/** Acknowledged bytes over all pending photos, and the current step. */
export const movementOf = (item: QueueItem, progress: Progress): Movement => {
  const photos = photosOf(item);
  const sent = photos.reduce((sum, operation) => sum + sentOf(operation, progress), 0);
  const moving = photos.find(
    (operation) => operation.state === 'sending' && operation.photo !== null,
  );
  const live = moving?.photo ? progress[moving.photo.photo_id] : undefined;
  const tries = Math.max(0, ...item.operations.map((operation) => operation.attempts));
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

/**
 * The item's next automatic attempt, in milliseconds since the epoch. Null if it follows the queue or waits for the user.
 */
export const nextTryOf = (item: QueueItem): number | null => {
  const times = item.operations.flatMap((operation) =>
    operation.state === 'waiting' && operation.next_try_at !== null ? [operation.next_try_at] : [],
  );
  return times.length === 0 ? null : Math.min(...times);
};

/**
 * The last error of an operation that will be retried; null if there is none.
 * @param held the whole queue is on hold, and the screen already shows the cause above all items
 */
export const lastAnswerOf = (item: QueueItem, held = false): string | null => {
  if (held) return null;
  const asked = item.operations.find(
    (operation) => operation.state === 'waiting' && operation.problem !== null,
  );
  return asked?.problem ? t.last_answer(problemWords(asked.problem).what) : null;
};

export interface Step extends StateSaid {
  readonly id: string;
  readonly name: string;
  /** Details: bytes, the cause, the server's message. */
  readonly note: string;
}

/**
 * The state of the item.
 * @param held its photos that wait for a better link or for the user
 */
export const standingOf = (item: QueueItem, held: readonly QueuedOperation[]): StateSaid => {
  const { state, operations } = item;
  if (state !== 'waiting') return stateWord(state, parkedOf(item)?.problem ?? null);
  if (held.length > 0 && held.length === operations.length) {
    const { one_paused, one_waits } = t.traffic;
    return {
      tone: 'plain',
      word: held.every(({ pace }) => pace === 'paused') ? one_paused : one_waits,
    };
  }
  const photos_only =
    isNearMiss(item) &&
    item.on_server &&
    photosOf(item).length === operations.length &&
    parkedOf(item) === undefined;
  return {
    tone: 'wait',
    word: photos_only ? t.photos_pending(operations.length) : words.state.waiting,
  };
};

const reasonOf = (
  operation: QueuedOperation,
  missing: QueueItem['missing'],
  nameOf: NameOf = fieldName,
): string => {
  if (operation.problem === null) return '';
  const says = serverText(operation.problem, nameOf);
  const why = whyOf(operation, missing, nameOf);
  return says === '' || why.includes(says) ? why : `${why} ${t.server_says(says)}`;
};

const photoStep = (
  operation: QueuedOperation,
  name: string,
  progress: Progress,
  missing: QueueItem['missing'],
): Step => {
  const size = operation.photo?.size ?? 0;
  const sent = sentOf(operation, progress);
  const live = operation.photo ? progress[operation.photo.photo_id] : undefined;
  const done =
    operation.step === 'associated'
      ? t.sent_unread
      : operation.step === 'uploaded'
        ? t.sent_unattached
        : sent > 0
          ? t.of_bytes(sent, size)
          : words.format.bytes(size);
  const now = operation.state === 'sending' && live ? `${done} · ${t.steps[live.step]}` : done;
  return {
    id: operation.id,
    name,
    ...stateWord(operation.state, operation.problem),
    note: [now, reasonOf(operation, missing)].filter(Boolean).join('. '),
  };
};

/** All steps of a record's delivery, finished ones included: the text, the photos, then the changes. */
export const stepsOf = (
  item: QueueItem,
  photos: readonly Pick<PhotoRow, 'photo_id' | 'filename' | 'state' | 'size'>[],
  progress: Progress,
  nameOf: NameOf = fieldName,
): readonly Step[] => {
  if (item.tm_entry !== null || item.company !== null)
    return item.operations.map((operation) =>
      operation.photo === null
        ? {
            id: operation.id,
            name: stepName(operation),
            ...stateWord(operation.state, operation.problem),
            note: reasonOf(operation, null),
          }
        : photoStep(operation, words.tm.waiting_step(operation.photo.filename), progress, null),
    );
  const record = item.operations.filter((operation) => operation.photo === null);
  const create = record.find(makesNearMiss);
  const own = (operation: QueuedOperation): Step => ({
    id: operation.id,
    name: makesNearMiss(operation) ? t.text : stepName(operation),
    ...stateWord(operation.state, operation.problem),
    note: reasonOf(operation, item.missing, nameOf),
  });
  const text: Step = create
    ? own(create)
    : { id: 'text', name: t.text, tone: 'ok', word: t.sent, note: '' };
  const all = [...photos].sort((a, b) => (a.photo_id < b.photo_id ? -1 : 1));
  const steps = all.flatMap((photo, index): Step[] => {
    const name = t.photo_of(index + 1, all.length, photo.filename);
    const operation = item.operations.find((one) => one.photo?.photo_id === photo.photo_id);
    if (operation) return [photoStep(operation, name, progress, item.missing)];
    if (photo.state !== 'delivered') return [];
    const note = words.format.bytes(photo.size);
    return [{ id: photo.photo_id, name, tone: 'ok', word: t.checked, note }];
  });
  return [text, ...steps, ...record.filter((operation) => operation !== create).map(own)];
};

/** A field's value for the user; ids become the names in the catalog. */
export const sayValue = (catalog: Catalog | null, field: string, value: unknown): string => {
  if (value === null || value === undefined || value === '') return t.nothing_there;
  const name = LOOKUPS.find((one) => one === field);
  const offered = name ? optionsOf(catalog, name, Number(value)) : [];
  const known = offered.find((option) => option.id === value)?.name;
  if (known !== undefined) return known;
  const definition = catalog?.custom_field_definitions.find((one) => customKey(one) === field);
  return shownValue(definition, value);
};
