/**
 * Turns near misses into table rows, which export-csv.ts and export-xlsx.ts write to files. Reads records in parts,
 * so that memory stays bounded.
 */
import { customKey } from '../../../contract/text/field-by-label.ts';
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import {
  lookupFields,
  shownName,
  textFields,
  type LookupField,
  type ShownName,
} from '../../../contract/rest/near-miss-fields.ts';
import type { Deps, NearMissRow } from '../db/db.ts';
import { textOf } from '../model/text.ts';

/**
 * The near misses to export: given keys, or all active ones of a project reported from `from` to `to` inclusive. Null
 * leaves a bound open.
 */
export type Chosen =
  | { readonly keys: readonly string[] }
  | {
      readonly account: string;
      readonly project_id: number;
      readonly from: number | null;
      readonly to?: number | null;
    };

const PART = 200;

/** The keys of the choice, newest first unless it names keys. */
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

/** Yields the chosen rows in parts, newest first unless the choice names keys. */
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

export interface RecordHeads extends Readonly<Record<ShownName, string>> {
  readonly number: string;
  readonly incident: string;
  readonly reported: string;
  readonly reported_by: string;
  readonly photos: string;
  readonly id: string;
}

/** Texts of a table in the language of the window. */
export interface TableWords {
  readonly heads: RecordHeads;
  /** The label of a custom field. */
  readonly field: (definition: CustomFieldDefinition) => string;
  /** Translates a catalog name or an option of a select field. */
  readonly name: (name: string) => string;
}

/** A cell: a text, a number, a boolean, a moment in local time, or a calendar day (`2026-11-20`). */
export type Cell = string | number | boolean | { readonly at: number } | { readonly day: string };

/** Types a custom value. A text becomes a number only when that number prints as the same digits. */
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

/** The columns of `recordCells`, in the same order. */
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
    ...[...lookupFields, ...textFields].map((name) => plain(heads[shownName(name)])),
    ...definitions.map((one): Column => ({ head: field(one), holds: holdsOf(one) })),
    plain(heads.photos),
    plain(heads.id),
  ];
};

/** The terms of the catalog are translated; names are not. */
const nameOf = (say: TableWords, field: LookupField, name: string): string =>
  field === 'harm_source_id' || field === 'work_activity_id' ? say.name(name) : name;

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
    ...lookupFields.map((name) => nameOf(say, name, names[shownName(name)])),
    ...textFields.map((name) => row.fields[name] ?? ''),
    ...definitions.map((definition) =>
      customCell(say, definition, row.fields.custom_fields[customKey(definition)]),
    ),
    photos,
    row.server_id ?? '',
  ];
};

/** Keys of near misses with photos on this laptop. Few have any, so the others need no query each. */
export const keysWithPhotos = async ({ db }: Pick<Deps, 'db'>): Promise<ReadonlySet<unknown>> =>
  new Set(await db.photos.orderBy('near_miss_key').uniqueKeys());

/** Counts the photos the server lists plus the local ones it does not have yet. */
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
  readonly onRows?: (done: number) => void;
}

/** Yields the rows of a table of near misses, without the head. Throws an AbortError when cancelled. */
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
