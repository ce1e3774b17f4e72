/**
 * A few near misses of the project by their words, as the finder shows them: asked of the index that the list has too. The index
 * keeps its last few answers only, so a list that is behind the finder asks again when the finder closes (`aside`).
 */
import { indexOf } from '../data/near-miss-index.ts';
import { rowsOf, type ListRow } from '../data/near-miss-list.ts';
import { askedForAll } from '../data/near-miss-query.ts';
import { app } from './app.svelte.ts';

/** Counts up when somebody else than the list has asked the index. */
class Aside {
  turn = $state(0);
}
export const aside = new Aside();

export class NearMissSearch {
  rows = $state.raw<readonly ListRow[]>([]);
  /** The index is still being read, or is not answering: there may be more. */
  looking = $state(false);

  /** To be made while a component is set up; `query` is read there. */
  constructor(query: () => string, most: number) {
    let asked = false;
    $effect(() => {
      const { scope, opened } = app;
      const text = query().trim();
      if (text === '' || scope === null || opened === null) {
        this.rows = [];
        this.looking = false;
        if (asked) aside.turn += 1;
        asked = false;
        return undefined;
      }
      asked = true;
      const index = indexOf(opened.db, scope);
      let current = true;
      const look = async (): Promise<void> => {
        const answer = await index.ask(
          { ...askedForAll, query: text, sort: 'best' },
          'all',
          false,
          {
            from: 0,
            to: most,
          },
        );
        if (!current) return;
        // Pushed aside by a question of the list.
        if (answer === null) return look();
        const rows = await rowsOf(opened, answer.keys);
        if (!current) return;
        this.rows = rows.filter((row) => row !== undefined);
        this.looking = !answer.ready;
      };
      const again = (): void => void look().catch(() => (this.looking = false));
      this.looking = true;
      again();
      const end = index.listen(({ reading }) => reading === undefined && again());
      return () => {
        current = false;
        end();
      };
    });
  }
}
