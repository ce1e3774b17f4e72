/**
 * View model of a list of near misses: matches, counts, and the visible rows. Order and counts come from the index
 * (data/index/near-miss-index.ts); only visible rows are read from the database. Until the index is complete, the default order comes
 * from the database, so that the first page never waits.
 */
import { Dexie, type ObservabilitySet } from 'dexie';
import { untrack } from 'svelte';
import type { Facets, Marks, Only } from '../../data/index/near-miss-columns.ts';
import {
  dayStarts,
  sameDays,
  withStretch,
  type DayStart,
} from '../../data/index/near-miss-days.ts';
import {
  indexOf,
  type NearMissIndex,
  type Reading,
  type Stretch,
} from '../../data/index/near-miss-index.ts';
import {
  countPlain,
  isPlain,
  placed,
  plainRows,
  rowsOf,
  type ListRow,
} from '../../data/index/near-miss-list.ts';
import { app } from '../app.svelte.ts';
import { aside } from './near-miss-search.svelte.ts';
import type { ListChoices } from './list-choices.svelte.ts';
import { today } from '../now.svelte.ts';
import { throttled } from '../throttle.ts';

/** Rows are read in blocks of this size, so that scrolling needs few queries. */
const BLOCK = 24;

/** Source of the list: keys from an answer of the index, or the database's own order. */
type Ground = (Stretch & { readonly keys: readonly string[] }) | { readonly plain: 0 | 1 };

/** True if both have the same records in the same places. */
const alike = (a: Ground, b: Ground): boolean => {
  if ('plain' in a || 'plain' in b) return 'plain' in a && 'plain' in b && a.plain === b.plain;
  const { keys } = b;
  if (a.from !== b.from || a.to !== b.to || a.keys.length !== keys.length) return false;
  return a.keys.every((key, at) => key === keys[at]);
};

