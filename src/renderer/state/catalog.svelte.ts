/** The catalog of the project in use, as a rune. */
import { getCatalog } from '../data/catalog.ts';
import type { CatalogRow } from '../data/db.ts';
import { app } from './app.svelte.ts';
import { live, type Live } from './live.svelte.ts';

/** The catalog's row; undefined until it was read, and where this laptop has none. To be called while a component is set up. */
export const liveCatalog = (): Live<CatalogRow | undefined> =>
  live(() => {
    const { scope, deps } = app;
    return async () => (scope ? getCatalog(deps, scope.account, scope.project_id) : undefined);
  });
