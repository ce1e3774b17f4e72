/**
 * The window's client for the index worker of a project's near misses (near-miss-index-worker.ts). Queries return how
 * many records match and which keys are at which positions. The window keeps one index, so switching between the list
 * and the bin rereads nothing.
 */
import type { Alike } from '../model/alike.ts';
import type { SpotterDb } from '../db/db.ts';
import type { InsightQuestion, Insights } from './insights.ts';
import type { DayStart } from './near-miss-days.ts';
import type { AnswerFields } from '../model/answer.ts';
import type {
  Facets,
  FollowUpOn,
  FollowUps,
  Marks,
  Only,
  Unanswered,
} from './near-miss-columns.ts';
import type { Asked } from '../model/near-miss-query.ts';

export interface Scope {
  readonly account: string;
  readonly project_id: number;
}

export type ToIndex =
  | (Scope & { readonly kind: 'open'; readonly db_name: string })
  | {
      readonly kind: 'marks';
      readonly worst: Marks['worst'];
      readonly waiting: readonly string[];
      readonly news: readonly string[];
      readonly answered: readonly string[];
      readonly commented: readonly string[];
      readonly photos: readonly string[];
      readonly follow_up: Marks['follow_up'];
      readonly answer: Marks['answer'];
      readonly counted: readonly string[];
      readonly parts: Marks['parts'];
    }
  | {
      readonly kind: 'ask';
      readonly id: number;
      readonly asked: Asked;
      readonly only: Only;
      /** Facets are computed only when they are visible. */
      readonly facets: boolean;
      readonly shown: Stretch;
    }
  | {
      readonly kind: 'keys';
      readonly id: number;
      readonly of: number;
      readonly from: number;
      readonly to: number;
    }
  | { readonly kind: 'place'; readonly id: number; readonly of: number; readonly key: string }
  | { readonly kind: 'follow_ups'; readonly id: number; readonly on: FollowUpOn }
  | {
      readonly kind: 'unanswered';
      readonly id: number;
      readonly fields: AnswerFields;
      readonly since: number;
    }
  | {
      readonly kind: 'alike';
      readonly id: number;
      readonly text: string;
      readonly place: string | null;
    }
  | { readonly kind: 'insights'; readonly id: number; readonly question: InsightQuestion };

/** A range of list positions, `to` exclusive. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

interface IndexAnswer {
  readonly total: number;
  readonly counts: Readonly<Record<Only, number>>;
  /** True when no record contains the whole text, so these match each of its words. */
  readonly loose: boolean;
  /** False while rows are still being read: more records may match. */
  readonly ready: boolean;
  readonly facets: Facets | null;
  /** Keys at the positions of `shown`, which saves a request. */
  readonly keys: readonly string[];
  /** Positions at which a new day begins; empty if the list is not sorted by time. */
  readonly days: readonly DayStart[];
}

export type FromIndex =
  | { readonly kind: 'reading'; readonly done: number; readonly total: number }
  | { readonly kind: 'changed'; readonly ready: boolean }
  | { readonly kind: 'failed'; readonly detail: string }
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly value:
        IndexAnswer | readonly string[] | number | Insights | FollowUps | Unanswered | Alike | null;
    };

export interface Reading {
  readonly done: number;
  readonly total: number;
}

export interface NearMissIndex {
  /** True when the index cannot answer or no longer follows changes; `indexOf` then opens another. */
  readonly failed: boolean;
  /** True once every row has been read; queries then take milliseconds. */
  readonly ready: boolean;
  /** Starts reading all rows, which otherwise happens on the first query. */
  read(): void;
  /**
   * `of` identifies this answer in `keys` and `place`, as long as it is among the last four. Returns null when a
   * later query replaced this one before it ran: users type faster than queries are answered.
   */
  ask(
    asked: Asked,
    only: Only,
    facets: boolean,
    shown: Stretch,
  ): Promise<(IndexAnswer & { readonly of: number }) | null>;
  /** Keys at positions from…to of an answer; null when the answer is no longer kept. */
  keys(of: number, from: number, to: number): Promise<readonly string[] | null>;
  /** Position of a record in an answer; -1 when it is not in it. */
  place(of: number, key: string): Promise<number>;
  /** Resolves after every row has been read. */
  insights(question: InsightQuestion): Promise<Insights>;
  /** Covers the records read so far. */
  followUps(on: FollowUpOn): Promise<FollowUps>;
  /** Covers the records read so far. */
  unanswered(fields: AnswerFields, since: number): Promise<Unanswered>;
  /** Covers the records read so far. */
  alike(text: string, place: string | null): Promise<Alike>;
  mark(marks: Marks): void;
  /** Calls `hear` when records changed or more were read. Returns the unsubscribe function. */
  listen(
    hear: (news: { readonly reading?: Reading; readonly failed?: string }) => void,
  ): () => void;
  stop(): void;
}

