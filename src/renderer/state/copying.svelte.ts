/**
 * Counts copies of files into this laptop's storage: photos of a form, files of an operation, an import. They are lost
 * if the window closes, so it asks first.
 */
import { SvelteSet } from 'svelte/reactivity';
import { app } from './app.svelte.ts';

class Copying {
  readonly #going = new SvelteSet<Promise<unknown>>();
  readonly any = $derived(this.#going.size > 0);

  /** Counts the work until its promise settles. */
  async until<T>(work: Promise<T>): Promise<T> {
    this.#going.add(work);
    try {
      return await work;
    } finally {
      this.#going.delete(work);
    }
  }

  /** Another window begins in this page, as tests do: work that the earlier one never ended is not its own. */
  reset(): void {
    this.#going.clear();
  }
}

export const copying = new Copying();

/** Handles the window's `beforeunload`. The desktop app shows its own dialog, and this event would keep its window open silently. */
export const askBeforeUnload = (event: Event): void => {
  if (copying.any && app.session.info?.shell !== 'electron') event.preventDefault();
};
