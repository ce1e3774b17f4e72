/**
 * One list of near misses on the screen: what fits, how many, and the rows in sight. Places and counts come from the index
 * (data/near-miss-index.ts), rows from the database and only for what is shown; until the index has read everything, the
 * plain order comes from the database itself, so that the first page never waits.
 */
import { Dexie, type ObservabilitySet } from 'dexie';
import { untrack } from 'svelte';
import type { Facets, Marks, Only } from '../data/near-miss-columns.ts';
import {
  indexOf,
  type NearMissIndex,
  type Reading,
  type Stretch,
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
import { aside } from './near-miss-search.svelte.ts';
import type { ListChoices } from './list-choices.svelte.ts';
import { today } from './now.svelte.ts';
import { paced } from './paced.ts';

/** Rows are read in blocks of so many, so that scrolling asks seldom. */
const BLOCK = 24;

/** What the list stands on: the keys at places of an answer of the index, or the database's own order. */
type Ground = (Stretch & { readonly keys: readonly string[] }) | { readonly plain: 0 | 1 };

/** The same records at the same places? */
const alike = (a: Ground, b: Ground): boolean => {
  if ('plain' in a || 'plain' in b) return 'plain' in a && 'plain' in b && a.plain === b.plain;
  const { keys } = b;
  if (a.from !== b.from || a.to !== b.to || a.keys.length !== keys.length) return false;
  return a.keys.every((key, at) => key === keys[at]);
};

/** The first page as it was left, for the next look at the same list: drawn at once, read again behind it. */
interface Page {
  readonly name: string;
  readonly total: number;
  readonly rows: ReadonlyMap<number, ListRow>;
  readonly counts: ListView['counts'];
  readonly ready: boolean;
  /** `changes` when its rows were read. */
  readonly changes: number;
}
const left: Record<0 | 1, Page | null> = { 0: null, 1: null };
/** How often what a row shows has changed: a page that is no longer true is not shown, not for a moment. */
let changes = 0;
Dexie.on('storagemutated', (parts: ObservabilitySet) => {
  if (Object.keys(parts).some((part) => /\/(near_misses|photos|entries)\//.test(part)))
    changes += 1;
});

/** What is asked for, in a word that says the same for the same. */
const nameOf = (choices: ListChoices): string =>
  JSON.stringify([app.scope, choices.asked(today()), choices.only]);

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
  // Not counted: of 100,000 that takes longer than all else, and the list does it when it is open.
  left[bin] = { name, total, counts: null, rows: placed(rows, 0), ready: false, changes: at };
  performance.mark('list read ahead');
};

/**
 * The first page of a list that is not open, read while there is nothing else to do, so that it is there at once when the
 * list is opened first. The answered function calls it off.
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
  /** How far the index is; null once it has read everything. */
  reading = $state.raw<Reading | null>({ done: 0, total: 0 });
  /** What could not be read: the index, or even the rows in sight. Null: all is well, as far as is known. */
  failed = $state<'index' | 'rows' | null>(null);
  /** Are the values in use counted? */
  facets_wanted = $state(false);
  /** Every record of the list has been judged: a total is final. */
  settled = $state(false);
  /** Null: not known yet. */
  readonly marks: () => Marks | null;

  #ground = $state.raw<Ground | null>(null);
  /** The answer of the index that the ground is part of. */
  #of = 0;
  /** The question that the ground answers, and the one that the rows were read for, `changes` at that time. */
  #stands_for = '';
  #read_for = { name: '', at: -1 };
  #from = $state(0);
  #to = $state(BLOCK);
  #rows = $state.raw<ReadonlyMap<number, ListRow>>(placed([], 0));
  #version = $state(0);
  /** Something is on the screen: from now on the index may take the database's time. */
  #shown = $state(false);
  /** How often it was tried again. */
  #tries = $state(0);
  /** The place of the row with the focus: its row is kept, however far it is scrolled away. */
  #held = 0;
  readonly #index: NearMissIndex | null = $derived.by(() => {
    const { scope, opened } = app;
    void this.#tries;
    return scope === null || opened === null ? null : indexOf(opened.db, scope);
  });

  /** To be made while a component is set up. */
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
    return ground !== null && 'keys' in ground
      ? ((await this.#index?.place(this.#of, key)) ?? -1)
      : -1;
  }

  /** The keys of a stretch of the list; fewer where the list changed meanwhile. */
  async keys(from: number, to: number): Promise<readonly string[]> {
    const ground = this.#ground;
    const { scope } = app;
    if (ground === null || scope === null) return [];
    if ('keys' in ground) return (await this.#index?.keys(this.#of, from, to)) ?? [];
    const rows = await plainRows(app.deps, scope, ground.plain, from, to);
    return rows.map(({ row }) => row.key);
  }

  /** After a failure: begins another index, and what is shown is read again. */
  again(): void {
    this.failed = null;
    this.reading = { done: 0, total: 0 };
    this.#tries += 1;
  }

  #hear(): (() => void) | undefined {
    // What an index before this one failed at is nothing of its own.
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
    this.settled = page.ready;
    if (page.ready) this.reading = null;
    this.#shown = true;
  }

  #leave(): void {
    const { total, counts, settled: ready } = this;
    const { name, at } = this.#read_for;
    if (this.#from > 0 || total === null || name !== this.#stands_for) return;
    left[this.choices.bin] = { name, total, counts, rows: this.#rows, ready, changes: at };
  }

  #ask(): (() => void) | undefined {
    const { choices } = this;
    const index = this.#index;
    void this.#version;
    // The finder asked the same index: this list's answer may be forgotten there.
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
      this.total = answer.total;
    };
    if (only === 'all' && isPlain(asked) && !this.#shown && !index.ready) {
      this.#stands_for = name;
      this.#stand({ plain: asked.bin });
      return undefined;
    }
    const put = async (): Promise<void> => {
      const answer = await index.ask(asked, only, facets, shown);
      // Pushed aside by a question that is none of this list's: asked again.
      if (answer === null && current) return put();
      take(answer);
    };
    void put();
    return () => {
      current = false;
    };
  }

  /** The rows in sight are read anew only where others stand there: what changes in them is heard anyway. */
  #stand(ground: Ground): void {
    const had = untrack(() => this.#ground);
    // Scrolled on meanwhile: what is in sight was read by places of an older answer.
    const in_sight = 'plain' in ground || (ground.from === this.#from && ground.to === this.#to);
    if (had !== null && in_sight && alike(had, ground)) return;
    this.#ground = ground;
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
      const { stop } = paced(
        async () => {
          const at = changes;
          const rows = await plainRows(deps, scope, ground.plain, from, to);
          // The rows first: counting 100,000 takes longer than reading the ones in sight.
          if (this.total === null && !ended) {
            this.total = from + rows.length;
            keep([rows, at]);
          }
          return [[rows, at], await countPlain(deps, scope, ground.plain)] as const;
        },
        {
          next: ([read, total]) => {
            this.total = total;
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
      end = paced(read, { next: keep, error }).stop;
    };
    if (ground.from === from && ground.to === to) follow(ground.keys);
    else void index.keys(this.#of, from, to).then(follow);
    return () => {
      ended = true;
      end?.();
    };
  }
}
