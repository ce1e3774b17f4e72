/**
 * The window's side of the index over a project's near misses (near-miss-index-worker.ts): questions go in, answers say
 * how many fit and which keys stand at which place. One index at a time is kept for the window, so that going from the
 * list to the bin and back reads nothing anew.
 */
import type { Alike } from './alike.ts';
import type { SpotterDb } from './db.ts';
import type { InsightQuestion, Insights } from './insights.ts';
import type { Facets, FollowUpOn, FollowUps, Marks, Only } from './near-miss-columns.ts';
import type { Asked } from './near-miss-query.ts';

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
      readonly photos: readonly string[];
      readonly follow_up: Marks['follow_up'];
      readonly counted: readonly string[];
    }
  | {
      readonly kind: 'ask';
      readonly id: number;
      readonly asked: Asked;
      readonly only: Only;
      /** Values in use are counted only where they are shown. */
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
      readonly kind: 'alike';
      readonly id: number;
      readonly text: string;
      readonly place: string | null;
    }
  | { readonly kind: 'insights'; readonly id: number; readonly question: InsightQuestion };

/** Places of a list, the last one not among them. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

export interface IndexAnswer {
  readonly total: number;
  readonly counts: Readonly<Record<Only, number>>;
  /** Nothing holds the text as typed: these hold each of its words. */
  readonly loose: boolean;
  /** False while rows are still being read: more may fit. */
  readonly ready: boolean;
  readonly facets: Facets | null;
  /** Keys at the places that were to be shown, so that they need not be asked for. */
  readonly keys: readonly string[];
}

export type FromIndex =
  | { readonly kind: 'reading'; readonly done: number; readonly total: number }
  | { readonly kind: 'changed'; readonly ready: boolean }
  | { readonly kind: 'failed'; readonly detail: string }
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly value:
        IndexAnswer | readonly string[] | number | Insights | FollowUps | Alike | null;
    };

export interface Reading {
  readonly done: number;
  readonly total: number;
}

export interface NearMissIndex {
  /** The index cannot answer, or no longer hears of changes; `indexOf` gives another one. */
  readonly failed: boolean;
  /** Has every row been read? Then a question is answered in milliseconds. */
  readonly ready: boolean;
  /** Begins the reading of every row, which the first question does otherwise. */
  read(): void;
  /**
   * `of` names this answer in `keys` and `place`, as long as it is one
   * of the last four. Null where a later question came before this one was looked at: typing is faster than answering.
   */
  ask(
    asked: Asked,
    only: Only,
    facets: boolean,
    shown: Stretch,
  ): Promise<(IndexAnswer & { readonly of: number }) | null>;
  /** Keys at the places from…to of an answer; null where the answer is too old. */
  keys(of: number, from: number, to: number): Promise<readonly string[] | null>;
  /** Where a record stands in an answer; -1 where it is not in it. */
  place(of: number, key: string): Promise<number>;
  /** Answered when every row has been read. */
  insights(question: InsightQuestion): Promise<Insights>;
  /** Of the records read so far. */
  followUps(on: FollowUpOn): Promise<FollowUps>;
  /** Of the records read so far. */
  alike(text: string, place: string | null): Promise<Alike>;
  mark(marks: Marks): void;
  /** Called when records changed or more have been read; the answered function ends that. */
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
  sameKeys(a.photos, b.photos) &&
  a.counted.join() === b.counted.join() &&
  JSON.stringify(a.follow_up) === JSON.stringify(b.follow_up);

const tellMarks = (
  worker: Worker,
  { worst, waiting, news, photos, follow_up, counted }: Marks,
): void =>
  worker.postMessage({
    kind: 'marks',
    worst,
    waiting: [...waiting],
    news: [...news],
    photos: [...photos],
    follow_up,
    counted,
  } satisfies ToIndex);

/** Names questions and answers over all indices: an answer of one that has ended names nothing in the next. */
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
  // Not before it is asked something: its start takes the processor from the first rows.
  const begin = (): Worker => {
    if (worker !== null) return worker;
    worker = new Worker(new URL('./near-miss-index-worker.ts', import.meta.url), {
      type: 'module',
      name: 'near-miss-index',
    });
    worker.addEventListener('message', take);
    // One that could not be loaded has no message.
    worker.addEventListener('error', (event) =>
      hear({ failed: event.message || 'it did not start' }),
    );
    worker.postMessage({ kind: 'open', db_name, ...scope } satisfies ToIndex);
    if (marks !== null) tellMarks(worker, marks);
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
    alike: (text, place) => request((id) => ({ kind: 'alike', id, text, place })),
    insights: (question) => request((id) => ({ kind: 'insights', id, question })),
    mark(told) {
      // Another count of every record, and the list read again: not for what it knows.
      if (marks !== null && sameMarks(marks, told)) return;
      marks = told;
      if (worker !== null) tellMarks(worker, marks);
    },
    listen(hearer) {
      hearers.add(hearer);
      return () => hearers.delete(hearer);
    },
    stop: () => worker?.terminate(),
  };
};

let kept: { readonly name: string; readonly index: NearMissIndex } | null = null;

/** The index over a project's near misses; another project's or account's, or one that failed, is ended. */
export const indexOf = (db: Pick<SpotterDb, 'name'>, scope: Scope): NearMissIndex => {
  const name = JSON.stringify([db.name, scope.account, scope.project_id]);
  if (kept?.name === name && !kept.index.failed) return kept.index;
  kept?.index.stop();
  const index = openIndex(db.name, { account: scope.account, project_id: scope.project_id });
  kept = { name, index };
  return index;
};
