/**
 * The window's side of the index over a project's near misses (near-miss-index-worker.ts): questions go in, answers say
 * how many fit and which keys stand at which place. One index at a time is kept for the window, so that going from the
 * list to the bin and back reads nothing anew.
 */
import type { SpotterDb } from './db.ts';
import type { Facets, Marks, Only } from './near-miss-columns.ts';
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
    }
  | {
      readonly kind: 'ask';
      readonly id: number;
      readonly asked: Asked;
      readonly only: Only;
      /** Values in use are counted only where they are shown. */
      readonly facets: boolean;
    }
  | {
      readonly kind: 'keys';
      readonly id: number;
      readonly of: number;
      readonly from: number;
      readonly to: number;
    }
  | { readonly kind: 'place'; readonly id: number; readonly of: number; readonly key: string };

export interface IndexAnswer {
  readonly total: number;
  readonly counts: Readonly<Record<Only, number>>;
  /** Nothing holds the text as typed: these hold each of its words. */
  readonly loose: boolean;
  /** False while rows are still being read: more may fit. */
  readonly ready: boolean;
  readonly facets: Facets | null;
}

export type FromIndex =
  | { readonly kind: 'reading'; readonly done: number; readonly total: number }
  | { readonly kind: 'changed' }
  | { readonly kind: 'failed'; readonly detail: string }
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly value: IndexAnswer | readonly string[] | number | null;
    };

export interface Reading {
  readonly done: number;
  readonly total: number;
}

export interface NearMissIndex {
  /** The first question begins the reading of every row. `of` names this answer in `keys` and `place`, as long as it is one of the last four. */
  ask(asked: Asked, only: Only, facets: boolean): Promise<IndexAnswer & { readonly of: number }>;
  /** Keys at the places from…to of an answer; null where the answer is too old. */
  keys(of: number, from: number, to: number): Promise<readonly string[] | null>;
  /** Where a record stands in an answer; -1 where it is not in it. */
  place(of: number, key: string): Promise<number>;
  mark(marks: Marks): void;
  /** Called when records changed or more have been read; the answered function ends that. */
  listen(
    hear: (news: { readonly reading?: Reading; readonly failed?: string }) => void,
  ): () => void;
  stop(): void;
}

const openIndex = (db_name: string, scope: Scope): NearMissIndex => {
  const worker = new Worker(new URL('./near-miss-index-worker.ts', import.meta.url), {
    type: 'module',
    name: 'near-miss-index',
  });
  const hearers = new Set<Parameters<NearMissIndex['listen']>[0]>();
  const asked = new Map<number, (value: never) => void>();
  let next = 1;
  const tell = (message: ToIndex): void => worker.postMessage(message);
  const request = <T>(make: (id: number) => ToIndex): Promise<T> =>
    new Promise((resolve) => {
      const id = next++;
      asked.set(id, resolve);
      tell(make(id));
    });
  const hear: Parameters<NearMissIndex['listen']>[0] = (news) => {
    for (const one of hearers) one(news);
  };
  worker.addEventListener('message', ({ data }: MessageEvent<FromIndex>) => {
    if (data.kind === 'answer') {
      const resolve = asked.get(data.id);
      asked.delete(data.id);
      resolve?.(data.value as never);
    } else if (data.kind === 'reading') hear({ reading: { done: data.done, total: data.total } });
    else if (data.kind === 'failed') hear({ failed: data.detail });
    else hear({});
  });
  worker.addEventListener('error', (event) => hear({ failed: event.message }));
  let begun = false;
  const begin = (): void => {
    if (!begun) tell({ kind: 'open', db_name, ...scope });
    begun = true;
  };
  return {
    async ask(what, only, facets) {
      begin();
      let of = 0;
      const answer = await request<IndexAnswer>((id) => {
        of = id;
        return { kind: 'ask', id, asked: what, only, facets };
      });
      return { ...answer, of };
    },
    keys: (of, from, to) => request((id) => ({ kind: 'keys', id, of, from, to })),
    place: (of, key) => request((id) => ({ kind: 'place', id, of, key })),
    mark: ({ worst, waiting, news }) =>
      tell({ kind: 'marks', worst, waiting: [...waiting], news: [...news] }),
    listen(hearer) {
      hearers.add(hearer);
      return () => hearers.delete(hearer);
    },
    stop: () => worker.terminate(),
  };
};

let kept: { readonly name: string; readonly index: NearMissIndex } | null = null;

/** The index over a project's near misses; another project's or account's is ended. */
export const indexOf = (db: Pick<SpotterDb, 'name'>, scope: Scope): NearMissIndex => {
  const name = JSON.stringify([db.name, scope.account, scope.project_id]);
  if (kept?.name === name) return kept.index;
  kept?.index.stop();
  const index = openIndex(db.name, { account: scope.account, project_id: scope.project_id });
  kept = { name, index };
  return index;
};
