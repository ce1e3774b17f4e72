/** The current project's catalog as reactive state. */
import { getCatalog } from '../data/db/catalog.ts';
import type { CatalogRow } from '../data/db/db.ts';
import { app } from './app.svelte.ts';
import { live, type Live } from './live.svelte.ts';

/** The catalog's row. Undefined until it is read, or if this laptop has none. Must be called during component setup. */
export const liveCatalog = (): Live<CatalogRow | undefined> =>
  live(() => {
    const { scope, deps } = app;
    return async () => (scope ? getCatalog(deps, scope.account, scope.project_id) : undefined);
  });
