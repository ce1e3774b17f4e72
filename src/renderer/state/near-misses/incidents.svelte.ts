/** The current project's jobs: the catalog's, plus those opened on this laptop and not sent yet. */
import type { Catalog } from '../../../contract/rest/catalog.ts';
import { getCatalog } from '../../data/db/catalog.ts';
import { openedIncidents, withOpened } from '../../data/near-misses/incidents.ts';
import { app } from '../app.svelte.ts';
import { live, type Live } from '../live.svelte.ts';

type Incidents = Catalog['incidents'];

/** Empty until read. Must be called during component setup. */
export const liveIncidents = (): Live<Incidents> =>
  live(() => {
    const { scope, deps } = app;
    return async () => {
      if (scope === null) return [];
      const row = await getCatalog(deps, scope.account, scope.project_id);
      const opened = await openedIncidents(deps.db, scope);
      return withOpened(row?.catalog ?? null, opened)?.incidents ?? [];
    };
  });

/** True if only some people may see this job. */
export const isPrivate = (
  incidents: Incidents | undefined,
  id: number | null | undefined,
): boolean => incidents?.some((one) => one.id === id && one.private === true) ?? false;
