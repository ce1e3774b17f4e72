/** Rows selected for a bulk action. Stored by key, so that the selection survives changes of the list. */
import { SvelteSet } from 'svelte/reactivity';

export interface Places {
  /** Place of a record; -1 if it is not in the list. */
  readonly place: (key: string) => Promise<number>;
  /** Keys of a range of places. */
  readonly keys: (from: number, to: number) => Promise<readonly string[]>;
}

export class Selection {
  /** True while checkboxes are shown. */
  on = $state(false);
  readonly keys = new SvelteSet<string>();
  /** Start of a Shift selection. Stored by key, because rows above it may come and go. */
  #anchor: string | null = null;

  get size(): number {
    return this.keys.size;
  }

  toggle(key: string): void {
    this.on = true;
    this.#anchor = key;
    if (!this.keys.delete(key)) this.keys.add(key);
  }

  /** Selects every row between the last toggled one and this one. */
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
