/**
 * Zips near misses with their photos: a CSV of the records and one photo folder per record. Photos come from this
 * laptop if present, otherwise from the server. An unavailable photo is listed in a separate file, never left out
 * silently. At most one photo from the server is in memory at a time.
 */
import { customKey } from '../../../contract/text/field-by-label.ts';
import { downloadZip } from 'client-zip';
import { nameKey, portableName } from '../../../contract/file-name.ts';
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import { csvOf, recordsCsv } from './export-csv.ts';
import { chosenRows, keysWithPhotos, type Chosen, type TableWords } from './export-table.ts';
import type { Deps, NearMissRow } from '../db/db.ts';
import { captionsField } from '../model/photo-notes.ts';
import {
  originalChunks,
  photoBlob,
  photosOf,
  withNotes,
  type PhotoView,
} from '../photos/photos.ts';

export interface ZipProgress {
  readonly records: number;
  readonly photos: number;
  /** Photos found neither here nor on the server. */
  readonly missing: number;
}

/** Names inside the zip, in the language of the window. */
export interface ZipNames {
  /** The folder that holds one photo folder per record. */
  readonly photos: string;
  /** The captions file in a photo folder. */
  readonly captions: string;
  readonly table: string;
  /** The list of unavailable photos. */
  readonly missing: string;
}

export interface ZipHow {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ZipProgress) => void;
  readonly names: ZipNames;
}

/** Limit for a folder name and a file name, in characters: under Windows' Downloads both stay below 260. */
const NAME_MAX = 60;

const safe = (name: string): string =>
  portableName(name.replace(/[^\p{L}\p{N}._ -]/gu, '_').replace(/^[. ]+/, '_'), NAME_MAX);

const folderOf = (row: NearMissRow, photos: string): string =>
  `${photos}/${portableName(`${safe(row.full_number || row.key)} ${safe(row.title)}`, NAME_MAX)}`;

const nameOf = ({ local, remote, id }: PhotoView): string =>
  safe(local?.filename ?? remote?.filename ?? id) || id;

/** The captions of a record's photos, as stored in its custom field (decisions §4.8). */
const captionsOf = ({ fields }: NearMissRow, field: CustomFieldDefinition | undefined): string => {
  const text = field && fields.custom_fields[customKey(field)];
  return typeof text === 'string' ? text : '';
};

/** The bytes as sent to the server or queued for it; null when unavailable. */
const bytesOf = async (deps: Deps, row: NearMissRow, photo: PhotoView, signal: AbortSignal) => {
  if (photo.local !== null) {
    const parts: Blob[] = [];
    let whole = true;
    for await (const part of originalChunks(deps, photo.local)) {
      signal.throwIfAborted();
      if (part.ok) parts.push(new Blob([part.value]));
      else whole = false;
    }
    if (whole) return new Blob(parts);
  }
  if (photo.remote === null) return null;
  const answer = await photoBlob(deps, row, { ...photo, local: null }, 'full', { signal });
  signal.throwIfAborted();
  return answer.ok ? answer.value : null;
};

/** Streams the zip. The body fails with an AbortError when cancelled. */
export const recordsZip = (
  deps: Deps,
  chosen: Chosen,
  say: TableWords,
  definitions: readonly CustomFieldDefinition[],
  how: ZipHow,
): Response => {
  const { signal, onProgress, names } = how;
  const captions_file = `${names.captions}.txt`;
  const missing: string[][] = [];
  let [records, photos] = [0, 0];
  const report = () => onProgress({ records, photos, missing: missing.length });
  const parts = (async function* () {
    const field = captionsField(definitions);
    const with_photos = await keysWithPhotos(deps);
    const photosFor = async (row: NearMissRow) =>
      with_photos.has(row.key) || (row.server?.attachments?.length ?? 0) > 0
        ? withNotes(row, await photosOf(deps, row), field)
        : [];
    for await (const rows of chosenRows(deps, chosen)) {
      for (const row of rows) {
        signal.throwIfAborted();
        const used = new Set<string>([nameKey(captions_file)]);
        for (const photo of await photosFor(row)) {
          signal.throwIfAborted();
          const blob = await bytesOf(deps, row, photo, signal);
          const name = used.has(nameKey(nameOf(photo)))
            ? `${safe(photo.id)} ${nameOf(photo)}`
            : nameOf(photo);
          used.add(nameKey(name));
          if (blob === null) missing.push([row.full_number, row.title, name]);
          else {
            photos += 1;
            yield { name: `${folderOf(row, names.photos)}/${name}`, input: blob };
          }
          report();
        }
        const captions = captionsOf(row, field);
        if (used.size > 1 && captions !== '')
          yield { name: `${folderOf(row, names.photos)}/${captions_file}`, input: captions };
        records += 1;
      }
      // Report once per part: reporting each of 100,000 records would keep the window busy with nothing else.
      report();
    }
    const table: string[] = [];
    for await (const part of recordsCsv(deps, chosen, say, definitions, { signal }))
      table.push(part);
    yield { name: `${names.table}.csv`, input: new Blob(table) };
    if (missing.length > 0)
      yield {
        name: `${names.missing}.csv`,
        input: csvOf([[say.heads.number, say.heads.description, say.heads.photos], ...missing]),
      };
  })();
  return downloadZip(parts);
};
