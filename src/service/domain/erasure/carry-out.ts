/**
 * [ours] Carries erasures out (decisions §21.2). Each record is one transaction of its company, in which its places are judged again and
 * their outcome is written, so a kill in between, another process and a new legal hold are safe.
 */
import type { Logger } from 'pino';
import type { Uploads } from '../../files/uploads.ts';
import { stampChange } from '../../store/engine/change-clock.ts';
import type { Db, Store } from '../../store/engine/db.ts';
import * as store from '../../store/erasure/erasures.ts';
import type { Secrets } from '../webhooks/webhook-ports.ts';
import { blurPhoto, type Blurred } from './blurred.ts';
import { replaceCopies } from './copies.ts';
import { finderOf } from './finder.ts';
import { judgeOf } from './held.ts';
import { idOf, type Hit, type Spot } from './hits.ts';
import { copyTables } from './places.ts';
import { eraseInRecord } from './records.ts';
import { eraseInReport } from './report.ts';
import { searchPlaces } from './search.ts';
import { openNames } from './sealed-names.ts';
import type { Task } from './task.ts';
import { Refusal } from '../problem.ts';
import { REMOVED } from '../retention/anonymised.ts';

export interface CarryOutParts {
  readonly store: Store;
  readonly uploads: Uploads;
  readonly secrets: Secrets;
  readonly log: Logger;
  readonly now: () => number;
  readonly stopping: () => boolean;
  /** Milliseconds that a daily copy of the database lives; null: the service makes none. */
  readonly copies_ms: number | null;
}

type Items = readonly store.ItemRow[];

/** The places of one record together, in the order of the preview. */
const byRecord = (items: Items): readonly Items[] => [
  ...Map.groupBy(items, ({ resource, resource_id, part }) =>
    resource_id === null ? `${resource}/${part}` : `${resource} ${resource_id}`,
  ).values(),
];

const eraseAll = async (
  tx: Db,
  task: Task,
  items: Items,
  blurred: ReadonlyMap<number, Blurred | null>,
  at: number,
): Promise<readonly string[]> => {
  const [first] = items;
  if (first?.resource === 'near_misses')
    return eraseInReport(tx, task, first.resource_id ?? 0, items, blurred, at);
  const outcomes: string[] = [];
  for (const item of items) outcomes.push(await eraseInRecord(tx, task, item, at));
  return outcomes;
};

/** Judges again in the transaction. */
const doRecord = async (
  tx: Db,
  task: Task,
  items: Items,
  blurred: ReadonlyMap<number, Blurred | null>,
): Promise<void> => {
  // First, because it takes the lock of the company.
  const at = await stampChange(tx, task.company_id, task.now);
  const positions = items.map(({ position }) => position);
  const waiting = await store.stillWaiting(tx, task, positions);
  const judge = await judgeOf(tx, task);
  const free: store.ItemRow[] = [];
  for (const item of items.filter(({ position }) => waiting.has(position))) {
    const held = await judge(item as Spot);
    if (held === null) free.push(item);
    else await store.setOutcome(tx, task, item.position, held.why);
  }
  const outcomes = await eraseAll(tx, task, free, blurred, at);
  for (const [index, item] of free.entries())
    await store.setOutcome(tx, task, item.position, outcomes[index] ?? 'gone');
};

const blurAll = async (
  { uploads }: CarryOutParts,
  { company_id }: Task,
  items: Items,
): Promise<ReadonlyMap<number, Blurred | null>> => {
  const blurred = new Map<number, Blurred | null>();
  for (const { kind, resource_id, part } of items)
    if (kind === 'photo') {
      const copy = await blurPhoto(uploads, company_id, resource_id ?? 0, Number(part));
      if (copy !== undefined) blurred.set(Number(part), copy);
    }
  return blurred;
};

