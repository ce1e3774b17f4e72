/**
 * What an own write leaves to the edits that wait behind it. They were made looking at values that this write put on the
 * server, so that its answer is what they are compared with; and where that answer shows nothing else that they change,
 * its ETag is theirs to send (decisions §1.7): whoever writes in between is noticed, whoever does not costs no look.
 */
import type { NearMiss } from '../../../contract/rest/near-misses.ts';
import type { OutboxEntry, SpotterDb } from '../../data/db.ts';
import { fieldsOfServer, sameValue, wireOf, type WireFields } from '../../data/near-miss-rows.ts';

/** What an update's author saw in the fields it changes, as far as it is known. */
export const seenBase = (entry: Pick<OutboxEntry, 'payload' | 'checkpoint'>): WireFields | null => {
  const { base } = entry.payload as { readonly base: WireFields | null };
  const later = entry.checkpoint['base'] as WireFields | undefined;
  return later === undefined ? base : { ...base, ...later };
};

/** Inside the settling transaction. `own`: the fields that the settled entry wrote. */
export const rebaseLaterEdits = async (
  db: SpotterDb,
  settled: Pick<OutboxEntry, 'lane' | 'seq'>,
  answer: { readonly server: NearMiss; readonly etag: string | null },
  own: (name: string) => boolean,
): Promise<void> => {
  const there = wireOf(fieldsOfServer(answer.server));
  const later = await db.entries
    .where('lane')
    .equals(settled.lane)
    .and((entry) => entry.kind === 'near_miss.update' && entry.seq > settled.seq)
    .sortBy('seq');
  /** What an edit that still waits will have written: an edit behind it was made looking at that edit's value. */
  const written = new Set<string>();
  for (const entry of later) {
    const { changes } = entry.payload as { readonly changes: WireFields };
    const names = Object.keys(changes);
    if (entry.attempts === 0) {
      const base: Record<string, unknown> = { ...seenBase(entry) };
      for (const name of names)
        if (own(name) && !written.has(name)) base[name] = there[name] ?? null;
      const whole = names.every((name) => name in base && sameValue(base[name], there[name]));
      const etag = whole && answer.etag !== null ? { etag: answer.etag } : {};
      await db.entries.update(entry.id, { checkpoint: { ...entry.checkpoint, base, ...etag } });
    }
    for (const name of names) written.add(name);
  }
};
