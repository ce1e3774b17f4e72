/**
 * Computes what must be on the service after a run, from the actions and the window's outcomes. An action without an outcome
 * may have happened or not: the oracle follows every course of events that the outcomes allow, and the service must show one of
 * them.
 */
import { createHash } from 'node:crypto';
import { type Action, type Outcome, photoBytes, type PhotoSpec } from './actions.ts';

/** An action, logged before it was performed. */
export interface Logged {
  readonly action: Action | { readonly do: 'lose_database' };
  outcome: Outcome | null;
}

interface Course {
  /** `draft`: only on the laptop, with its photos. */
  readonly where: 'none' | 'draft' | 'active' | 'bin';
  readonly text: string;
  readonly photos: readonly PhotoSpec[];
}

const nowhere: Course = { where: 'none', text: '', photos: [] };
const there = ({ where }: Course): boolean => where === 'active' || where === 'bin';

/** States after an unfinished save: a draft with some of its photos, or nothing. */
const drafts = (action: Logged['action']): Course[] => {
  if (action.do !== 'create') return [];
  let some: (readonly PhotoSpec[])[] = [[]];
  for (const photo of action.photos) some = some.flatMap((few) => [few, [...few, photo]]);
  return some.map((photos) => ({ where: 'draft', text: action.text, photos }));
};

/** States that this action leads to from `course` if it happened. Empty: it cannot have happened. */
const done = (course: Course, action: Logged['action'], detail: string | undefined): Course[] => {
  switch (action.do) {
    case 'create':
      return [{ where: 'active', text: action.text, photos: action.photos }];
    case 'save_again':
      if (there(course)) return [];
      return [{ where: 'active', text: action.text, photos: course.photos }];
    case 'edit':
      return there(course) ? [{ ...course, text: action.text }] : [];
    case 'delete': {
      if (!there(course)) return [];
      const bin: Course = { ...course, where: 'bin' };
      if (detail === 'cancelled') return [nowhere];
      return detail === 'queued' ? [bin] : [nowhere, bin];
    }
    case 'restore':
      return course.where === 'bin' ? [{ ...course, where: 'active' }] : [];
    case 'take_back':
      return there(course) ? [{ ...course, where: 'draft' }] : [];
    case 'add_photo':
      return there(course) ? [{ ...course, photos: [...course.photos, action.photo] }] : [];
    case 'lose_database':
      // The journal's copy of a draft may be about a second old, and restores that version.
      return course.where === 'draft' ? [nowhere, course] : [course];
  }
};

/** A refused save is not there. A refused edit may still be sent, because it stays in the record's form. */
const afterRefusal = (course: Course, { action, outcome }: Logged): Course[] => {
  const certain = action.do === 'create' || action.do === 'save_again';
  if (certain || outcome?.detail === 'conflict' || outcome?.detail === 'gone')
    return [course, ...drafts(action)];
  return [course, ...done(course, action, undefined)];
};

const follow = (course: Course, one: Logged): Course[] => {
  switch (one.outcome?.said ?? 'unknown') {
    case 'saved':
      return done(course, one.action, one.outcome?.detail);
    case 'nothing':
      return [course];
    case 'refused':
      return afterRefusal(course, one);
    case 'unknown':
      return [course, ...drafts(one.action), ...done(course, one.action, undefined)];
  }
};

/** Every final state that the log of one record allows. */
const courses = (log: readonly Logged[]): readonly Course[] => {
  let open: readonly Course[] = [nowhere];
  for (const one of log) {
    const next = open.flatMap((course) => follow(course, one));
    open = [...new Map(next.map((course) => [JSON.stringify(course), course])).values()];
  }
  return open;
};

/** A record as the service has it. */
export interface Found {
  readonly text: string;
  readonly deleted: boolean;
  /** sha256 of the bytes read back, in any order. */
  readonly photos: readonly string[];
}

export const hashOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

const shown = (course: Course): string =>
  there(course)
    ? JSON.stringify([
        course.where,
        course.text,
        course.photos.map((photo) => hashOf(photoBytes(photo))).sort(),
      ])
    : 'none';

/** Describes what is wrong with one record; null if nothing. */
export const judge = (
  marker: string,
  log: readonly Logged[],
  found: readonly Found[],
): string | null => {
  const allowed = new Set(courses(log).map(shown));
  if (allowed.size === 0) return `${marker}: the answers contradict each other`;
  if (found.length > 1) return `${marker}: ${found.length} records, at most one was entered`;
  const [one] = found;
  const real =
    one === undefined
      ? 'none'
      : JSON.stringify([one.deleted ? 'bin' : 'active', one.text, [...one.photos].sort()]);
  if (allowed.has(real)) return null;
  return `${marker}: the service shows ${real}, allowed is ${[...allowed].join(' or ')}`;
};

/** Whether any create or save was acknowledged. For the count of acknowledged records. */
export const acknowledged = (log: readonly Logged[]): boolean =>
  log.some(
    ({ action, outcome }) =>
      (action.do === 'create' || action.do === 'save_again') && outcome?.said === 'saved',
  );
