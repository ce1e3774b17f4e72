/** Drafts and unsaved edits of the project that is shown, kept up to date. */
import { listUnfinished, type Unfinished } from '../../data/near-misses/drafts.ts';
import { app } from '../app.svelte.ts';
import { live, type Live } from '../live.svelte.ts';

/** To be called while a component is set up. */
export const liveUnfinished = (): Live<readonly Unfinished[]> =>
  live(() => {
    const { scope, opened } = app;
    return async () =>
      scope && opened ? listUnfinished(opened, scope.account, scope.project_id) : [];
  });
