/**
 * What an own write leaves to the edits that wait behind it. They were made looking at values that this write put on the
 * server, so that its answer is what they are compared with; and where that answer shows nothing else that they change,
 * its ETag is theirs to send (decisions §1.7): whoever writes in between is noticed, whoever does not costs no look.
 */
import type { NearMiss } from '../../../contract/rest/near-misses.ts';
import type { OutboxEntry, SpotterDb } from '../../data/db.ts';
import { fieldsOfServer, sameValue, wireOf } from '../../data/near-miss-rows.ts';
import { seenBase } from '../../entries/near-miss.ts';
import { nearMiss } from '../../entries/queued.ts';
import type { Envelope } from '../../entries/stored.ts';

/** What waits behind an entry in its lane, in order. */
export const behind = (
  lane: readonly OutboxEntry[],
  { seq }: Pick<Envelope, 'seq'>,
): readonly OutboxEntry[] => lane.filter((entry) => entry.seq > seq).sort((a, b) => a.seq - b.seq);

/** Inside the settling transaction. `later`: what waits behind the settled entry; `own`: the fields that it wrote. */
export const rebaseLaterEdits = async (
  db: SpotterDb,
  later: readonly OutboxEntry[],
  answer: { readonly server: NearMiss; readonly etag: string | null },
  own: (name: string) => boolean,
): Promise<void> => {
  const there = wireOf(fieldsOfServer(answer.server));
  /** What an edit that still waits will have written: an edit behind it was made looking at that edit's value. */
  const written = new Set<string>();
  for (const row of later) {
    const entry = nearMiss.update.read(row);
    if (entry === null) continue;
    const { payload, checkpoint } = entry;
    const names = Object.keys(payload.changes);
    if (entry.attempts === 0) {
      const base: Record<string, unknown> = { ...seenBase(payload, checkpoint) };
      for (const name of names)
        if (own(name) && !written.has(name)) base[name] = there[name] ?? null;
      const whole = names.every((name) => name in base && sameValue(base[name], there[name]));
      const etag = whole && answer.etag !== null ? { etag: answer.etag } : {};
      await db.entries.update(row.id, { checkpoint: { ...row.checkpoint, base, ...etag } });
    }
    for (const name of names) written.add(name);
  }
};
