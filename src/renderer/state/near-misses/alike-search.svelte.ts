/** Finds near misses similar to the text being typed. Uses the list's index, and builds it here if no list was open yet. */
import { type Alike, nothingAlike } from '../../data/model/alike.ts';
import { indexOf } from '../../data/index/near-miss-index.ts';
import { rowsOf, type ListRow } from '../../data/index/near-miss-list.ts';
import { app } from '../app.svelte.ts';

/** Debounce, in milliseconds. */
const PAUSE = 300;
/** Minimum length in characters. Shorter texts resemble every record. */
const LEAST = 12;

export class AlikeSearch {
  found = $state.raw<Alike>(nothingAlike);
  rows = $state.raw<readonly ListRow[]>([]);

  /** Must be constructed during component setup. Both functions are read reactively. */
  constructor(text: () => string, place: () => string | null) {
    // Build the index only when idle, so that reading every record does not delay typing.
    $effect(() => {
      const { scope, opened } = app;
      if (scope === null || opened === null) return undefined;
      const waits = requestIdleCallback(() => indexOf(opened.db, scope).read());
      return () => cancelIdleCallback(waits);
    });
    $effect(() => {
      const { scope, opened } = app;
      const typed = text().trim();
      const field = place();
      if (typed.length < LEAST || scope === null || opened === null) {
        this.found = nothingAlike;
        this.rows = [];
        return undefined;
      }
      let current = true;
      const index = indexOf(opened.db, scope);
      const look = async (): Promise<void> => {
        // Wait for the whole index. Results from a part of it would change a moment later.
        if (!index.ready) return;
        const found = await index.alike(typed, field);
        const rows = await rowsOf(opened, found.keys);
        if (!current) return;
        this.found = found;
        this.rows = rows.filter((row) => row !== undefined);
      };
      const again = (): void => void look().catch(() => undefined);
      const timer = setTimeout(again, PAUSE);
      // Search again when the index is complete, or when records change.
      const end = index.listen(({ reading }) => reading === undefined && again());
      return () => {
        current = false;
        clearTimeout(timer);
        end();
      };
    });
  }
}
