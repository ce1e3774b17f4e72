/**
 * Pure: derives everything random of one run from its seed: the person's actions, the network's faults, and the kills. The same
 * seed gives the same script; only process timing varies.
 */
import { ulid } from 'ulid';
import { randomFrom } from '../random.ts';
import type { Action, PhotoSpec } from './actions.ts';

/** The purpose of a request, recognised by method and path. */
const routes = [
  'create',
  'change',
  'delete',
  'restore',
  'upload',
  'complete',
  'segment',
  'read',
] as const;
export type Route = (typeof routes)[number];

const faultKinds = [
  'late',
  'cut_request',
  'cut_reply',
  'lost_reply',
  'burst_5xx',
  'busy_429',
  'refused_401',
  'html_200',
  'redirect',
  'garbage',
  'flip',
  'drip',
  'stall',
] as const;

/** Answers of intermediaries between laptop and server. None of them may settle, park or sign out anything. */
export const foreignKinds = [
  'foreign_401',
  'foreign_403',
  'foreign_404',
  'foreign_409',
  'other_record',
] as const;
export type FaultKind = (typeof faultKinds)[number] | (typeof foreignKinds)[number];

export interface FaultPlan {
  readonly kind: FaultKind;
  readonly on: Route | 'any';
  /** Strikes the nth such request, counted from 1. */
  readonly nth: number;
  /** Bytes, milliseconds or repetitions, depending on the kind. */
  readonly size: number;
}

const points = [
  'before-journal-append',
  'after-journal-before-saved',
  'mid-intake',
  'before-send',
  'mid-segment',
  'after-send-before-response',
  'between-create-and-link',
  'after-response-before-local-commit',
  'after-local-commit-before-journal-settle',
  'during-rebuild',
] as const;
export type PointName = (typeof points)[number];

export type Victim = 'page' | 'browser' | 'host' | 'service';

export interface Kill {
  readonly point: PointName;
  readonly victim: Victim;
  /** Kills when the point is reached for the nth time, counted from 1. */
  readonly nth: number;
  /** How long it stays dead, milliseconds. */
  readonly linger: number;
}

/** A flipped bit in an operation's line; garbage between two lines; an append torn in the middle of its line. */
const journalDamages = ['flip', 'garbage', 'torn'] as const;
type JournalDamage = (typeof journalDamages)[number];

export type Step =
  | { readonly step: 'act'; readonly action: Action; readonly window: 0 | 1 }
  /** Waits until the queue is empty, at most `ms`. */
  | { readonly step: 'settle'; readonly ms: number }
  | { readonly step: 'wait'; readonly ms: number }
  /** No connection to the server until `online`. */
  | { readonly step: 'offline' | 'online' }
  | { readonly step: 'second_window' }
  | { readonly step: 'close_second' }
  /** The browser's site data is cleared while no window is open. */
  | { readonly step: 'lose_database' }
  /** The laptop sleeps: SIGSTOP, SIGCONT. */
  | { readonly step: 'sleep'; readonly ms: number }
  /** Starts the app a second time on the same folder. */
  | { readonly step: 'second_host' }
  /** From now on the service answers reads, and fails every write with `status`, until `writes_again`. */
  | {
      readonly step: 'writes_fail';
      readonly status: 500 | 503 | 507;
      readonly retry_after: boolean;
    }
  | { readonly step: 'writes_again' }
  /** While the host is dead, a line of its journal is damaged, as by a disk. */
  | { readonly step: 'damage_journal'; readonly how: JournalDamage; readonly at: number }
  /** The service freezes and continues: SIGSTOP, SIGCONT. */
  | { readonly step: 'freeze'; readonly ms: number };

export interface Script {
  readonly seed: number;
  /** True: played in the real window, as a person. */
  readonly person: boolean;
  readonly steps: readonly Step[];
  readonly faults: readonly FaultPlan[];
  readonly kills: readonly Kill[];
  /** Share of the photo uploads that are cut in the middle while faults last. */
  readonly cuts: number;
}

/** Mixes the seed, so that neighbouring seeds give unrelated scripts. */
const generator = (seed: number): (() => number) => {
  const random = randomFrom(Math.imul(seed ^ 0x5bd1e995, 2_654_435_761));
  for (let turn = 0; turn < 8; turn += 1) random();
  return random;
};

