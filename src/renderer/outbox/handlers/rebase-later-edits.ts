/**
 * Rebases later edits onto the answer to our own write. They were made on values that this write put on the server, so
 * its answer becomes their base. If the answer matches the base of every field they change, they also take its ETag
 * (decisions §1.7). An intervening write is then noticed, and otherwise the extra read is saved.
 */
import type { NearMiss } from '../../../contract/rest/near-misses.ts';
import type { OutboxOperation, SpotterDb } from '../../data/db/db.ts';
import { fieldsOfServer, sameValue, wireOf } from '../../data/model/near-miss-rows.ts';
import { baseFieldsOf } from '../../operations/near-miss.ts';
import { nearMiss } from '../../operations/queued.ts';
import type { Envelope } from '../../operations/stored.ts';

/** The operations behind this one in its lane, in order. */
export const behind = (
  lane: readonly OutboxOperation[],
  { seq }: Pick<Envelope, 'seq'>,
): readonly OutboxOperation[] =>
  lane.filter((operation) => operation.seq > seq).sort((a, b) => a.seq - b.seq);

/** Runs inside the settling transaction. `later`: operations behind the settled one; `own`: the fields that it wrote. */
export const rebaseLaterEdits = async (
  db: SpotterDb,
  later: readonly OutboxOperation[],
  answer: { readonly server: NearMiss; readonly etag: string | null },
  own: (name: string) => boolean,
): Promise<void> => {
  const there = wireOf(fieldsOfServer(answer.server));
  /** Fields that a pending edit will write. An edit behind it was made on that edit's value. */
  const written = new Set<string>();
  for (const row of later) {
    const operation = nearMiss.update.read(row);
    if (operation === null) continue;
    const { payload, checkpoint } = operation;
    const names = Object.keys(payload.changes);
    if (operation.attempts === 0) {
      const base: Record<string, unknown> = { ...baseFieldsOf(payload, checkpoint) };
      for (const name of names)
        if (own(name) && !written.has(name)) base[name] = there[name] ?? null;
      const whole = names.every((name) => name in base && sameValue(base[name], there[name]));
      const etag = whole && answer.etag !== null ? { etag: answer.etag } : {};
      await db.operations.update(row.id, { checkpoint: { ...row.checkpoint, base, ...etag } });
    }
    for (const name of names) written.add(name);
  }
};
