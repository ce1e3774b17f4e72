/**
 * Comments that others wrote on the user's reports and follow-ups since the user last looked (decisions §18), by key of the near miss.
 * Read from the marks of what others changed (data/near-misses/unseen.ts), so it works offline, and opening the near miss ends it.
 */
import { isNamed } from '../../../contract/text/is-named.ts';
import { getCatalog } from '../../data/db/catalog.ts';
import type { NearMissRow } from '../../data/db/db.ts';
import { followUpFields, followUpOf } from '../../data/model/follow-up.ts';
import { unseenComments } from '../../data/near-misses/unseen.ts';
import { app } from '../app.svelte.ts';
import { live, type Live } from '../live.svelte.ts';
import { myNames } from './my-names.ts';
import { isMine } from './own-answers.ts';

/** The number of new comments by key. Must be called during component setup. */
export const liveOwnComments = (): Live<ReadonlyMap<string, number>> =>
  live(() => {
    const { scope, deps } = app;
    return async () => {
      const found = scope === null ? [] : await unseenComments(deps, scope);
      if (scope === null || found.length === 0) return new Map();
      const catalog = await getCatalog(deps, scope.account, scope.project_id);
      const names = myNames(catalog?.catalog);
      const fields = followUpFields(catalog?.catalog.custom_field_definitions ?? []);
      const names_me = (row: NearMissRow): boolean =>
        fields !== null && isNamed(followUpOf(row.fields, fields, '').who, names);
      return new Map(
        found
          .filter(({ row }) => row.bin === 0 && (isMine(row) || names_me(row)))
          .map(({ row, comments }) => [row.key, comments]),
      );
    };
  });