/** Unique prefix of a record's texts. */
export const markerOf = (seed: number, record: number): string =>
  `proof ${seed} record ${record} version`;

const faultSizes: Readonly<Record<FaultKind, readonly [number, number]>> = {
  late: [20, 400],
  cut_request: [0, 1_200_000],
  cut_reply: [0, 300],
  lost_reply: [0, 0],
  burst_5xx: [1, 4],
  busy_429: [0, 3],
  refused_401: [0, 0],
  html_200: [0, 0],
  redirect: [0, 0],
  garbage: [0, 0],
  flip: [0, 250_000],
  drip: [1, 1],
  stall: [0, 0],
  foreign_401: [0, 2],
  foreign_403: [0, 2],
  foreign_404: [0, 2],
  foreign_409: [0, 2],
  other_record: [1, 250],
};

/** One seed in this many is played in the real window. */
const PERSON_EVERY = 25;

/** One seed in this many sends a video's amount of bytes: rare, because it takes most of a minute. */
const LARGE_EVERY = 60;
const LARGE = 60_000_000;

/**
 * Adds lasting faults: writes that fail while reads work, photo bytes cut repeatedly, a frozen service. Drawn from a separate
 * generator, so that the rest of a seed's script stays the same.
 */
const withClimate = (script: Script): Script => {
  const random = generator(script.seed ^ 0x2545f491);
  const between = (low: number, high: number): number =>
    low + Math.floor(random() * (high - low + 1));
  const steps = [...script.steps];
  const put = (step: Step, from = 1): number => {
    const at = between(Math.min(from, steps.length), steps.length);
    steps.splice(at, 0, step);
    return at;
  };
  if (random() < 0.3) {
    const status = ([500, 503, 507] as const)[between(0, 2)] ?? 503;
    const at = put({ step: 'writes_fail', status, retry_after: random() < 0.3 });
    // Otherwise it lasts until the faults are cleared.
    if (random() < 0.6) put({ step: 'writes_again' }, at + 1);
  }
  const cuts = random() < 0.3 ? between(1, 50) / 100 : 0;
  if (random() < 0.2) put({ step: 'freeze', ms: between(500, 6_000) });
  const large = script.seed % LARGE_EVERY === 17;
  const first = steps.findIndex((one) => one.step === 'act' && one.action.do === 'create');
  const create = steps[first];
  if (large && create?.step === 'act' && create.action.do === 'create') {
    const photo = { seed: (script.seed * 100 + 99) >>> 0, size: LARGE };
    const photos = [...create.action.photos, photo];
    steps[first] = { ...create, action: { ...create.action, photos } };
  }
  return { ...script, steps, cuts };
};

/** Adds answers of gateways and filters and failures of a disk, drawn separately for the same reason. */
const withForeigners = (script: Script): Script => {
  const random = generator(script.seed ^ 0x1b873593);
  const between = (low: number, high: number): number =>
    low + Math.floor(random() * (high - low + 1));
  const pick = <T>(list: readonly T[]): T => list[between(0, list.length - 1)] as T;
  const foreign = Array.from({ length: between(1, 4) }, (): FaultPlan => {
    const kind = pick(foreignKinds);
    const [low, high] = faultSizes[kind];
    const on = kind === 'other_record' ? pick(['create', 'change'] as const) : pick(routes);
    return { kind, on, nth: between(1, 3), size: between(low, high) };
  });
  const steps = [...script.steps];
  if (random() < 0.5) {
    const damage = { how: pick(journalDamages), at: random() };
    steps.splice(between(1, steps.length), 0, { step: 'damage_journal', ...damage });
  }
  return { ...script, steps, faults: [...script.faults, ...foreign] };
};

/** The real window reports no steps, so only the network's points are known, and nobody signs in twice. */
const asPerson = (script: Script): Script => ({
  ...script,
  person: true,
  steps: script.steps.filter(({ step }) => step !== 'second_window' && step !== 'close_second'),
  faults: script.faults.filter(({ kind }) => kind !== 'refused_401'),
  kills: script.kills.map((kill, index) => ({
    ...kill,
    point: index % 2 === 0 ? 'after-send-before-response' : 'mid-segment',
    nth: 1 + (kill.nth % 3),
  })),
});

