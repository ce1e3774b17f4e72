/** Which rows of a list are chosen for something done to many at once: by key, so that a list that moves changes nothing. */
import { SvelteSet } from 'svelte/reactivity';

export class Selection {
  /** Are there boxes to tick? */
  on = $state(false);
  readonly keys = new SvelteSet<string>();
  /** Where a stretch begins that Shift ends. */
  #anchor: number | null = null;

  get size(): number {
    return this.keys.size;
  }

  toggle(key: string, at: number): void {
    this.on = true;
    this.#anchor = at;
    if (!this.keys.delete(key)) this.keys.add(key);
  }

  /** Everything between the row pressed last and this one. */
  async stretch(at: number, keysOf: (from: number, to: number) => Promise<readonly string[]>) {
    const from = this.#anchor ?? at;
    this.on = true;
    for (const key of await keysOf(Math.min(from, at), Math.max(from, at) + 1)) this.keys.add(key);
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
