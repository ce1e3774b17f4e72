/** Lists every photo of a project's near misses, newest record first, local and server-only ones. */
import type { Deps, NearMissRow, PhotoRow } from '../db/db.ts';
import { takesPhotoOff } from '../../operations/operation.ts';
import { getCatalog } from '../db/catalog.ts';
import { captionsField } from '../model/photo-notes.ts';
import { mergePhotos, withNotes, type PhotoView } from './photos.ts';

export interface GalleryPhoto {
  readonly id: string;
  readonly row: NearMissRow;
  readonly photo: PhotoView;
  /** True until the photo is read back from the server. */
  readonly waiting: boolean;
}

/** liveQuery. Four reads, whatever the number of records. */
export const galleryPhotos = async (
  { db }: Pick<Deps, 'db'>,
  { account, project_id }: { readonly account: string; readonly project_id: number },
): Promise<readonly GalleryPhoto[]> => {
  const rows = await db.near_misses
    .where('[account+project_id+bin+created_at]')
    .between([account, project_id, 0, -Infinity], [account, project_id, 0, Infinity])
    .reverse()
    .toArray();
  const catalog = await getCatalog({ db }, account, project_id);
  const field = captionsField(catalog?.catalog.custom_field_definitions ?? []);
  const here = await db.photos.orderBy('near_miss_key').toArray();
  const removals = await db.operations
    .where('[account+seq]')
    .between([account, -Infinity], [account, Infinity])
    .and((operation) => takesPhotoOff(operation))
    .toArray();
  const locals = Map.groupBy(here, (photo: PhotoRow) => photo.near_miss_key ?? '');
  const lanes = Map.groupBy(removals, (operation) => operation.lane);
  return rows.flatMap((row) => {
    const photos = mergePhotos(row, locals.get(row.key) ?? [], lanes.get(row.key) ?? []);
    return withNotes(row, photos, field).map((photo) => ({
      id: `${row.key}/${photo.id}`,
      row,
      photo,
      waiting: photo.local !== null && photo.local.state !== 'delivered',
    }));
  });
};
