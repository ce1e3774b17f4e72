/**
 * Fills the window's database with a large project, as a refresh leaves it. The rows have every field of a response, so that
 * lists are measured and tested with rows of realistic weight.
 */
import type { Catalog } from '../../src/contract/rest/catalog.ts';
import type { NearMiss } from '../../src/contract/rest/near-misses.ts';
import type { SpotterDb } from '../../src/renderer/data/db/db.ts';
import { fieldsOfServer, rowOf, serverKey } from '../../src/renderer/data/model/near-miss-rows.ts';

interface Scope {
  readonly account: string;
  readonly company_id: number;
  readonly project_id: number;
}

const BATCH = 2_000;
const MINUTE = 60_000;
const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % list.length];
const stories = [
  'A plank slid off the scaffold, nobody was below. The toe board was missing since the morning; the gang was told and the stair is closed.',
  'The excavator swung over the walkway during the lunch change. Two people crossed; the banksman had left. Walkway closed until a second one is on site.',
  'A live cable was found in the trench where the drawing shows none. Work stopped, the grid was called, the trench is fenced.',
  'The sling of the formwork panel was cut half through at the hook. The lift was set down again and the sling destroyed.',
  'Rainwater ran into the distribution board whose door stood open. The breaker had tripped; the board is dry and locked again.',
] as const;

/** The record as `near_misses.list` returns it; `n` counts from the oldest. */
const copyOf = (catalog: Catalog, id: number, n: number, created_at: number): NearMiss => {
  const text = `Bench record ${n}. ${pick(stories, n)} Level ${n % 9}, axis ${n % 37}.`;
  const at = new Date(created_at).toISOString();
  const incident = pick(catalog.incidents, n * 7);
  const lookup = (one: { id: number; name: string } | undefined) =>
    one && { ...one, active: true, global: false, created_at: at, updated_at: at };
  const named = (one: { id: number; name: string } | undefined) =>
    one && { id: one.id, name: one.name };
  return {
    id,
    number: n + 1,
    full_number: `${incident?.number ?? 1}-${n + 1}`,
    recordable: false,
    type: 'near_miss',
    incident_id: incident?.id ?? 0,
    incident_title: incident?.title ?? '',
    incident_private: false,
    description: `<p>${text}</p>`,
    description_plain_text: text,
    created_at: at,
    updated_at: at,
    deleted_at: null,
    attachments: [],
    summary: pick(catalog.harm_sources, n)?.name ?? '',
    harm_source: lookup(pick(catalog.harm_sources, n)),
    work_activity: lookup(pick(catalog.work_activities, n * 3)),
    managed_equipment: named(pick(catalog.managed_equipment, n)),
    affected_company: named(pick(catalog.companies, n * 5)),
    affected_party: named(pick(catalog.parties, n)),
    affected_person: { ...named(pick(catalog.people, n)), id: pick(catalog.people, n)?.id ?? 1 },
    custom_fields: {
      custom_field_1: { data_type: 'string', value: `Axis ${n % 37}` },
      custom_field_2: { data_type: 'number', value: String(n % 100) },
    },
  };
};

/** Writes `count` rows, one a minute until `until`, with ids from `first_id` upwards. */
export const cacheMany = async (
  db: SpotterDb,
  scope: Scope,
  catalog: Catalog,
  count: number,
  until: number,
  first_id = 1_000_000,
): Promise<void> => {
  for (let at = 0; at < count; at += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - at) }, (_, index) => {
      const n = at + index;
      const created_at = until - (count - n) * MINUTE;
      const server = copyOf(catalog, first_id + n, n, created_at);
      return rowOf(
        {
          ...scope,
          key: serverKey(scope.account, server.id),
          server_id: server.id,
          fields: fieldsOfServer(server),
          server,
          created_at,
          updated_at: created_at,
          removed_at: null,
          seen_at: created_at,
        },
        catalog,
      );
    });
    await db.near_misses.bulkPut(rows);
  }
};
