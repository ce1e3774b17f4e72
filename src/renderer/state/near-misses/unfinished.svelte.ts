/** Drafts and unsaved edits, kept up to date. */
import {
  listAllUnfinished,
  listUnfinished,
  type Unfinished,
} from '../../data/near-misses/drafts.ts';
import { app } from '../app.svelte.ts';
import { live, type Live } from '../live.svelte.ts';

/** Unfinished work of the current project. Must be called during component setup. */
export const liveUnfinished = (): Live<readonly Unfinished[]> =>
  live(() => {
    const { scope, opened } = app;
    return async () =>
      scope && opened ? listUnfinished(opened, scope.account, scope.project_id) : [];
  });

/** Unfinished work of all projects of the account. Must be called during component setup. */
export const liveAllUnfinished = (): Live<readonly Unfinished[]> =>
  live(() => {
    const { scope, opened } = app;
    return async () => (scope && opened ? listAllUnfinished(opened, scope.account) : []);
  });