export const scriptOf = (seed: number): Script => {
  const random = generator(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const between = (low: number, high: number): number => low + below(high - low + 1);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const chance = (share: number): boolean => random() < share;

  let photos = 0;
  const photo = (): PhotoSpec => {
    photos += 1;
    return { seed: (seed * 100 + photos) >>> 0, size: between(200_000, 2_400_000) };
  };
  const incidents = [between(1, 3), between(1, 3)];
  const count = between(2, 5);
  const versions = new Map<string, { record: number; version: number; incident_id: number }>();
  const textOf = (key: string): string => {
    const one = versions.get(key) as { record: number; version: number };
    one.version += 1;
    return `${markerOf(seed, one.record)} ${one.version}`;
  };

  const steps: Step[] = [];
  let second = false;
  const act = (action: Action): void =>
    void steps.push({ step: 'act', action, window: second && chance(0.5) ? 1 : 0 });
  const interlude = (): void => {
    const roll = random();
    if (roll < 0.3) steps.push({ step: 'wait', ms: between(5, 250) });
    else if (roll < 0.42) steps.push({ step: 'settle', ms: 1_500 });
    else if (roll < 0.47) steps.push({ step: 'sleep', ms: between(100, 700) });
    else if (roll < 0.5) steps.push({ step: 'lose_database' });
    else if (roll < 0.52) steps.push({ step: 'second_host' });
    else if (roll < 0.58) {
      steps.push({ step: second ? 'close_second' : 'second_window' });
      second = !second;
    }
  };
  const keys: string[] = [];
  const change = (): void => {
    const key = pick(keys);
    const { incident_id } = versions.get(key) as { incident_id: number };
    const roll = random();
    if (roll < 0.45) act({ do: 'edit', key, text: textOf(key) });
    else if (roll < 0.6) act({ do: 'delete', key });
    else if (roll < 0.7) act({ do: 'restore', key });
    else if (roll < 0.85) {
      act({ do: 'take_back', key });
      if (chance(0.7)) {
        interlude();
        act({ do: 'save_again', key, incident_id, text: textOf(key) });
      }
    } else act({ do: 'add_photo', key, photo: photo() });
  };

  const offline = chance(0.4);
  if (offline) steps.push({ step: 'offline' });
  for (let record = 1; record <= count; record += 1) {
    // ULIDs depend on the seed alone: the same script, the same ids.
    const key = ulid(1_700_000_000_000 + (seed % 1_000_000) * 1_000 + record, random);
    const incident_id = pick(incidents);
    keys.push(key);
    versions.set(key, { record, version: 0, incident_id });
    const own = Array.from({ length: pick([0, 0, 1, 1, 2]) }, photo);
    act({ do: 'create', key, incident_id, text: textOf(key), photos: own });
    interlude();
    while (chance(0.4)) {
      change();
      interlude();
    }
    if (offline && record === Math.ceil(count / 2)) steps.push({ step: 'online' });
  }
  for (let left = between(0, 3); left > 0; left -= 1) {
    change();
    interlude();
  }

  const faults = Array.from({ length: between(0, 4) }, (): FaultPlan => {
    const kind = pick(faultKinds);
    const [low, high] = faultSizes[kind];
    const on = kind === 'flip' ? 'segment' : chance(0.2) ? 'any' : pick(routes);
    return { kind, on, nth: between(1, on === 'any' ? 8 : 3), size: between(low, high) };
  });
  const kills = Array.from({ length: between(1, 3) }, (): Kill => {
    const point = pick(points);
    const victim = pick(['page', 'page', 'browser', 'host', 'host', 'service'] as const);
    return { point, victim, nth: between(1, 4), linger: chance(0.5) ? 0 : between(20, 500) };
  });
  if (kills.some(({ point }) => point === 'during-rebuild') && chance(0.7))
    steps.splice(between(1, steps.length), 0, { step: 'lose_database' });
  const drawn: Script = { seed, person: false, steps, faults, kills, cuts: 0 };
  const script = withForeigners(withClimate(drawn));
  return seed % PERSON_EVERY === 0 ? asPerson(script) : script;
};