/** The first page as it was left. Shown immediately when the same list is opened again, then refreshed. */
interface Page {
  readonly name: string;
  readonly total: number;
  readonly rows: ReadonlyMap<number, ListRow>;
  readonly days: readonly DayStart[];
  readonly counts: ListView['counts'];
  readonly ready: boolean;
  /** Value of `changes` when the rows were read. */
  readonly changes: number;
}
const left: Record<0 | 1, Page | null> = { 0: null, 1: null };
/** Counts changes to anything a row shows. A stale page is never shown, not even briefly. */
let changes = 0;
Dexie.on('storagemutated', (parts: ObservabilitySet) => {
  if (Object.keys(parts).some((part) => /\/(near_misses|photos|operations)\//.test(part)))
    changes += 1;
});

/** A key that is equal for equal queries. */
const nameOf = (choices: ListChoices): string =>
  JSON.stringify([app.scope, choices.asked(today()), choices.only]);

/** The days of rows in the database's own order. The bin is ordered by deletion and has none. */
const reportedDays = (rows: readonly (ListRow | undefined)[], bin: 0 | 1, from = 0) =>
  bin === 1 ? [] : dayStarts(rows, (one) => one?.row.created_at ?? Number.NaN, from);

const ahead = async (choices: ListChoices): Promise<void> => {
  const { scope, opened } = app;
  if (scope === null || opened === null) return;
  choices.open(scope.account, scope.project_id);
  const { bin, only } = choices;
  const known = left[bin]?.changes === changes;
  if (known || only !== 'all' || !isPlain(choices.asked(today()))) return;
  const [name, at] = [nameOf(choices), changes];
  const rows = await plainRows(opened, scope, bin, 0, BLOCK);
  const total = rows.length;
  if (total === 0 || left[bin]?.changes === changes) return;
  // Do not count yet. Counting 100,000 records takes longer than everything else, and the open list does it.
  left[bin] = {
    name,
    total,
    counts: null,
    rows: placed(rows, 0),
    days: reportedDays(rows, bin),
    ready: false,
    changes: at,
  };
  performance.mark('list read ahead');
};

/**
 * Prefetches the first page of a list when idle, so that it appears instantly when opened. Returns a function that cancels it.
 */
export const readAhead = (choices: ListChoices): (() => void) => {
  const waits = requestIdleCallback(() => void ahead(choices).catch(() => undefined));
  return () => cancelIdleCallback(waits);
};

export class ListView {
  readonly choices: ListChoices;
  /** Null before the first answer. */
  total = $state<number | null>(null);
  counts = $state.raw<Readonly<Record<Only, number>> | null>(null);
  facets = $state.raw<Facets | null>(null);
  loose = $state(false);
  /** Progress of the index. Null once it is complete. */
  reading = $state.raw<Reading | null>({ done: 0, total: 0 });
  /** What failed to load: the index, or even the visible rows. Null if nothing failed. */
  failed = $state<'index' | 'rows' | null>(null);
  /** Where each day begins. Before the index is ready, only as far as the list was read from its start. */
  days = $state.raw<readonly DayStart[]>([]);
  facets_wanted = $state(false);
  /** True once every record was evaluated, so that the total is final. */
  settled = $state(false);
  readonly marks: () => Marks | null;

  #ground = $state.raw<Ground | null>(null);
  /** Id of the index's answer that the ground belongs to. */
  #of = 0;
  /**
   * Keys of the queries: the one that the ground answers, and the one that the rows were read for, with `changes` at that time.
   */
  #stands_for = '';
  #read_for = { name: '', at: -1 };
  /** End of the rows whose days are known while the database's own order is shown. */
  #days_to = 0;
  #from = $state(0);
  #to = $state(BLOCK);
  #rows = $state.raw<ReadonlyMap<number, ListRow>>(placed([], 0));
  #version = $state(0);
  /** True once rows are shown. From then on the index may use the database heavily. */
  #shown = $state(false);
  #tries = $state(0);
  /** Place of the focused row, which stays loaded when scrolled out of view. */
  #held = 0;
  readonly #index: NearMissIndex | null = $derived.by(() => {
    const { scope, opened } = app;
    void this.#tries;
    return scope === null || opened === null ? null : indexOf(opened.db, scope);
  });

  /** Must be constructed during component setup. */
  constructor(choices: ListChoices, marks: () => Marks | null) {
    this.choices = choices;
    this.marks = marks;
    untrack(() => this.#resume());
    $effect.pre(() => {
      const { scope } = app;
      if (scope !== null) untrack(() => choices.open(scope.account, scope.project_id));
    });
    $effect(() => choices.keep());
    $effect(() => this.#hear());
    $effect(() => {
      const known = marks();
      if (known !== null) this.#index?.mark(known);
    });
    $effect(() => this.#ask());
    $effect(() => this.#read());
    $effect(() => () => this.#leave());
  }

  /** True for the database's own order, with no filters. */
  get plain(): boolean {
    return this.#ground !== null && 'plain' in this.#ground;
  }

  row(at: number): ListRow | undefined {
    return this.#rows.get(at);
  }

  /** Sets the visible range: from `from` up to `to`, exclusive. */
  show(from: number, to: number): void {
    const low = Math.max(0, Math.floor(from / BLOCK) * BLOCK - BLOCK);
    const high = (Math.floor(to / BLOCK) + 2) * BLOCK;
    if (low !== this.#from) this.#from = low;
    if (high !== this.#to) this.#to = high;
  }

  /** Keeps the row at this place loaded, wherever the list scrolls. */
  hold(at: number): void {
    this.#held = at;
  }

  /** Place of a record in the list, or -1 if it is absent or unknown. */
  async place(key: string): Promise<number> {
    const ground = this.#ground;
    for (const [at, { row }] of this.#rows) if (row.key === key) return at;
    return ground !== null && 'keys' in ground
      ? ((await this.#index?.place(this.#of, key)) ?? -1)
      : -1;
  }

  /** Keys of a range of the list. May return fewer if the list changed meanwhile. */
  async keys(from: number, to: number): Promise<readonly string[]> {
    const ground = this.#ground;
    const { scope } = app;
    if (ground === null || scope === null) return [];
    if ('keys' in ground) return (await this.#index?.keys(this.#of, from, to)) ?? [];
    const rows = await plainRows(app.deps, scope, ground.plain, from, to);
    return rows.map(({ row }) => row.key);
  }

  /** Retry after a failure: builds a new index and reloads the rows. */
  again(): void {
    this.failed = null;
    this.reading = { done: 0, total: 0 };
    this.#tries += 1;
  }

  #hear(): (() => void) | undefined {
    // Clear the failure of a previous index.
    this.failed = null;
    return this.#index?.listen(({ reading, failed }) => {
      if (failed !== undefined) this.failed = 'index';
      if (reading === undefined) this.#version += 1;
      else this.reading = reading;
    });
  }

  #resume(): void {
    const { choices } = this;
    const { scope } = app;
    if (scope === null) return;
    choices.open(scope.account, scope.project_id);
    const page = left[choices.bin];
    if (page === null || page.changes !== changes || page.name !== nameOf(choices)) return;
    this.total = page.total;
    this.counts = page.counts;
    this.#rows = page.rows;
    this.days = page.days;
    this.settled = page.ready;
    if (page.ready) this.reading = null;
    this.#shown = true;
  }

  #leave(): void {
    const { total, counts, settled: ready } = this;
    const { name, at } = this.#read_for;
    if (this.#from > 0 || total === null || name !== this.#stands_for) return;
    const { days } = this;
    left[this.choices.bin] = { name, total, counts, rows: this.#rows, days, ready, changes: at };
  }

  #ask(): (() => void) | undefined {
    const { choices } = this;
    const index = this.#index;
    void this.#version;
    // The finder used the same index, which may have evicted this list's answer.
    void aside.turn;
    if (index === null) return undefined;
    const asked = choices.asked(today());
    const { only } = choices;
    const facets = this.facets_wanted || choices.filters > 0;
    const shown = untrack(() => ({ from: this.#from, to: this.#to }));
    const name = nameOf(choices);
    let current = true;
    const take = (answer: Awaited<ReturnType<NearMissIndex['ask']>>): void => {
      if (!current || answer === null) return;
      this.#stands_for = name;
      this.counts = answer.counts;
      this.facets = answer.facets;
      this.loose = answer.loose;
      if (answer.ready) this.reading = null;
      const plain = !answer.ready && only === 'all' && isPlain(asked);
      this.settled = answer.ready || plain;
      if (plain) return this.#stand({ plain: asked.bin });
      this.#of = answer.of;
      this.#stand({ ...shown, keys: answer.keys });
      this.#days_to = 0;
      this.#date(answer.days);
      this.total = answer.total;
    };
    if (only === 'all' && isPlain(asked) && !this.#shown && !index.ready) {
      this.#stands_for = name;
      this.#stand({ plain: asked.bin });
      return undefined;
    }
    const put = async (): Promise<void> => {
      const answer = await index.ask(asked, only, facets, shown);
      // Superseded by a query from elsewhere, so ask again.
      if (answer === null && current) return put();
      take(answer);
    };
    void put();
    return () => {
      current = false;
    };
  }

  /** Reloads the visible rows only if other records took their places. Changes within rows arrive by subscription. */
  #stand(ground: Ground): void {
    const had = untrack(() => this.#ground);
    // The list scrolled meanwhile, so the visible rows were read by an older answer.
    const in_sight = 'plain' in ground || (ground.from === this.#from && ground.to === this.#to);
    if (had !== null && in_sight && alike(had, ground)) return;
    this.#ground = ground;
  }

  #date(days: readonly DayStart[]): void {
    if (!sameDays(days, this.days)) this.days = days;
  }

  /** Follows the days of the database's own order as far as it was read without a gap. */
  #datePlain(rows: readonly (ListRow | undefined)[], from: number, bin: 0 | 1): void {
    if (from > this.#days_to) return;
    this.#date(withStretch(this.days, reportedDays(rows, bin, from), from));
    this.#days_to = from + rows.length;
  }

  #read(): (() => void) | undefined {
    const ground = this.#ground;
    const index = this.#index;
    const { scope, deps } = app;
    const [from, to] = [this.#from, this.#to];
    const name = this.#stands_for;
    void this.#tries;
    if (ground === null || index === null || scope === null) return undefined;
    type Read = readonly [rows: readonly (ListRow | undefined)[], at: number];
    const keep = ([rows, at]: Read): void => {
      const held = untrack(() => this.#rows.get(this.#held));
      this.#rows = placed(rows, from, this.#held, held);
      this.#read_for = { name, at };
      this.#shown = true;
      if (this.failed === 'rows') this.failed = null;
    };
    const error = (): void => {
      this.failed = 'rows';
    };
    let ended = false;
    if ('plain' in ground) {
      const { stop } = throttled(
        async () => {
          const at = changes;
          const rows = await plainRows(deps, scope, ground.plain, from, to);
          // Show rows first. Counting 100,000 records takes longer than reading the visible ones.
          if (this.total === null && !ended) {
            this.total = from + rows.length;
            this.#datePlain(rows, from, ground.plain);
            keep([rows, at]);
          }
          return [[rows, at], await countPlain(deps, scope, ground.plain)] as const;
        },
        {
          next: ([read, total]) => {
            this.total = total;
            this.#datePlain(read[0], from, ground.plain);
            keep(read);
          },
          error,
        },
      );
      return () => {
        ended = true;
        stop();
      };
    }
    let end: (() => void) | null = null;
    const follow = (keys: readonly string[] | null): void => {
      if (ended || keys === null) return;
      const read = async () => {
        const at = changes;
        return [await rowsOf(deps, keys), at] as const;
      };
      end = throttled(read, { next: keep, error }).stop;
    };
    if (ground.from === from && ground.to === to) follow(ground.keys);
    else void index.keys(this.#of, from, to).then(follow);
    return () => {
      ended = true;
      end?.();
    };
  }
}
