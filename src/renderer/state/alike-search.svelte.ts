/**
 * The near misses that are told in much the same words as what is being typed: asked of the index that the list keeps, which is
 * begun here where no list was open yet.
 */
import { type Alike, nothingAlike } from '../data/alike.ts';
import { indexOf } from '../data/near-miss-index.ts';
import { rowsOf, type ListRow } from '../data/near-miss-list.ts';
import { app } from './app.svelte.ts';

/** Not with every key: a typist is faster than a reader. */
const PAUSE = 300;
/** Shorter texts are like everything. */
const LEAST = 12;

export class AlikeSearch {
  found = $state.raw<Alike>(nothingAlike);
  rows = $state.raw<readonly ListRow[]>([]);

  /** To be made while a component is set up; both are read there. */
  constructor(text: () => string, place: () => string | null) {
    // Once there is nothing else to do: what is typed first shall not wait for the reading of every record.
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
        // Of some of the records it would be another answer a moment later.
        if (!index.ready) return;
        const found = await index.alike(typed, field);
        const rows = await rowsOf(opened, found.keys);
        if (!current) return;
        this.found = found;
        this.rows = rows.filter((row) => row !== undefined);
      };
      const again = (): void => void look().catch(() => undefined);
      const timer = setTimeout(again, PAUSE);
      // Read to its end while somebody types, or changed since.
      const end = index.listen(({ reading }) => reading === undefined && again());
      return () => {
        current = false;
        clearTimeout(timer);
        end();
      };
    });
  }
}
