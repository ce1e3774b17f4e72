/**
 * Writes many near misses at once, for tests of query plans and benchmarks of how lists scale. It uses the store's own
 * statements and the demo catalog's people, sources and equipment, spread over incidents and years. The same call writes the
 * same rows.
 */
import { eachField, textFields } from '../../src/contract/rest/near-miss-fields.ts';
import type { Store } from '../../src/service/store/engine/db.ts';
import { foldAll } from '../../src/service/store/engine/fold.ts';
import { takeIds } from '../../src/service/store/engine/ids.ts';
import { insertNearMisses } from '../../src/service/store/near-misses/near-misses.ts';

interface Seat {
  readonly company_id: number;
  readonly project_id: number;
}

const BATCH = 500;
const YEARS = 3 * 365 * 86_400_000;
const UNTIL = Date.UTC(2026, 0, 1);

const said = [
  'Sling of the formwork panel slipped while it was lifted',
  'Scaffold board was loose at the edge of the third floor',
  'Excavator turned while somebody stood behind it',
  'Bucket of mortar fell from the lift and hit nobody',
  'Ladder stood on wet planks and slid',
];

/** Pseudo-random numbers that are the same in every run. */
const shuffled = (index: number): number => (Math.imul(index + 1, 2_654_435_761) >>> 0) / 2 ** 32;

const foreign = {
  affected_company_id: 'affected_companies',
  affected_party_id: 'parties',
  affected_person_id: 'people',
  harm_source_id: 'harm_sources',
  work_activity_id: 'work_activities',
  managed_equipment_id: 'managed_equipment',
} as const;

const readOffered = async (store: Store, { company_id, project_id }: Seat) => {
  const named = Object.entries(foreign).map(async ([column, table]) => {
    const rows = await store.read
      .selectFrom(table as 'parties')
      .select(['id', 'name'])
      .where('company_id', '=', company_id)
      .where((eb) => eb.or([eb('project_id', 'is', null), eb('project_id', '=', project_id)]))
      .orderBy('id')
      .execute();
    return [column, rows] as const;
  });
  const incidents = await store.read
    .selectFrom('incidents')
    .select(['id', 'number', 'title', 'created_by', 'last_near_miss_number'])
    .where('company_id', '=', company_id)
    .where('project_id', '=', project_id)
    .orderBy('id')
    .execute();
  return { named: await Promise.all(named), incidents };
};

/** Every tenth is in the recycle bin, and each column is empty in one row of eight. */
export const seedNearMisses = async (store: Store, seat: Seat, count: number): Promise<void> => {
  const { company_id, project_id } = seat;
  const { named, incidents } = await readOffered(store, seat);
  const numbers = new Map(incidents.map((one) => [one.id, one.last_near_miss_number]));
  for (let from = 0; from < count; from += BATCH)
    await store.write(async (tx) => {
      const size = Math.min(BATCH, count - from);
      const first = await takeIds(tx, 'near_misses', size);
      const rows = Array.from({ length: size }, (_, offset) => {
        const index = from + offset;
        const incident = incidents[index % incidents.length];
        if (!incident) throw new Error('the demo has no incident');
        const number = (numbers.get(incident.id) ?? 0) + 1;
        numbers.set(incident.id, number);
        const about = named.map(([column, rows], at) => {
          const chance = shuffled(index * 7 + at);
          const row =
            chance < 0.875 ? rows[Math.floor(chance * 8 * rows.length) % rows.length] : undefined;
          return [column, row] as const;
        });
        const created_at = UNTIL - Math.floor(shuffled(index) * YEARS);
        const text = `${said[index % said.length]}, record ${index}.`;
        return {
          company_id,
          id: first + offset,
          project_id,
          incident_id: incident.id,
          number,
          recordable: 0,
          ...eachField(textFields, () => ''),
          ...(Object.fromEntries(about.map(([column, row]) => [column, row?.id ?? null])) as Record<
            keyof typeof foreign,
            number | null
          >),
          created_by: incident.created_by ?? 1,
          created_at,
          updated_at: created_at,
          deleted_at: index % 10 === 9 ? created_at + 1000 : null,
          version: 1,
          attachment_count: 0,
          comment_count: 0,
          custom_fields: '{}',
          description: `<p>${text}</p>`,
          description_plain_text: text,
          search: foldAll([
            incident.title,
            text,
            number,
            `${incident.number}-${number}`,
            ...about.map(([, row]) => row?.name),
          ]),
        };
      });
      await insertNearMisses(tx, rows);
    }, company_id);
  await store.write(async (tx) => {
    for (const [id, last_near_miss_number] of numbers)
      await tx
        .updateTable('incidents')
        .set({ last_near_miss_number })
        .where('company_id', '=', company_id)
        .where('id', '=', id)
        .execute();
  }, company_id);
};
