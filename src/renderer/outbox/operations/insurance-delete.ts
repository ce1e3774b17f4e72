/** `insurance.delete`: one insurance for good. One that is not there (any more) is what was wanted. */
import { ok } from '../../../contract/problem.ts';
import type { Operation } from './operation.ts';

export const insuranceDeleteOperation: Operation<'insurance.delete', number | null> = {
  async send({ project_id, vendor_id, record_key, server_id }, { host, entry, serverId }) {
    const id = await serverId(record_key, server_id);
    if (id === null) return ok(null);
    const answer = await host.request('insurances.delete', {
      params: { project_id, vendor_id, id },
      idempotency_key: entry.id,
    });
    return answer.ok || answer.problem.kind === 'gone' ? ok(id) : answer;
  },

  async settle({ record_key }, id, { db, entry }) {
    await db.insurances.delete(record_key);
    if (id !== null)
      await db.insurances.where('[account+server_id]').equals([entry.account, id]).delete();
    return [];
  },
};
