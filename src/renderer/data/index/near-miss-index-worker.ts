/**
 * Worker that keeps the columns of one project (near-miss-columns.ts). It reads the rows in batches, follows changes
 * from any window, and answers queries. Reading 100,000 rows takes seconds and sorting them a tenth of one, which
 * would freeze the window. See near-miss-index.ts.
 */
import { Dexie } from 'dexie';
import { channelOf, type ChangedKeys } from '../db/changes.ts';
import type { NearMissRow } from '../db/db.ts';
import { daysOf } from './near-miss-days.ts';
import { createColumns, noMarks, type Marks } from './near-miss-columns.ts';
import type { NearMissTraits } from './near-miss-facts.ts';
import { insightsOf } from './insights.ts';
import type { FromIndex, ToIndex } from './near-miss-index.ts';

const BATCH = 500;
/** Milliseconds to batch changes: a draining queue changes records many times a second. */
const GATHER = 60;
/** Number of past answers whose keys can still be requested. */
const KEPT = 4;

const columns = createColumns();
const answers = new Map<number, readonly NearMissTraits[]>();
let marks: Marks = noMarks;
let total = 0;
let done = 0;
/** Number of rows read when the window was last asked to query again. */
let heard = BATCH * 4;
let ready = false;
let dead = false;

const say = (message: FromIndex): void => postMessage(message);
/** Reports that the index has failed, so that the window drops its stale answers and can open another index. */
const end = (error: unknown): void => {
  dead = true;
  say({ kind: 'failed', detail: String(error) });
};
const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

const start = async ({ db_name, account, project_id }: Extract<ToIndex, { kind: 'open' }>) => {
  // Opened without a schema, so that Dexie never creates or upgrades a version.
  const db = new Dexie(db_name);
  await db.open();
  db.on('close', () => end('the database was closed'));
  const table = db.table<NearMissRow, string>('near_misses');
  const changed = new Set<string>();
  let gathering = false;

  const take = (key: string, row: NearMissRow | undefined): void => {
    if (row === undefined) columns.remove(key);
    else if (row.account === account && row.project_id === project_id) columns.put(row);
  };
  const update = async (): Promise<void> => {
    while (changed.size > 0 && !dead) {
      const keys = [...changed].slice(0, BATCH);
      for (const key of keys) changed.delete(key);
      const rows = await table.bulkGet(keys);
      keys.forEach((key, at) => take(key, rows[at]));
    }
    say({ kind: 'changed', ready });
  };
  const soon = (): void => {
    if (gathering) return;
    gathering = true;
    setTimeout(() => {
      gathering = false;
      void update().catch(end);
    }, GATHER);
  };
  const hear = async (keys: ChangedKeys): Promise<void> => {
    for (const key of keys ?? columns.keys()) changed.add(key);
    if (keys === null) for (const key of await table.toCollection().primaryKeys()) changed.add(key);
    soon();
  };
  // Subscribe before reading the first row, so that no change is missed.
  const channel = new BroadcastChannel(channelOf(db_name));
  channel.addEventListener(
    'message',
    ({ data }: MessageEvent<ChangedKeys>) => void hear(data).catch(end),
  );

  const keys = await table.toCollection().primaryKeys();
  total = keys.length;
  const read = (at: number) =>
    table
      .where(':id')
      .between(keys[at], keys[Math.min(at + BATCH, total) - 1], true, true)
      .toArray();
  // Prefetch the next batch while this one is indexed: the database and this worker run in parallel.
  let next = total > 0 ? read(0) : null;
  for (let at = 0; next !== null; at += BATCH) {
    const rows: NearMissRow[] = await next;
    next = at + BATCH < total ? read(at + BATCH) : null;
    for (const row of rows) take(row.key, row);
    done += rows.length;
    say({ kind: 'reading', done, total: Math.max(done, total) });
    // Ask for a new query only when the count has doubled, because queries cost more as records grow.
    if (done >= heard * 2) {
      heard = done;
      say({ kind: 'changed', ready });
    }
    // Yield, so that queries are answered from the rows read so far.
    await pause();
  }
  ready = true;
  say({ kind: 'changed', ready });
  for (const one of unanswered.splice(0)) answerInsights(one);
};

type Ask = Extract<ToIndex, { kind: 'ask' }>;
type AskInsights = Extract<ToIndex, { kind: 'insights' }>;

/** Requests for figures that arrived before all rows were read. */
const unanswered: AskInsights[] = [];

const answerInsights = ({ id, question }: AskInsights): void =>
  say({ kind: 'answer', id, value: insightsOf(columns.counted(), question) });

const answerList = ({ id, asked, only, facets, shown }: Ask): void => {
  const { found, counts, loose } = columns.ask(asked, only, marks);
  answers.set(id, found);
  for (const old of answers.keys()) {
    if (answers.size <= KEPT) break;
    answers.delete(old);
  }
  const keys = found.slice(shown.from, shown.to).map((one) => one.key);
  const in_use = facets ? columns.facets(asked, marks) : null;
  const days = daysOf(found, asked, marks.parts);
  const value = { total: found.length, counts, loose, ready, facets: in_use, keys, days };
  say({ kind: 'answer', id, value });
};

/** The pending query. A newer query replaces it, so that only the last keystroke is answered. */
let waits: Ask | null = null;
const turn = new MessageChannel();
turn.port1.onmessage = () => {
  const last = waits;
  waits = null;
  if (last !== null) answerList(last);
};
const ask = (message: Ask): void => {
  if (waits === null) turn.port2.postMessage(null);
  else say({ kind: 'answer', id: waits.id, value: null });
  waits = message;
};

const answer = (message: ToIndex): void => {
  if (message.kind === 'open') {
    start(message).catch(end);
    return;
  }
  if (message.kind === 'marks') {
    marks = {
      worst: message.worst,
      waiting: new Set(message.waiting),
      news: new Set(message.news),
      answered: new Set(message.answered),
      commented: new Set(message.commented),
      photos: new Set(message.photos),
      follow_up: message.follow_up,
      answer: message.answer,
      counted: message.counted,
      parts: message.parts,
    };
    say({ kind: 'changed', ready });
    return;
  }
  if (message.kind === 'ask') return ask(message);
  if (message.kind === 'follow_ups') {
    say({ kind: 'answer', id: message.id, value: columns.followUps(message.on) });
    return;
  }
  if (message.kind === 'unanswered') {
    const value = columns.unanswered(message.fields, message.since);
    say({ kind: 'answer', id: message.id, value });
    return;
  }
  if (message.kind === 'alike') {
    const value = columns.alike(message.text, message.place);
    say({ kind: 'answer', id: message.id, value });
    return;
  }
  if (message.kind === 'insights') {
    if (ready) answerInsights(message);
    else unanswered.push(message);
    return;
  }
  const list = answers.get(message.of) ?? null;
  if (message.kind === 'keys') {
    const keys = list?.slice(message.from, message.to).map((one) => one.key) ?? null;
    say({ kind: 'answer', id: message.id, value: keys });
  } else {
    const place = list?.findIndex((one) => one.key === message.key) ?? -1;
    say({ kind: 'answer', id: message.id, value: place });
  }
};

addEventListener('message', ({ data }: MessageEvent<ToIndex>) => answer(data));
