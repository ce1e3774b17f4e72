/**
 * Near misses with their photos as one zip to hand on: a CSV of the records and a folder of photos each. Photos come from this
 * laptop where it has them, else from the server; what could not be had is named in a list of its own, never left out unsaid.
 * Nothing is whole in memory but one photo of the server at a time.
 */
import { downloadZip } from 'client-zip';
import { nameKey, portableName } from '../../contract/file-name.ts';
import type { CustomFieldDefinition } from '../../contract/rest/catalog.ts';
import { csvOf, recordsCsv } from './export-csv.ts';
import { chosenRows, keysWithPhotos, type Chosen, type TableWords } from './export-table.ts';
import type { Deps, NearMissRow } from './db.ts';
import { captionsField } from './photo-notes.ts';
import { originalChunks, photoBlob, photosOf, withNotes, type PhotoView } from './photos.ts';

export interface ZipProgress {
  readonly records: number;
  readonly photos: number;
  /** Photos that could be had neither here nor from the server. */
  readonly missing: number;
}

/** Names inside the zip, in the language of the window. */
export interface ZipNames {
  /** The folder of a folder of photos each. */
  readonly photos: string;
  /** What is said of the photos of a folder. */
  readonly captions: string;
  readonly table: string;
  /** Which photos could not be had. */
  readonly missing: string;
}

export interface ZipHow {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ZipProgress) => void;
  readonly names: ZipNames;
}

/** Of a folder and of a file: with Windows' Downloads before them, both stay below 260 characters. */
const NAME_MAX = 60;

const safe = (name: string): string =>
  portableName(name.replace(/[^\p{L}\p{N}._ -]/gu, '_').replace(/^[. ]+/, '_'), NAME_MAX);

const folderOf = (row: NearMissRow, photos: string): string =>
  `${photos}/${portableName(`${safe(row.full_number || row.key)} ${safe(row.title)}`, NAME_MAX)}`;

const nameOf = ({ local, remote, id }: PhotoView): string =>
  safe(local?.filename ?? remote?.filename ?? id) || id;

/** What is said of the photos of a folder, as it stands in its field (decisions §4.8). */
const captionsOf = ({ fields }: NearMissRow, field: CustomFieldDefinition | undefined): string => {
  const text = field && fields.custom_fields[`custom_field_${field.id}`];
  return typeof text === 'string' ? text : '';
};

/** The bytes that were or will be sent; null where they cannot be had. */
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

/** The zip as it is made. Its body fails with an AbortError where it was cancelled. */
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
  const tell = () => onProgress({ records, photos, missing: missing.length });
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
          tell();
        }
        const captions = captionsOf(row, field);
        if (used.size > 1 && captions !== '')
          yield { name: `${folderOf(row, names.photos)}/${captions_file}`, input: captions };
        records += 1;
      }
      // Not for each record: of a hundred thousand the window would do nothing else.
      tell();
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
