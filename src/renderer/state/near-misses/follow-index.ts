/** Keeps a figure of the list's index up to date. */
import { indexOf, type NearMissIndex } from '../../data/index/near-miss-index.ts';
import type { SpotterDb } from '../../data/db/db.ts';
import type { Scope } from '../app.svelte.ts';

/**
 * Asks now and after every change. Reports values only when every record has been read.
 * @param wanted true: read every record even if no list was opened yet
 * @returns a function that stops it
 */
export const followIndex = <T>(
  {
    db,
    scope,
    wanted,
  }: { readonly db: SpotterDb; readonly scope: Scope; readonly wanted: boolean },
  ask: (index: NearMissIndex) => Promise<T>,
  report: (value: T) => void,
): (() => void) => {
  const index = indexOf(db, scope);
  let current = true;
  const count = async (): Promise<void> => {
    if (!wanted && !index.ready) return;
    const value = await ask(index);
    if (current && index.ready) report(value);
  };
  void count();
  const end = index.listen(({ reading }) => reading === undefined && void count());
  return () => {
    current = false;
    end();
  };
};
