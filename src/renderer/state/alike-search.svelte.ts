/** The near misses that are told in much the same words as what is being typed: asked of the index that the list keeps, once read. */
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
      const look = async (): Promise<void> => {
        const index = indexOf(opened.db, scope);
        // Nobody has asked for the list yet: reading every record is not worth a hint.
        if (!index.ready) return;
        const found = await index.alike(typed, field);
        const rows = await rowsOf(opened, found.keys);
        if (!current) return;
        this.found = found;
        this.rows = rows.filter((row) => row !== undefined);
      };
      const timer = setTimeout(() => void look().catch(() => undefined), PAUSE);
      return () => {
        current = false;
        clearTimeout(timer);
      };
    });
  }
}
