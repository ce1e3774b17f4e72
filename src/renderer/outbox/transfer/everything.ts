/**
 * Exports everything of an account on this laptop as one zip: the queue (export.ts), unfinished near misses with their
 * photos, and the settings. Tokens stay in the keychain. The file is a queue export with additional parts, and
 * import.ts reads both.
 */
import type { Settings } from '../../../contract/settings.ts';
import type { Deps, DraftRow } from '../../data/db/db.ts';
import { type Export, exportItems, type ExportPart, partsOf } from './export.ts';
import { DRAFTS_NAME, type ExportNames, pathOf, SETTINGS_NAME } from './export-form.ts';

/** Unfinished near misses and edits of an account. */
const draftsOf = async ({ db }: Deps, account: string): Promise<readonly DraftRow[]> =>
  db.drafts.filter((draft) => draft.account === account && draft.thrown_at === undefined).toArray();

async function* extras(
  deps: Deps,
  account: string,
  settings: Settings,
  folder: string,
): AsyncGenerator<ExportPart> {
  yield { name: SETTINGS_NAME, input: JSON.stringify(settings, null, 2) };
  const drafts = await draftsOf(deps, account);
  const ids = drafts.map(({ id }) => id);
  const photos = await deps.db.photos.where('draft_id').anyOf(ids).toArray();
  const unread = new Set<string>();
  for (const photo of photos) yield* partsOf(deps, folder, photo, unread);
  const portable = photos.map(({ thumbnail: _thumbnail, ...photo }) => ({
    ...photo,
    path: pathOf(folder, photo),
    whole: !unread.has(photo.photo_id),
  }));
  yield { name: DRAFTS_NAME, input: JSON.stringify({ drafts, photos: portable }) };
}

/** Exports queue, drafts and settings of an account; streams like `exportItems`. */
export const exportEverything = async (
  deps: Deps,
  account: string,
  settings: Settings,
  names: ExportNames,
): Promise<Export> => {
  const more = extras(deps, account, settings, names.drafts);
  return exportItems(deps, account, { ...names, waiting: names.everything }, undefined, more);
};

/** The bytes of draft photos in the export, for its progress. */
export const everythingSize = async (deps: Deps, account: string): Promise<number> => {
  const drafts = await draftsOf(deps, account);
  const ids = drafts.map(({ id }) => id);
  const photos = await deps.db.photos.where('draft_id').anyOf(ids).toArray();
  return photos.reduce((sum, { size, original }) => sum + size + (original?.size ?? 0), 0);
};
