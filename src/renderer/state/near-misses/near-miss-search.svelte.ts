/**
 * Text search of near misses for the finder, with the list's index. The index keeps only its last few answers, so a list behind
 * the finder queries again when the finder closes (`aside`).
 */
import { indexOf } from '../../data/index/near-miss-index.ts';
import { rowsOf, type ListRow } from '../../data/index/near-miss-list.ts';
import { askedForAll } from '../../data/model/near-miss-query.ts';
import { app } from '../app.svelte.ts';

/** Counts queries to the index from outside the list. */
class Aside {
  turn = $state(0);
}
export const aside = new Aside();

export class NearMissSearch {
  rows = $state.raw<readonly ListRow[]>([]);
  /** True while the index is incomplete or has not answered, so that more results may follow. */
  looking = $state(false);

  /** Must be constructed during component setup. `query` is read reactively. */
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
        // Superseded by a query of the list.
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
