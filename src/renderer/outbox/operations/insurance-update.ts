/**
 * `insurance.update`: the fields a person changed. What the server has in them is looked at first: where somebody else changed
 * one of them meanwhile nothing is overwritten, and the person is asked (outbox promise 5).
 */
import { ulid } from 'ulid';
import { fail, ok, type Result } from '../../../contract/problem.ts';
import type { Insurance } from '../../../contract/rest/insurances.ts';
import { fieldsOfInsurance, type InsuranceField } from '../../data/insurance-rows.ts';
import type { InsuranceToChange } from '../../entries/insurance.ts';
import { putInsurance } from './insurance-create.ts';
import type { Operation } from './operation.ts';

/** Times the record may change between looking at it and writing it. */
const LOOKS = 3;

/** What is there in fields that somebody else changed to something else than we do. */
export const disputed = (
  server: Insurance,
  { changes, base }: Pick<InsuranceToChange, 'changes' | 'base'>,
): Record<string, unknown> => {
  const there = fieldsOfInsurance(server);
  const same = (a: unknown, b: unknown): boolean => (a ?? '') === (b ?? '');
  return Object.fromEntries(
    Object.entries(changes).flatMap(([name, wanted]) => {
      const value = there[name as InsuranceField];
      return same(value, wanted) || same(value, base[name]) ? [] : [[name, value]];
    }),
  );
};

export const insuranceUpdateOperation: Operation<'insurance.update', Insurance> = {
  async send(payload, context) {
    const { project_id, vendor_id, changes } = payload;
    const id = await context.serverId(payload.record_key, payload.server_id);
    if (id === null) return fail({ kind: 'gone', status: 404, messages: [] });
    const params = { project_id, vendor_id, id };
    const { host, entry } = context;
    let key = entry.checkpoint.key ?? entry.id;
    for (let look = 1; ; look += 1) {
      const shown = await host.request('insurances.show', { params });
      if (!shown.ok) return shown;
      const theirs = disputed(shown.value.data, payload);
      if (Object.keys(theirs).length > 0) {
        await context.checkpoint({ theirs });
        return fail({ kind: 'conflict', status: 409, messages: [] });
      }
      const { etag } = shown.value;
      const answer: Result<{ readonly data: Insurance }> = await host.request('insurances.update', {
        params,
        body: { insurance: changes },
        idempotency_key: key,
        ...(etag === null ? {} : { if_match: etag }),
      });
      if (answer.ok) return ok(answer.value.data);
      if (answer.problem.kind !== 'conflict' || look >= LOOKS) return answer;
      // Changed between the look and the write. It was not executed, and a server may keep the refusal under its key.
      key = ulid();
      await context.checkpoint({ key });
    }
  },

  async settle(payload, server, { db, entry, seen_at }) {
    await putInsurance(db, { ...payload, account: entry.account }, server, null, seen_at);
    return [];
  },
};