/** Tables that hold no name yet too: an answer may have been kept since the decision. */
const doCopies = async (
  { store: db, secrets }: CarryOutParts,
  task: Task,
  items: Items,
): Promise<void> => {
  const { company_id, finder, pseudonym } = task;
  const write = (work: (tx: Db) => Promise<void>): Promise<void> => db.write(work, company_id);
  for (const name of copyTables) {
    const item = items.find(({ kind, resource }) => kind === 'copy' && resource === name);
    if (item?.act === 'keep') continue;
    const instead = item?.act === 'erase' ? REMOVED : pseudonym;
    await replaceCopies(db.long, write, name, { company_id, finder, instead, secrets });
    if (item) await write((tx) => store.setOutcome(tx, task, item.position, 'done'));
  }
};

/** More places than anybody can decide about at once are not listed: the erasure ends all the same. */
const noneIfTooMany = (error: unknown): readonly Hit[] => {
  if (error instanceof Refusal) return [];
  throw error;
};

/** Places with the whole name that were written after the decision. The admin decides about them in another erasure. */
const placesSince = async (
  { store: db, secrets }: CarryOutParts,
  task: Task,
  items: Items,
): Promise<store.NewItem[]> => {
  const { company_id, user_id, finder } = task;
  const subject = { finder, is_chosen: false, user_id: null, person_ids: new Set<number>() };
  const parts = { db: db.long, company_id, user_id, secrets };
  const hits = await searchPlaces(parts, subject).catch(noneIfTooMany);
  const stays = ({ outcome }: store.ItemRow) => outcome !== 'done' && outcome !== 'gone';
  const known = new Set(items.filter(stays).map((item) => idOf(item as Spot)));
  return hits
    .filter((hit) => hit.match === 'whole' && hit.kind !== 'copy' && !known.has(idOf(hit)))
    .map(({ kind, resource, resource_id, part, project_id, number, field }) => {
      const place = { kind, resource, resource_id, part, project_id, number, field };
      return { ...place, act: 'keep', outcome: 'later' };
    });
};

/** The bytes of replaced photos go first, so that the proof says nothing that is not so. */
const end = async (parts: CarryOutParts, task: Task): Promise<void> => {
  await parts.uploads.sweep();
  const items = await store.listItems(parts.store.read, task);
  if (items.some(({ outcome }) => outcome === null)) return;
  const later = await placesSince(parts, task, items);
  const done_at = parts.now();
  const copies_until = parts.copies_ms === null ? null : done_at + parts.copies_ms;
  await parts.store.write(async (tx) => {
    await store.forgetPreviews(tx, task.company_id);
    if (await store.endErasure(tx, task, { done_at, copies_until }))
      await store.insertItems(tx, task, later, items.at(-1)?.position);
  }, task.company_id);
};

const carryOutOne = async (
  parts: CarryOutParts,
  { names, ...erasure }: store.RunningErasure,
): Promise<void> => {
  const { company_id, id } = erasure;
  const known = names === null ? null : openNames(parts.secrets, erasure, names);
  if (known === null) {
    parts.log.error({ company_id, erasure: id }, 'the names of an erasure cannot be opened');
    return;
  }
  const task: Task = { ...erasure, finder: finderOf(known), now: parts.now() };
  const items = await store.listItems(parts.store.read, task);
  const waiting = items.filter(({ kind, outcome }) => outcome === null && kind !== 'copy');
  for (const one of byRecord(waiting)) {
    if (parts.stopping()) return;
    try {
      const blurred = await blurAll(parts, task, one);
      await parts.store.write((tx) => doRecord(tx, task, one, blurred), company_id);
    } catch (error) {
      // The next pass tries again. One record must not keep the others.
      const [first] = one;
      const record = [first?.resource, first?.resource_id];
      parts.log.error({ err: error, erasure: id, record }, 'a name could not be erased');
    }
  }
  if (parts.stopping()) return;
  await doCopies(parts, task, items);
  await end(parts, task);
};

/** Carries out every erasure that is not done. Several processes may do it at once. */
export const carryOutErasures = async (parts: CarryOutParts): Promise<void> => {
  for (const erasure of await store.listRunning(parts.store.read)) {
    if (parts.stopping()) return;
    await carryOutOne(parts, erasure);
  }
};
