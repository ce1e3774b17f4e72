/**
 * A full queue, quickly: near misses and their entries exactly as the form saves them, but many in one transaction and 200
 * in one line to the journal. For benchmarks and for the tests that need a queue nobody could type.
 */
import { ulid } from 'ulid';
import type { Catalog } from '../../src/contract/rest/catalog.ts';
import type { Deps, NearMissRow, OutboxEntry } from '../../src/renderer/data/db.ts';
import { createBody, emptyFields, rowOf } from '../../src/renderer/data/near-miss-rows.ts';
import { journalForm, makeEntry } from '../../src/renderer/outbox/entry.ts';

interface Scope {
  readonly account: string;
  readonly company_id: number;
  readonly project_id: number;
}

const BATCH = 200;
const MINUTE = 60_000;

const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % list.length];

/** Queues `count` near misses, oldest first, one a minute until now. Answers their keys. */
export const queueMany = async (
  { db, host, clock }: Deps,
  scope: Scope,
  catalog: Catalog,
  count: number,
): Promise<readonly string[]> => {
  const first = ((await db.meta.get('seq'))?.value as number | undefined) ?? 1;
  const keys: string[] = [];
  for (let at = 0; at < count; at += BATCH) {
    const rows: NearMissRow[] = [];
    const entries: OutboxEntry[] = [];
    for (let n = at; n < Math.min(count, at + BATCH); n += 1) {
      const key = ulid();
      const created_at = clock.now() - (count - n) * MINUTE;
      const { account, company_id, project_id } = scope;
      const fields = {
        ...emptyFields,
        incident_id: pick(catalog.incidents, n)?.id ?? 0,
        harm_source_id: pick(catalog.harm_sources, n)?.id ?? null,
        description: `<p>Bench record ${n}. A plank slid off the scaffold at level ${n % 9}, nobody was below. The toe board was missing since the morning; the gang was told and the stair is closed.</p>`,
      };
      rows.push(
        rowOf(
          {
            ...{ key, ...scope, fields, server_id: null, server: null, removed_at: null },
            ...{ created_at, updated_at: created_at, seen_at: clock.tick() },
          },
          catalog,
        ),
      );
      const payload = { key, company_id, project_id, body: createBody(fields) };
      const input = { kind: 'near_miss.create', version: 1, lane: key, payload };
      entries.push({ ...makeEntry(input, account, first + n, created_at), journaled: 1 });
      keys.push(key);
    }
    const appended = await host.call('journal.append', {
      entries: entries.map((entry, index) =>
        journalForm(entry, {
          near_miss: { ...rows[index]!, search: '' },
          replaces: null,
        }),
      ),
    });
    if (!appended.ok) throw new Error(JSON.stringify(appended.problem));
    await db.transaction('rw', db.near_misses, db.entries, db.meta, async () => {
      await db.near_misses.bulkPut(rows);
      await db.entries.bulkPut(entries);
      await db.meta.put({ name: 'seq', value: first + count });
    });
  }
  return keys;
};
