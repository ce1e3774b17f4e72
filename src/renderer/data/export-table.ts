/**
 * Near misses as the rows of a table, whatever kind of file it becomes: export-csv.ts and export-xlsx.ts write them. Read in parts,
 * so that nothing is held.
 */
import type { CustomFieldDefinition } from '../../contract/rest/catalog.ts';
import type { Deps, NearMissRow } from './db.ts';
import { textOf } from './text.ts';

/** Which near misses: these, or all active ones of a project reported from `from` to `to`, both included; null is open. */
export type Chosen =
  | { readonly keys: readonly string[] }
  | {
      readonly account: string;
      readonly project_id: number;
      readonly from: number | null;
      readonly to?: number | null;
    };

const PART = 200;

/** The keys of what is chosen, the latest first where they are not named. */
export const keysOf = async (
  { db }: Pick<Deps, 'db'>,
  chosen: Chosen,
): Promise<readonly string[]> => {
  if ('keys' in chosen) return chosen.keys;
  const { account, project_id, from, to = null } = chosen;
  return db.near_misses
    .where('[account+project_id+bin+created_at]')
    .between(
      [account, project_id, 0, from ?? -Infinity],
      [account, project_id, 0, to ?? Infinity],
      true,
      true,
    )
    .reverse()
    .primaryKeys();
};

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
  yield* chosenRows({ db }, { keys: await keysOf({ db }, chosen) });
}

/** The heads of the columns, in the language of the window. */
export interface RecordHeads {
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

/** How a table says what it has, in the language of the window. */
export interface TableWords {
  readonly heads: RecordHeads;
  /** What a custom field is called. */
  readonly field: (definition: CustomFieldDefinition) => string;
  /** A name of the catalog, or a choice of a field. */
  readonly name: (name: string) => string;
}

/** What stands in a table: a text, a number, yes or no, a moment of this computer, or a day of the calendar (`2026-11-20`). */
export type Cell = string | number | boolean | { readonly at: number } | { readonly day: string };

/** As a table has it: a text that says a number, digit for digit, is that number. */
const customCell = (
  { name }: TableWords,
  { data_type }: CustomFieldDefinition,
  value: unknown,
): Cell => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  const text = String(value);
  if (data_type === 'select') return name(text);
  if (data_type === 'number') return String(Number(text)) === text ? Number(text) : text;
  if (data_type === 'date') return /^\d{4}-\d{2}-\d{2}$/.test(text) ? { day: text } : text;
  const at = data_type === 'datetime' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? text : { at };
};

export interface Column {
  readonly head: string;
  /** `long`: a text of many words. */
  readonly holds: 'plain' | 'long' | 'moment' | 'day';
}

const holdsOf = ({ data_type }: CustomFieldDefinition): Column['holds'] =>
  data_type === 'datetime' ? 'moment' : data_type === 'date' ? 'day' : 'plain';

/** The columns of `recordCells`, in their order. */
export const recordColumns = (
  { heads, field }: TableWords,
  definitions: readonly CustomFieldDefinition[],
): readonly Column[] => {
  const plain = (head: string): Column => ({ head, holds: 'plain' });
  return [
    plain(heads.number),
    plain(heads.incident),
    { head: heads.description, holds: 'long' },
    { head: heads.reported, holds: 'moment' },
    plain(heads.reported_by),
    plain(heads.harm_source),
    plain(heads.work_activity),
    plain(heads.equipment),
    plain(heads.affected_company),
    plain(heads.affected_party),
    plain(heads.affected_person),
    ...definitions.map((one): Column => ({ head: field(one), holds: holdsOf(one) })),
    plain(heads.photos),
    plain(heads.id),
  ];
};

const recordRow = (
  say: TableWords,
  row: NearMissRow,
  definitions: readonly CustomFieldDefinition[],
  photos: number,
): readonly Cell[] => {
  const { names, server } = row;
  return [
    row.full_number,
    names.incident,
    textOf(row.fields.description),
    { at: row.created_at },
    server?.incident_created_by?.name ?? '',
    say.name(names.harm_source),
    say.name(names.work_activity),
    names.managed_equipment,
    names.affected_company,
    names.affected_party,
    names.affected_person,
    ...definitions.map((definition) =>
      customCell(say, definition, row.fields.custom_fields[`custom_field_${definition.id}`]),
    ),
    photos,
    row.server_id ?? '',
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

export interface TableHow {
  readonly signal?: AbortSignal;
  /** Hears how many are in it. */
  readonly onRows?: (done: number) => void;
}

/** The rows of a table of near misses, without its head. Throws an AbortError where it was cancelled. */
export async function* recordCells(
  deps: Pick<Deps, 'db'>,
  chosen: Chosen,
  say: TableWords,
  definitions: readonly CustomFieldDefinition[],
  { signal, onRows }: TableHow = {},
): AsyncGenerator<readonly Cell[]> {
  let done = 0;
  const with_photos = await keysWithPhotos(deps);
  for await (const rows of chosenRows(deps, chosen)) {
    signal?.throwIfAborted();
    const photos = await photoCounts(deps, rows, with_photos);
    for (const row of rows) yield recordRow(say, row, definitions, photos.get(row.key) ?? 0);
    done += rows.length;
    onRows?.(done);
  }
}
