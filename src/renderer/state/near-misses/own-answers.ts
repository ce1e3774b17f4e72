/**
 * The user's reports that somebody else has answered since the user last looked (decisions §4.10). Read from the marks of what
 * others changed (data/near-misses/unseen.ts), so it works offline, and opening the report ends it.
 */
import { isNamed } from '../../../contract/text/is-named.ts';
import { getCatalog } from '../../data/db/catalog.ts';
import type { NearMissRow } from '../../data/db/db.ts';
import { answerFields, answerOf } from '../../data/model/answer.ts';
import { isFromServer } from '../../data/model/near-miss-rows.ts';
import { unseenAnswers } from '../../data/near-misses/unseen.ts';
import { app } from '../app.svelte.ts';
import { live, type Live } from '../live.svelte.ts';
import { isMe } from '../session/access.ts';
import { myNames } from './my-names.ts';

/** A server that names no author leaves only the place where the report was made. */
export const isMine = ({ key, server }: NearMissRow): boolean =>
  server?.created_by ? isMe(server.created_by.id) : !isFromServer(key);

/** Their keys. Must be called during component setup. */
export const liveOwnAnswers = (): Live<ReadonlySet<string>> =>
  live(() => {
    const { scope, deps } = app;
    return async () => {
      const found = scope === null ? [] : await unseenAnswers(deps, scope);
      if (scope === null || found.length === 0) return new Set();
      const catalog = await getCatalog(deps, scope.account, scope.project_id);
      const names = myNames(catalog?.catalog);
      const fields = answerFields(catalog?.catalog.custom_field_definitions ?? []);
      // Somebody may have deleted the answer since.
      const stands = (row: NearMissRow): boolean =>
        row.bin === 0 && fields !== null && answerOf(row.fields, fields).answered;
      return new Set(
        found
          .filter(({ row, by }) => stands(row) && isMine(row) && !isNamed(by, names))
          .map(({ row }) => row.key),
      );
    };
  });
