/** Drafts and unsaved edits, kept up to date. */
import {
  listAllUnfinished,
  listUnfinished,
  type Unfinished,
} from '../../data/near-misses/drafts.ts';
import { app } from '../app.svelte.ts';
import { live, type Live } from '../live.svelte.ts';

/** Of the project that is shown. To be called while a component is set up. */
export const liveUnfinished = (): Live<readonly Unfinished[]> =>
  live(() => {
    const { scope, opened } = app;
    return async () =>
      scope && opened ? listUnfinished(opened, scope.account, scope.project_id) : [];
  });

/** Of all projects of the account. To be called while a component is set up. */
export const liveAllUnfinished = (): Live<readonly Unfinished[]> =>
  live(() => {
    const { scope, opened } = app;
    return async () => (scope && opened ? listAllUnfinished(opened, scope.account) : []);
  });
