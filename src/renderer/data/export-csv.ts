/**
 * Near misses and figures as CSV for spreadsheets: every cell quoted, and one that a spreadsheet would take for a formula made
 * plain text by a leading `'`, because descriptions and names come from anybody (OWASP, CSV injection). With a byte order mark, so
 * that Excel reads UTF-8.
 */
import Papa from 'papaparse';
import type { CustomFieldDefinition } from '../../contract/rest/catalog.ts';
import type { Deps, NearMissRow } from './db.ts';
import { localMinute } from './local-day.ts';
import { textOf } from './text.ts';

/** As a spreadsheet shows it, never as it would calculate it. */
export const safeCell = (value: string): string =>
  /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;

const BOM = '\ufeff';
const lines = (rows: readonly (readonly string[])[]): string =>
  `${Papa.unparse(
    rows.map((row) => row.map(safeCell)),
    { quotes: true, newline: '\r\n' },
  )}\r\n`;

/** A whole file. */
export const csvOf = (rows: readonly (readonly string[])[]): string => BOM + lines(rows);

/** Which near misses: these, or all active ones of a project reported since `from`. */
export type Chosen =
  | { readonly keys: readonly string[] }
  | { readonly account: string; readonly project_id: number; readonly from: number | null };

const PART = 200;

/** In parts, latest first where they are not named. Reads again from where it stopped, so that nothing is held. */
export async function* chosenRows(
  { db }: Pick<Deps, 'db'>,
  chosen: Chosen,
): AsyncGenerator<readonly NearMissRow[]> {
  if ('keys' in chosen) {
    for (let at = 0; at < chosen.keys.length; at += PART) {
      const rows = await db.near_misses.bulkGet(chosen.keys.slice(at, at + PART));
      yield rows.filter((row) => row !== undefined);
    }
    return;
  }
  const keys = await db.near_misses
    .where('[account+project_id+bin+created_at]')
    .between(
      [chosen.account, chosen.project_id, 0, chosen.from ?? -Infinity],
      [chosen.account, chosen.project_id, 0, Infinity],
    )
    .reverse()
    .primaryKeys();
  yield* chosenRows({ db }, { keys });
}

/** The heads of the columns, in the language of the window. */
export interface CsvHeads {
  readonly number: string;
  readonly incident: string;
  readonly description: string;
  readonly reported: string;
  readonly reported_by: string;
  readonly harm_source: string;
  readonly work_activity: string;
  readonly equipment: string;
  readonly affected_company: string;
  readonly affected_party: string;
  readonly affected_person: string;
  readonly photos: string;
  readonly id: string;
}

/** Moments as `2026-11-20 09:10`: what every spreadsheet reads as a date, and sorts as text. */
const customText = (definition: CustomFieldDefinition, value: unknown): string => {
  if (value === null || value === undefined) return '';
  const text = String(value);
  const at = definition.data_type === 'datetime' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? text : localMinute(at);
};

const headRow = (
  heads: CsvHeads,
  definitions: readonly CustomFieldDefinition[],
): readonly string[] => [
  heads.number,
  heads.incident,
  heads.description,
  heads.reported,
  heads.reported_by,
  heads.harm_source,
  heads.work_activity,
  heads.equipment,
  heads.affected_company,
  heads.affected_party,
  heads.affected_person,
  ...definitions.map((definition) => definition.label),
  heads.photos,
  heads.id,
];

const recordRow = (
  row: NearMissRow,
  definitions: readonly CustomFieldDefinition[],
  photos: number,
): readonly string[] => {
  const { names, server } = row;
  return [
    row.full_number,
    names.incident,
    textOf(row.fields.description),
    localMinute(row.created_at),
    server?.incident_created_by?.name ?? '',
    names.harm_source,
    names.work_activity,
    names.managed_equipment,
    names.affected_company,
    names.affected_party,
    names.affected_person,
    ...definitions.map((definition) =>
      customText(definition, row.fields.custom_fields[`custom_field_${definition.id}`]),
    ),
    String(photos),
    row.server_id === null ? '' : String(row.server_id),
  ];
};

/** Keys of the near misses with photos on this laptop: few of many, so that the others need not be asked about one by one. */
export const keysWithPhotos = async ({ db }: Pick<Deps, 'db'>): Promise<ReadonlySet<unknown>> =>
  new Set(await db.photos.orderBy('near_miss_key').uniqueKeys());

/** Photos the server names and those of this laptop it does not know yet. */
const photoCounts = async (
  { db }: Pick<Deps, 'db'>,
  rows: readonly NearMissRow[],
  with_photos: ReadonlySet<unknown>,
): Promise<ReadonlyMap<string, number>> => {
  const keys = rows.map((row) => row.key).filter((key) => with_photos.has(key));
  const waiting = await db.photos
    .where('near_miss_key')
    .anyOf(keys)
    .and((photo) => photo.attachment_id === null)
    .toArray();
  const by = Map.groupBy(waiting, (photo) => photo.near_miss_key ?? '');
  return new Map(
    rows.map((row) => [
      row.key,
      (row.server?.attachments?.length ?? 0) + (by.get(row.key)?.length ?? 0),
    ]),
  );
};

/** A CSV of near misses, piece by piece; `onRows` hears how many are in it. Throws an AbortError where it was cancelled. */
export async function* recordsCsv(
  deps: Pick<Deps, 'db'>,
  chosen: Chosen,
  heads: CsvHeads,
  definitions: readonly CustomFieldDefinition[],
  how: { readonly signal?: AbortSignal; readonly onRows?: (done: number) => void } = {},
): AsyncGenerator<string> {
  yield BOM + lines([headRow(heads, definitions)]);
  let done = 0;
  const with_photos = await keysWithPhotos(deps);
  for await (const rows of chosenRows(deps, chosen)) {
    how.signal?.throwIfAborted();
    const photos = await photoCounts(deps, rows, with_photos);
    if (rows.length > 0)
      yield lines(rows.map((row) => recordRow(row, definitions, photos.get(row.key) ?? 0)));
    done += rows.length;
    how.onRows?.(done);
  }
}
