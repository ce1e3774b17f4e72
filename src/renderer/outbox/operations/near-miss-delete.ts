/** `near_miss.delete`: to the recycle bin. Already gone is what was wanted. */
import { ok } from '../../../contract/problem.ts';
import { type Operation, putServerCopy } from './operation.ts';
import { placeOf } from './recycling.ts';

export const nearMissDeleteOperation: Operation<'near_miss.delete', null> = {
  async send(payload, context) {
    const place = await placeOf(payload, context);
    if (!place.ok) return place;
    const answer = await context.host.request('near_misses.delete', {
      params: place.value,
      idempotency_key: context.entry.id,
    });
    return answer.ok || answer.problem.kind === 'gone' ? ok(null) : answer;
  },

  async settle({ key }, _outcome, { db, seen_at }) {
    const row = await db.near_misses.get(key);
    if (row?.server)
      await putServerCopy(
        db,
        row,
        { ...row.server, deleted_at: new Date(row.removed_at ?? seen_at).toISOString() },
        seen_at,
      );
    // Rebuilt from the journal it has no copy yet: a list that was asked for before this must not bring it back all the same.
    else if (row) await db.near_misses.put({ ...row, seen_at });
    return [];
  },
};
