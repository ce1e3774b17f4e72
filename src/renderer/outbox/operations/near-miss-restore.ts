/** `near_miss.restore`: out of the recycle bin. Already active is what was wanted. */
import { ok } from '../../../contract/problem.ts';
import type { NearMiss } from '../../../contract/rest/near-misses.ts';
import { type Operation, putServerCopy } from './operation.ts';
import { placeOf } from './recycling.ts';

export const nearMissRestoreOperation: Operation<'near_miss.restore', NearMiss> = {
  async send(payload, context) {
    const place = await placeOf(payload, context);
    if (!place.ok) return place;
    const { host, entry } = context;
    const params = place.value;
    const answer = await host.request('recycled_near_misses.restore', {
      params,
      idempotency_key: entry.id,
    });
    if (answer.ok) return ok(answer.value.data);
    if (answer.problem.kind !== 'gone') return answer;
    // decisions §3.5: restore of an active one is a 404 too.
    const shown = await host.request('near_misses.show', { params });
    return shown.ok ? ok(shown.value.data) : answer;
  },

  async settle({ key }, server, { db, seen_at }) {
    const row = await db.near_misses.get(key);
    if (row !== undefined) await putServerCopy(db, row, { ...server, deleted_at: null }, seen_at);
    return [];
  },
};
