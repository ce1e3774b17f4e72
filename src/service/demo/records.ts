/**
 * Plans the demo's near misses before anything is written: what happened, when, the reporting delay, severity and
 * photos. More of them fall in recent weeks, within working hours, and none repeats within ten. The same number of
 * records gives the same plan.
 */
import { pickFrom, randomFrom, type Random } from './random.ts';
import type { SceneName } from './scenes.ts';
import { kinds, type Kind } from './what-happened.ts';
import { writeSeen } from '../../contract/text/seen.ts';
import { answers, customFields, followUps } from './words.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SPAN = 180 * DAY;

export interface PlannedRecord {
  readonly kind: Kind;
  readonly work: string;
  /** Time of the report, milliseconds. */
  readonly reported_at: number;
  /** When it was recycled; null if it was not. */
  readonly deleted_at: number | null;
  /** By label, in the domain's format. */
  readonly values: Readonly<Record<string, string>>;
  readonly photos: { readonly scene: SceneName; readonly count: number } | null;
}

/** Percentages of minor, serious and potentially fatal. */
const DANGERS = { low: [92, 8, 0], middle: [64, 32, 4], high: [34, 50, 16] } as const;

/** Reporting delay: at once, within the hour, after the shift, or days later. */
const delay = (random: Random): number => {
  const kind = random();
  if (kind < 0.41) return (2 + random() * 8) * MINUTE;
  if (kind < 0.72) return (11 + random() * 48) * MINUTE;
  if (kind < 0.93) return (1 + random() * 8) * HOUR;
  return (20 + random() * 40) * HOUR;
};

/** Between 7:00 and 18:00, moved from Sunday to Saturday, never after `now`. */
const inWorkingHours = (at: number, now: number, random: Random): number => {
  const day = new Date(at);
  day.setHours(7, Math.floor(random() * 11 * 60), 0, 0);
  if (day.getDay() === 0) day.setDate(day.getDate() - 1);
  while (day.getTime() > now - 5 * MINUTE) day.setDate(day.getDate() - 1);
  return day.getTime();
};

/** Oldest first, so that ids and times increase together; denser towards the end. */
const moments = (count: number, now: number, random: Random): readonly number[] =>
  Array.from({ length: count }, (_, index) => {
    if (index === count - 1) return now - 38 * MINUTE;
    const back = (1 - (index + 0.5) / count) ** 1.35 * SPAN;
    return inWorkingHours(now - back + (random() - 0.5) * 3 * DAY, now, random);
  }).sort((a, b) => a - b);

/** Records visible at a glance: each of them can have a photo, all different. */
const GLANCE = 8;

/** Picks kinds by their frequency, none twice within ten. */
const kindsFor = (count: number, random: Random): readonly Kind[] => {
  const all = kinds.flatMap((kind) => Array.from({ length: kind.often }, () => kind));
  const chosen: Kind[] = [];
  const fits = (kind: Kind): boolean =>
    !chosen.slice(-10).includes(kind) &&
    (chosen.length < count - GLANCE ||
      (kind.scene !== undefined && chosen.slice(-4).every(({ scene }) => scene !== kind.scene)));
  while (chosen.length < count) {
    const kind = pickFrom(random, all);
    if (fits(kind)) chosen.push(kind);
  }
  return chosen;
};

const severity = (kind: Kind, random: Random): string => {
  const [minor, serious] = DANGERS[kind.danger];
  const drawn = random() * 100;
  const [low, middle, high] = customFields[0][2];
  if (drawn < minor) return low;
  return drawn < minor + serious ? middle : high;
};

/** Most due follow-ups were done the day before; every eighth is left open. */
const followUp = (due: string | undefined, now: number): Record<string, string> => {
  if (due === undefined) return {};
  const at = Date.parse(due);
  const turn = at / DAY;
  const [what = '', who = ''] = followUps[turn % followUps.length] ?? [];
  const open = at > now || turn % 8 === 0;
  const done = new Date(at - DAY).toISOString().slice(0, 10);
  return { 'Follow-up': what, 'Follow-up by': who, ...(open ? {} : { 'Follow-up done': done }) };
};

const OFFICE = 'Maria Kovacs';

/** The office has seen the reports older than two days, except every seventh, and has answered every second. */
const answer = ({
  reported_at,
  now,
}: {
  readonly reported_at: number;
  readonly now: number;
}): Record<string, string> => {
  const turn = Math.floor(reported_at / MINUTE);
  if (now - reported_at < 2 * DAY || turn % 7 === 0) return {};
  const seen = writeSeen(OFFICE, reported_at + ((turn % 20) + 1) * HOUR, 0);
  if (turn % 2 === 1) return { Seen: seen };
  return { Seen: seen, 'What we did': answers[(turn / 2) % answers.length] ?? '' };
};

const values = (
  kind: Kind,
  { reported_at, now }: { readonly reported_at: number; readonly now: number },
  random: Random,
): Record<string, string> => {
  const happened = reported_at - delay(random);
  const all: readonly (readonly [label: string, value: string, share: number])[] = [
    ['Potential severity', severity(kind, random), 0.96],
    ['Location', pickFrom(random, kind.places), 0.94],
    ['Event time', new Date(Math.round(happened / MINUTE) * MINUTE).toISOString(), 0.95],
    ['Immediate action', kind.done, 0.8],
    ['People nearby', pickFrom(random, ['0', '1', '2', '3', '5']), 0.5],
    ['Work stopped', pickFrom(random, ['true', 'false']), 0.4],
    ['Follow-up date', new Date(reported_at + 7 * DAY).toISOString().slice(0, 10), 0.2],
    ['Weather', pickFrom(random, customFields[7][2]), 0.35],
    ['Kind', pickFrom(random, customFields[14][2]), 0.6],
  ];
  const said: Record<string, string> = Object.fromEntries(
    all.flatMap(([label, value, share]) => (random() < share ? [[label, value]] : [])),
  );
  return { ...said, ...followUp(said['Follow-up date'], now), ...answer({ reported_at, now }) };
};

/** The first records on the list: nearly all of them have a photo, older ones rarely. */
const RECENT = 24;
const photosOf = ({ scene }: Kind, age: number, random: Random): PlannedRecord['photos'] => {
  if (scene === undefined || random() > (age < RECENT ? 0.9 : 0.06)) return null;
  return { scene, count: random() < 0.4 ? 2 : 1 };
};

/** Oldest first: `live` records on the list and `binned` ones in the recycle bin. */
export const planRecords = (
  now: number,
  { live, binned, photos }: { live: number; binned: number; photos: boolean },
): readonly PlannedRecord[] => {
  const random = randomFrom(20_261_121);
  const count = live + binned;
  const times = moments(count, now, random);
  const chosen = kindsFor(count, random);
  const gap = Math.max(1, Math.floor(count / (binned * 3 + 1)));
  return chosen.map((kind, index) => {
    const age = count - 1 - index;
    const reported_at = times[index] ?? now;
    // Recycles records at even gaps, the recent ones only.
    const away = age % gap === gap - 1 && age / gap < binned;
    return {
      kind,
      work: pickFrom(random, kind.work),
      reported_at,
      deleted_at: away ? Math.min(now - HOUR, reported_at + DAY) : null,
      values: values(kind, { reported_at, now }, random),
      photos: photos ? photosOf(kind, age, random) : null,
    };
  });
};
