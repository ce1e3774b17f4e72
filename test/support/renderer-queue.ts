/**
 * Fills a large queue quickly: near misses and their operations exactly as the form saves them, but many per transaction and 200
 * per journal line. For benchmarks and for tests that need a queue too long to type.
 */
import { ulid } from 'ulid';
import type { Catalog } from '../../src/contract/rest/catalog.ts';
import type { PhotoFacts } from '../../src/contract/host.ts';
import type {
  Deps,
  NearMissRow,
  OutboxOperation,
  PhotoRow,
} from '../../src/renderer/data/db/db.ts';
import { createBody, emptyFields, rowOf } from '../../src/renderer/data/model/near-miss-rows.ts';
import { journalForm, makeOperation } from '../../src/renderer/outbox/queue/operation-life.ts';

interface Scope {
  readonly account: string;
  readonly company_id: number;
  readonly project_id: number;
}

const BATCH = 200;
const MINUTE = 60_000;

const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % list.length];

/** A photo in the host's spool and its operation, queued behind its record. */
const photoOf = (facts: PhotoFacts, scope: Scope, key: string, created_at: number) => {
  const photo = { ...facts, taken_at: null, gps: null, orientation: null };
  const { company_id, project_id } = scope;
  return {
    payload: { key, company_id, project_id, associate_key: ulid(), photo },
    row: {
      ...photo,
      account: scope.account,
      near_miss_key: key,
      draft_id: null,
      created_at,
      thumbnail: null,
      state: 'waiting',
      upload_uuid: null,
      attachment_id: null,
      receipt: null,
      problem: null,
    } satisfies PhotoRow,
  };
};

/** Queues `count` near misses, oldest first, one a minute until now; the first ones have a photo each. Returns their keys. */
export const queueMany = async (
  { db, host, clock }: Deps,
  scope: Scope,
  catalog: Catalog,
  count: number,
  photos: readonly PhotoFacts[] = [],
): Promise<readonly string[]> => {
  const keys: string[] = [];
  let seq = ((await db.meta.get('seq'))?.value as number | undefined) ?? 1;
  for (let at = 0; at < count; at += BATCH) {
    const rows: NearMissRow[] = [];
    const operations: OutboxOperation[] = [];
    const photoRows: PhotoRow[] = [];
    const add = (kind: string, key: string, payload: unknown, at: number) =>
      operations.push({
        ...makeOperation({ kind, version: 1, lane: key, payload }, scope.account, seq++, at),
        journaled: 1,
      });
    for (let n = at; n < Math.min(count, at + BATCH); n += 1) {
      const key = ulid();
      const created_at = clock.now() - (count - n) * MINUTE;
      const { company_id, project_id } = scope;
      const fields = {
        ...emptyFields,
        incident_id: pick(catalog.incidents, n)?.id ?? 0,
        harm_source_id: pick(catalog.harm_sources, n)?.id ?? null,
        description: `<p>Bench record ${n}. A plank slid off the scaffold at level ${n % 9}, nobody was below. The toe board was missing since the morning; the gang was told and the stair is closed.</p>`,
      };
      rows.push(
        rowOf(
          {
            key,
            ...scope,
            fields,
            server_id: null,
            server: null,
            removed_at: null,
            created_at,
            updated_at: created_at,
            seen_at: clock.tick(),
          },
          catalog,
        ),
      );
      const body = createBody(fields);
      add('near_miss.create', key, { key, company_id, project_id, body }, created_at);
      const facts = photos[n];
      if (facts !== undefined) {
        const { payload, row } = photoOf(facts, scope, key, created_at);
        add('photo.send', key, payload, created_at);
        photoRows.push(row);
      }
      keys.push(key);
    }
    const shown = new Map(rows.map((row) => [row.key, { ...row, search: '' }]));
    const lines = operations.map((operation) =>
      journalForm(operation, { near_miss: shown.get(operation.lane) ?? null, replaces: null }),
    );
    for (let from = 0; from < lines.length; from += BATCH) {
      const appended = await host.call('journal.append', {
        operations: lines.slice(from, from + BATCH),
      });
      if (!appended.ok) throw new Error(JSON.stringify(appended.problem));
    }
    await db.transaction('rw', [db.near_misses, db.operations, db.photos, db.meta], async () => {
      await db.near_misses.bulkPut(rows);
      await db.operations.bulkPut(operations);
      await db.photos.bulkPut(photoRows);
      await db.meta.put({ name: 'seq', value: seq });
    });
  }
  return keys;
};
