/** Writes the planned near misses of the demo as rows, with their photos. */
import { eachField, textFields, type LookupField } from '../../contract/rest/near-miss-fields.ts';
import type { Db } from '../store/engine/db.ts';
import { foldAll } from '../store/engine/fold.ts';
import { takeIds } from '../store/engine/ids.ts';
import { insertNearMisses } from '../store/near-misses/near-misses.ts';
import type { KeptFile } from './keep.ts';
import { pickFrom, randomFrom } from './random.ts';
import type { PlannedRecord } from './records.ts';
import { BATCH, insert, seedFiles, seedUploads, type Seat } from './rows.ts';

interface Named {
  readonly id: number;
  readonly name: string;
}
/** Rows of the lists that forms offer, for the references of records. */
interface Lookups extends Readonly<Record<LookupField, readonly Named[]>> {
  readonly definitions: readonly { readonly id: number; readonly label: string }[];
}
type Incidents = readonly {
  readonly id: number;
  readonly number: number;
  readonly title: string;
}[];

/** Users of the demo company who file near misses, besides the admin. */
export interface Authors {
  readonly standard: number;
  readonly reporter: number;
}

/** The newest records belong to the admin, because most people who try the demo sign in as the admin. */
const OF_ADMIN = 24;

/** @param age position, counted from 0 for the newest */
const authorOf = ({ user_id }: Seat, authors: Authors | null, age: number): number => {
  if (authors === null || age < OF_ADMIN) return user_id;
  if (age % 12 === 5) return authors.reporter;
  return age % 6 === 2 ? authors.standard : user_id;
};

/** Builds the rows from the plan and picks their references, which are not part of the plan. */
const nearMissRows = (
  seat: Seat,
  lookups: Lookups,
  incidents: Incidents,
  plan: readonly PlannedRecord[],
  photos: readonly (readonly KeptFile[])[],
  authors: Authors | null,
) => {
  const random = randomFrom(7);
  const some = <T>(from: readonly T[], share: number): T | null =>
    random() < share ? pickFrom(random, from) : null;
  const named = <T extends { readonly name: string }>(from: readonly T[], name?: string) =>
    from.find((one) => one.name === name) ?? null;
  const numbers = new Map<number, number>();
  const rows = plan.map(({ kind, work, reported_at, deleted_at, values }, index) => {
    const incident = incidents.find(({ title }) => title === kind.incident) ?? incidents[0];
    if (!incident) throw new Error('nothing was seeded');
    const number = (numbers.get(incident.id) ?? 0) + 1;
    numbers.set(incident.id, number);
    const foreign = {
      affected_company_id: some(lookups.affected_company_id, 0.7),
      affected_party_id: some(lookups.affected_party_id, 0.4),
      affected_person_id: some(lookups.affected_person_id, 0.4),
      harm_source_id: random() < 0.97 ? named(lookups.harm_source_id, kind.harm) : null,
      work_activity_id: random() < 0.93 ? named(lookups.work_activity_id, work) : null,
      managed_equipment_id: named(lookups.managed_equipment_id, kind.equipment),
    };
    const attached = photos[index]?.length ?? 0;
    return {
      company_id: seat.company_id,
      project_id: seat.project_id,
      incident_id: incident.id,
      number,
      recordable: 0,
      ...eachField(textFields, () => ''),
      ...(Object.fromEntries(
        Object.entries(foreign).map(([name, row]) => [name, row?.id ?? null]),
      ) as Record<keyof typeof foreign, number | null>),
      created_by: authorOf(seat, authors, plan.length - 1 - index),
      created_at: reported_at,
      updated_at: deleted_at ?? reported_at,
      deleted_at,
      version: 1 + attached + (deleted_at === null ? 0 : 1),
      attachment_count: attached,
      comment_count: 0,
      custom_fields: JSON.stringify(
        Object.fromEntries(
          lookups.definitions.flatMap(({ id, label }) =>
            values[label] === undefined ? [] : [[String(id), values[label]]],
          ),
        ),
      ),
      description: `<p>${kind.title}</p><p>${kind.more}</p>`,
      description_plain_text: `${kind.title}\n${kind.more}`,
      search: foldAll([
        incident.title,
        kind.title,
        kind.more,
        number,
        `${incident.number}-${number}`,
        ...Object.values(foreign).map((row) => row?.name),
      ]),
    };
  });
  return { rows, numbers };
};

/** Seeds the photos of records: stored files, uploads and attachments. */
const seedPhotos = async (
  tx: Db,
  now: number,
  seat: Seat,
  records: readonly { readonly id: number; readonly created_at: number }[],
  photos: readonly (readonly KeptFile[])[],
): Promise<void> => {
  const { company_id } = seat;
  const shown = records.flatMap((record, index) =>
    (photos[index] ?? []).map((file) => ({ record, file })),
  );
  const kept = shown.map(({ file }) => file);
  const files = await seedFiles(tx, now, company_id, kept);
  await insert(
    tx,
    'near_miss_attachments',
    shown.map(({ record, file }, index) => ({
      company_id,
      near_miss_id: record.id,
      stored_file_id: files[index]?.id ?? null,
      upload_uuid: file.upload_uuid,
      filename: file.name,
      content_type: file.content_type,
      size: file.size,
      sha256: file.sha256,
      created_at: record.created_at,
    })),
  );
  await seedUploads(tx, now, seat, kept, (index) => ({
    stored_file_id: files[index]?.id ?? null,
    associated_type: 'near_miss',
    associated_id: shown[index]?.record.id ?? null,
  }));
};

export const seedNearMisses = async (
  tx: Db,
  now: number,
  seat: Seat,
  made: { readonly lookups: Lookups; readonly incidents: Incidents },
  {
    plan,
    photos,
    authors,
  }: {
    /** Null: the signed-in user files everything. */
    readonly authors: Authors | null;
    readonly plan: readonly PlannedRecord[];
    /** By index in the plan. */
    readonly photos: readonly (readonly KeptFile[])[];
  },
): Promise<void> => {
  const { rows, numbers } = nearMissRows(seat, made.lookups, made.incidents, plan, photos, authors);
  const first = await takeIds(tx, 'near_misses', rows.length);
  const records = rows.map((row, index) => ({ ...row, id: first + index }));
  for (let at = 0; at < records.length; at += BATCH)
    await insertNearMisses(tx, records.slice(at, at + BATCH));
  await seedPhotos(tx, now, seat, records, photos);
  for (const [id, last] of numbers)
    await tx
      .updateTable('incidents')
      .set({ last_near_miss_number: last })
      .where('company_id', '=', seat.company_id)
      .where('id', '=', id)
      .execute();
};
