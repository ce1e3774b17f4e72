/** Extracts the few values of a near miss that lists filter, sort and count by. */
import { fold } from '../../../contract/text/fold.ts';
import { lookupFields, shownName, textFields } from '../../../contract/rest/near-miss-fields.ts';
import type { NearMissRow } from '../db/db.ts';
import { idFields, UNSENT } from '../model/near-miss-query.ts';
import { withoutPhotoNames } from '../model/photo-notes.ts';
import { textOf } from '../model/text.ts';

export interface NearMissTraits {
  readonly key: string;
  readonly bin: 0 | 1;
  readonly server_id: number | null;
  readonly created_at: number;
  readonly removed_at: number;
  /** In the order of `idFields`; 0 when empty. */
  readonly ids: readonly number[];
  readonly number: number | null;
  /** The full number `3-12` as the pair 3 and 12; null if it has another form. */
  readonly full: readonly [number, number] | null;
  /** Folded search text, the description first. `\u0001` separates the parts, so that no match spans two of them. */
  readonly text: string;
  /** Length of the description at the start of `text`. */
  readonly description_length: number;
  /** Id of the reporter; `UNSENT` until the server provides it. */
  readonly reporter: number;
  /** Number of photos on the server. */
  readonly photos: number;
  readonly custom: Readonly<Record<string, unknown>>;
}

const BORDER = '\u0001';

/** The server's plain text while the description is unchanged, otherwise a local conversion. */
const plainText = ({ fields, server }: Pick<NearMissRow, 'fields' | 'server'>): string =>
  server !== null &&
  (server.description ?? '') === fields.description &&
  typeof server.description_plain_text === 'string'
    ? server.description_plain_text
    : textOf(fields.description);

const fullOf = (full_number: string): readonly [number, number] | null => {
  const parts = /^(\d+)-(\d+)$/.exec(full_number);
  if (parts) return [Number(parts[1]), Number(parts[2])];
  return /^\d+$/.test(full_number) ? [0, Number(full_number)] : null;
};

/** Texts of the custom fields, without dates and without photo names. */
const customTexts = ({ custom_fields }: NearMissRow['fields']): readonly string[] =>
  Object.values(custom_fields).flatMap((value) =>
    typeof value === 'string' && !/^\d{4}-\d\d-\d\d(T|$)/.test(value)
      ? withoutPhotoNames(value)
      : [],
  );

/**
 * Search text beside the description: the fields the API searches (decisions §2.4), plus everything else a reader
 * sees.
 */
const namesOf = (row: NearMissRow): string =>
  fold(
    [
      row.names.incident,
      row.full_number,
      String(row.server?.number ?? ''),
      ...lookupFields.map((name) => row.names[shownName(name)]),
      ...textFields.map((name) => row.fields[name] ?? ''),
      row.server?.incident_created_by?.name ?? '',
      ...customTexts(row.fields),
    ]
      .filter((text) => text !== '')
      .join(BORDER),
  );

export const nearMissTraitsOf = (row: NearMissRow): NearMissTraits => {
  const description = fold(plainText(row));
  return {
    key: row.key,
    bin: row.bin,
    server_id: row.server_id,
    created_at: row.created_at,
    removed_at: row.removed_at ?? 0,
    ids: idFields.map((field) => row.fields[field] ?? 0),
    number: row.server?.number ?? null,
    full: fullOf(row.full_number),
    text: `${description}${BORDER}${namesOf(row)}`,
    description_length: description.length,
    reporter: row.server?.incident_created_by?.id ?? UNSENT,
    photos: row.server?.attachments?.length ?? 0,
    custom: row.fields.custom_fields,
  };
};

/** The trimmed text of a custom field; '' when empty or not a text. */
export const textIn = (one: NearMissTraits, field: string): string => {
  const value = one.custom[field];
  return typeof value === 'string' ? value.trim() : '';
};
