/** Which rows of a list are chosen for something done to many at once: by key, so that a list that moves changes nothing. */
import { SvelteSet } from 'svelte/reactivity';

/** The list chosen from. */
export interface Places {
  /** Where a record stands; -1 where it is not in the list. */
  readonly place: (key: string) => Promise<number>;
  /** The keys from one place up to another. */
  readonly keys: (from: number, to: number) => Promise<readonly string[]>;
}

export class Selection {
  /** Are there boxes to tick? */
  on = $state(false);
  readonly keys = new SvelteSet<string>();
  /** Where a stretch begins that Shift ends: a record, for rows may come and go above it meanwhile. */
  #anchor: string | null = null;

  get size(): number {
    return this.keys.size;
  }

  toggle(key: string): void {
    this.on = true;
    this.#anchor = key;
    if (!this.keys.delete(key)) this.keys.add(key);
  }

  /** Everything between the row pressed last and this one. */
  async stretch(at: number, { place, keys }: Places) {
    this.on = true;
    const begun = this.#anchor === null ? -1 : await place(this.#anchor);
    const from = begun < 0 ? at : begun;
    for (const key of await keys(Math.min(from, at), Math.max(from, at) + 1)) this.keys.add(key);
  }

  add(keys: Iterable<string>): void {
    this.on = true;
    for (const key of keys) this.keys.add(key);
  }

  end(): void {
    this.on = false;
    this.keys.clear();
    this.#anchor = null;
  }
}
