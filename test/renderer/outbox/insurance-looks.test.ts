/** A race that touches no conflicting field succeeds, also on a server that replays the answer of a key. */
import { expect, it } from 'vitest';
import { insuranceUpdateOperation } from '../../../src/renderer/outbox/handlers/company/insurance.ts';
import type { SendContext } from '../../../src/renderer/outbox/handlers/handler.ts';

const payload = {
  project_id: 1,
  vendor_id: 2,
  key: 'k',
  record_key: 'r',
  server_id: 3,
  changes: { notes: 'mine' },
  base: { notes: 'before' },
};

/** Each write but the last finds a record that was changed since the read. A repeated key gets its earlier answer. */
const racing = (races: number) => {
  const answers = new Map<string, unknown>();
  let version = 0;
  const host = {
    request: (name: string, input: { idempotency_key?: string; if_match?: string }) => {
      if (name === 'insurances.show')
        return Promise.resolve({
          ok: true,
          value: { data: { id: 3, notes: 'before' }, etag: `"${version}"` },
        });
      const key = input.idempotency_key ?? '';
      if (version < races) version += 1;
      const fits = input.if_match === `"${version}"`;
      const fresh = fits
        ? { ok: true, value: { data: { id: 3, notes: 'mine' } } }
        : { ok: false, problem: { kind: 'conflict', status: 412, messages: [] } };
      if (!answers.has(key)) answers.set(key, fresh);
      return Promise.resolve(answers.get(key));
    },
  };
  return { host, keys: answers };
};

it('decisions §1.7: an insurance changed between look and write is looked at again under a new key', async () => {
  const { host, keys } = racing(1);
  const checkpoint: Record<string, unknown> = {};
  const context = {
    host,
    operation: { id: 'operation', checkpoint },
    serverId: () => Promise.resolve(3),
    checkpoint: (patch: object) => Promise.resolve(void Object.assign(checkpoint, patch)),
  } as unknown as SendContext;
  const outcome = await insuranceUpdateOperation.send(payload as never, context);
  expect(outcome).toMatchObject({ ok: true, value: { notes: 'mine' } });
  const [first, second] = keys.keys();
  expect(first).toBe('operation');
  expect(checkpoint['key']).toBe(second);
});