const sameKeys = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((key) => b.has(key));
const sameMarks = (a: Marks, b: Marks): boolean =>
  a.worst?.field === b.worst?.field &&
  a.worst?.value === b.worst?.value &&
  sameKeys(a.waiting, b.waiting) &&
  sameKeys(a.news, b.news) &&
  sameKeys(a.answered, b.answered) &&
  sameKeys(a.commented, b.commented) &&
  sameKeys(a.photos, b.photos) &&
  a.counted.join() === b.counted.join() &&
  JSON.stringify(a.parts) === JSON.stringify(b.parts) &&
  JSON.stringify(a.follow_up) === JSON.stringify(b.follow_up) &&
  JSON.stringify(a.answer) === JSON.stringify(b.answer);

const sendMarks = (
  worker: Worker,
  { worst, waiting, news, answered, commented, photos, follow_up, answer, counted, parts }: Marks,
): void =>
  worker.postMessage({
    kind: 'marks',
    worst,
    waiting: [...waiting],
    news: [...news],
    answered: [...answered],
    commented: [...commented],
    photos: [...photos],
    follow_up,
    answer,
    counted,
    parts,
  } satisfies ToIndex);

/** Ids are unique over all indices, so that an answer of a stopped index never matches one of the next. */
let next = 1;

const openIndex = (db_name: string, scope: Scope): NearMissIndex => {
  const hearers = new Set<Parameters<NearMissIndex['listen']>[0]>();
  const asked = new Map<number, (value: never) => void>();
  let [ready, failed] = [false, false];
  const hear: Parameters<NearMissIndex['listen']>[0] = (news) => {
    failed ||= news.failed !== undefined;
    for (const one of [...hearers]) one(news);
  };
  const take = ({ data }: MessageEvent<FromIndex>): void => {
    if (data.kind === 'answer') {
      const resolve = asked.get(data.id);
      asked.delete(data.id);
      resolve?.(data.value as never);
    } else if (data.kind === 'reading') hear({ reading: { done: data.done, total: data.total } });
    else if (data.kind === 'failed') hear({ failed: data.detail });
    else {
      ready = data.ready;
      hear({});
    }
  };
  let worker: Worker | null = null;
  let marks: Marks | null = null;
  // Start the worker on the first request only: its start competes with the first rows for the processor.
  const begin = (): Worker => {
    if (worker !== null) return worker;
    worker = new Worker(new URL('./near-miss-index-worker.ts', import.meta.url), {
      type: 'module',
      name: 'near-miss-index',
    });
    worker.addEventListener('message', take);
    // A worker that failed to load has an error event without a message.
    worker.addEventListener('error', (event) =>
      hear({ failed: event.message || 'it did not start' }),
    );
    worker.postMessage({ kind: 'open', db_name, ...scope } satisfies ToIndex);
    if (marks !== null) sendMarks(worker, marks);
    return worker;
  };
  const request = <T>(make: (id: number) => ToIndex): Promise<T> =>
    new Promise((resolve) => {
      const id = next++;
      asked.set(id, resolve);
      begin().postMessage(make(id));
    });
  return {
    get failed() {
      return failed;
    },
    get ready() {
      return ready;
    },
    read: () => void begin(),
    async ask(what, only, facets, shown) {
      let of = 0;
      const answer = await request<IndexAnswer | null>((id) => {
        of = id;
        return { kind: 'ask', id, asked: what, only, facets, shown };
      });
      return answer && { ...answer, of };
    },
    keys: (of, from, to) => request((id) => ({ kind: 'keys', id, of, from, to })),
    place: (of, key) => request((id) => ({ kind: 'place', id, of, key })),
    followUps: (on) => request((id) => ({ kind: 'follow_ups', id, on })),
    unanswered: (fields, since) => request((id) => ({ kind: 'unanswered', id, fields, since })),
    alike: (text, place) => request((id) => ({ kind: 'alike', id, text, place })),
    insights: (question) => request((id) => ({ kind: 'insights', id, question })),
    mark(wanted) {
      // New marks cost a recount of every record and another list query, so skip equal ones.
      if (marks !== null && sameMarks(marks, wanted)) return;
      marks = wanted;
      if (worker !== null) sendMarks(worker, marks);
    },
    listen(hearer) {
      hearers.add(hearer);
      return () => hearers.delete(hearer);
    },
    stop: () => worker?.terminate(),
  };
};

let kept: { readonly name: string; readonly index: NearMissIndex } | null = null;

/** The index of a project's near misses. Stops an index of another project or account, and a failed one. */
export const indexOf = (db: Pick<SpotterDb, 'name'>, scope: Scope): NearMissIndex => {
  const name = JSON.stringify([db.name, scope.account, scope.project_id]);
  if (kept?.name === name && !kept.index.failed) return kept.index;
  kept?.index.stop();
  const index = openIndex(db.name, { account: scope.account, project_id: scope.project_id });
  kept = { name, index };
  return index;
};
