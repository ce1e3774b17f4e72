/** `insurance.delete`: one insurance for good. One that is not there (any more) is what was wanted. */
import { z } from 'zod';
import { ok } from '../../../contract/problem.ts';
import { companyFields, describeNothing, positiveId } from './company.ts';
import type { Operation } from './operation.ts';

export const insuranceDeleteSchema = z.object({
  ...companyFields,
  vendor_id: positiveId,
  record_key: z.string(),
  server_id: positiveId.nullable(),
});
type InsuranceDelete = z.infer<typeof insuranceDeleteSchema>;

export const insuranceDeleteOperation: Operation<InsuranceDelete, number | null> = {
  kind: 'insurance.delete',
  version: 1,
  schema: insuranceDeleteSchema,
  blocks: false,
  asks: 'deletes',
  lane: (payload) => payload.key,
  describe: describeNothing,

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
