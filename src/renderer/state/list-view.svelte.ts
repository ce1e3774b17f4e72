/**
 * One list of near misses on the screen: what fits, how many, and the rows in sight. Places and counts come from the index
 * (data/near-miss-index.ts), rows from the database and only for what is shown; until the index has read everything, the
 * plain order comes from the database itself, so that the first page never waits.
 */
import { untrack } from 'svelte';
import type { Facets, Marks, Only } from '../data/near-miss-columns.ts';
import {
  indexOf,
  type IndexAnswer,
  type NearMissIndex,
  type Reading,
} from '../data/near-miss-index.ts';
import {
  countPlain,
  isPlain,
  placed,
  plainRows,
  rowsOf,
  type ListRow,
} from '../data/near-miss-list.ts';
import { app } from './app.svelte.ts';
import type { ListChoices } from './list-choices.svelte.ts';
import { paced } from './paced.ts';

/** Rows are read in blocks of so many, so that scrolling asks seldom. */
const BLOCK = 24;

/** What the list stands on: places in an answer of the index, or in the database's own order. */
type Ground = { readonly of: number } | { readonly plain: 0 | 1 };

export class ListView {
  readonly choices: ListChoices;
  /** Null before the first answer. */
  total = $state<number | null>(null);
  counts = $state.raw<Readonly<Record<Only, number>> | null>(null);
  facets = $state.raw<Facets | null>(null);
  loose = $state(false);
  /** How far the index is; null once it has read everything. */
  reading = $state.raw<Reading | null>({ done: 0, total: 0 });
  failed = $state<string | null>(null);
  /** Are the values in use counted? */
  facets_wanted = $state(false);
  /** Every record of the list has been judged: a total is final. */
  settled = $state(false);
  readonly marks: () => Marks;

  #ground = $state.raw<Ground | null>(null);
  #from = $state(0);
  #to = $state(BLOCK);
  #rows = $state.raw<ReadonlyMap<number, ListRow>>(placed([], 0));
  #version = $state(0);
  /** Something is on the screen: from now on the index may take the database's time. */
  #shown = $state(false);
  /** The place of the row with the focus: its row is kept, however far it is scrolled away. */
  #held = 0;
  readonly #index: NearMissIndex | null = $derived.by(() => {
    const { scope, opened } = app;
    return scope === null || opened === null ? null : indexOf(opened.db, scope);
  });

  /** To be made while a component is set up. */
  constructor(choices: ListChoices, marks: () => Marks) {
    this.choices = choices;
    this.marks = marks;
    $effect.pre(() => {
      const { scope } = app;
      if (scope !== null) untrack(() => choices.open(scope.account, scope.project_id));
    });
    $effect(() => choices.keep());
    $effect(() => this.#hear());
    $effect(() => this.#index?.mark(marks()));
    $effect(() => this.#ask());
    $effect(() => this.#read());
  }

  /** The database's own order, from which nothing is left out. */
  get plain(): boolean {
    return this.#ground !== null && 'plain' in this.#ground;
  }

  row(at: number): ListRow | undefined {
    return this.#rows.get(at);
  }

  /** The rows in sight: the places from `from` up to `to`. */
  show(from: number, to: number): void {
    const low = Math.max(0, Math.floor(from / BLOCK) * BLOCK - BLOCK);
    const high = (Math.floor(to / BLOCK) + 2) * BLOCK;
    if (low !== this.#from) this.#from = low;
    if (high !== this.#to) this.#to = high;
  }

  /** The place whose row is kept wherever the list is scrolled to. */
  hold(at: number): void {
    this.#held = at;
  }

  /** Where a record stands; -1 where it is not in the list or that is not known yet. */
  async place(key: string): Promise<number> {
    const ground = this.#ground;
    for (const [at, { row }] of this.#rows) if (row.key === key) return at;
    return ground !== null && 'of' in ground
      ? ((await this.#index?.place(ground.of, key)) ?? -1)
      : -1;
  }

  /** The keys of a stretch of the list; fewer where the list changed meanwhile. */
  async keys(from: number, to: number): Promise<readonly string[]> {
    const ground = this.#ground;
    const { scope } = app;
    if (ground === null || scope === null) return [];
    if ('of' in ground) return (await this.#index?.keys(ground.of, from, to)) ?? [];
    const rows = await plainRows(app.deps, scope, ground.plain, from, to);
    return rows.map(({ row }) => row.key);
  }

  #hear(): (() => void) | undefined {
    return this.#index?.listen(({ reading, failed }) => {
      if (failed !== undefined) this.failed = failed;
      if (reading === undefined) this.#version += 1;
      else this.reading = reading;
    });
  }

  #ask(): (() => void) | undefined {
    const { choices } = this;
    const index = this.#index;
    void this.#version;
    if (index === null) return undefined;
    const asked = choices.asked(Date.now());
    const { only } = choices;
    const facets = this.facets_wanted || choices.filters > 0;
    let current = true;
    const take = (answer: IndexAnswer & { readonly of: number }): void => {
      if (!current) return;
      this.counts = answer.counts;
      this.facets = answer.facets;
      this.loose = answer.loose;
      if (answer.ready) this.reading = null;
      const plain = !answer.ready && only === 'all' && isPlain(asked);
      this.settled = answer.ready || plain;
      if (plain) return this.#stand({ plain: asked.bin });
      this.#stand({ of: answer.of });
      this.total = answer.total;
    };
    if (only === 'all' && isPlain(asked) && !this.#shown) {
      this.#stand({ plain: asked.bin });
      return undefined;
    }
    void index.ask(asked, only, facets).then(take);
    return () => {
      current = false;
    };
  }

  #stand(ground: Ground): void {
    const had = untrack(() => this.#ground);
    if (had !== null && 'plain' in had && 'plain' in ground && had.plain === ground.plain) return;
    this.#ground = ground;
  }

  #read(): (() => void) | undefined {
    const ground = this.#ground;
    const index = this.#index;
    const { scope, deps } = app;
    const [from, to] = [this.#from, this.#to];
    if (ground === null || index === null || scope === null) return undefined;
    const keep = (rows: readonly (ListRow | undefined)[]): void => {
      const held = untrack(() => this.#rows.get(this.#held));
      this.#rows = placed(rows, from, this.#held, held);
      this.#shown = true;
    };
    const error = (problem: unknown): void => {
      this.failed = String(problem);
    };
    let ended = false;
    if ('plain' in ground) {
      const stop = paced(
        async () => {
          const rows = await plainRows(deps, scope, ground.plain, from, to);
          // The rows first: counting 100,000 takes longer than reading the ones in sight.
          if (this.total === null && !ended) {
            this.total = from + rows.length;
            keep(rows);
          }
          return [rows, await countPlain(deps, scope, ground.plain)] as const;
        },
        {
          next: ([rows, total]) => {
            this.total = total;
            keep(rows);
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
    void index.keys(ground.of, from, to).then((keys) => {
      if (ended || keys === null) return;
      end = paced(() => rowsOf(deps, keys), { next: keep, error });
    });
    return () => {
      ended = true;
      end?.();
    };
  }
}
