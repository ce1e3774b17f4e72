/**
 * Gathers the data of printed pages: near misses as stored on this laptop, and their photos from the spool or, through the
 * host, from the server. Only one photo at a time is in memory at full size; the rest are print-size JPEGs, capped per job.
 */
import type { Deps, NearMissRow } from '../../data/db/db.ts';
import { getNearMiss } from '../../data/index/near-miss-list.ts';
import { noNote, type PhotoNote } from '../../data/model/photo-notes.ts';
import { isHeavy, photoBlob, shownPhotosOf, type PhotoView } from '../../data/photos/photos.ts';
import { makePrintPicture } from '../../photos/thumbnail.ts';
import { LIST_MAX } from '../../state/paper.svelte.ts';

/** Photos printed per report; the rest are only counted. */
export const REPORT_PHOTOS = 24;
/** Photos per page of a toolbox pack; more would be too small. */
export const TOOLBOX_PHOTOS = 2;
export const PACK_MAX = 50;

export interface Picture {
  readonly id: string;
  readonly name: string;
  readonly note: PhotoNote;
  readonly picture: Blob;
  /** True for the still of a video. */
  readonly video: boolean;
}

export interface ReportPage {
  readonly row: NearMissRow;
  readonly pictures: readonly Picture[];
  /** Photos that could not be fetched or decoded. */
  readonly missing: number;
  /** Photos beyond the cap. */
  readonly more: number;
}

interface How {
  readonly photos: number;
  /** Which photos; default: the first. */
  readonly pick?: (photos: readonly PhotoView[]) => readonly PhotoView[];
  readonly signal: AbortSignal;
  readonly onPage: (done: number) => void;
}

const nameOf = ({ local, remote, id }: PhotoView): string =>
  local?.filename ?? remote?.filename ?? id;

const pictureOf = async (
  deps: Deps,
  row: NearMissRow,
  photo: PhotoView,
  signal: AbortSignal,
): Promise<Picture | null> => {
  const video = isHeavy(photo);
  // A video prints its still. A photo that is unavailable falls back to its thumbnail.
  for (const variant of video ? (['thumbnail'] as const) : (['full', 'thumbnail'] as const)) {
    const got = await photoBlob(deps, row, photo, variant, { signal });
    signal.throwIfAborted();
    const picture = got.ok ? await makePrintPicture(got.value) : null;
    signal.throwIfAborted();
    const { id, note = noNote } = photo;
    if (picture !== null) return { id, name: nameOf(photo), note, picture, video };
  }
  return null;
};

/** The first photo before and the first after; none without a side. */
export const sidesOf = (photos: readonly PhotoView[]): readonly PhotoView[] =>
  (['before', 'after'] as const).flatMap(
    (side) => photos.find(({ note }) => note?.side === side) ?? [],
  );

/**
 * Pages in the order of the keys, without near misses that no longer exist.
 * @throws AbortError when cancelled
 */
export const pagesOf = async (
  deps: Deps,
  keys: readonly string[],
  { photos, pick = (all) => all, signal, onPage }: How,
): Promise<readonly ReportPage[]> => {
  const pages: ReportPage[] = [];
  for (const key of keys) {
    signal.throwIfAborted();
    const row = await getNearMiss(deps, key);
    if (row === undefined) continue;
    const all = pick(await shownPhotosOf(deps, row));
    const wanted = all.slice(0, photos);
    const pictures: Picture[] = [];
    for (const photo of wanted) {
      const picture = await pictureOf(deps, row, photo, signal);
      if (picture !== null) pictures.push(picture);
    }
    pages.push({
      row,
      pictures,
      missing: wanted.length - pictures.length,
      more: all.length - wanted.length,
    });
    onPage(pages.length);
  }
  return pages;
};

/** The first lines of a list, at most `LIST_MAX`. */
export const linesOf = async (
  { db }: Pick<Deps, 'db'>,
  keys: readonly string[],
): Promise<readonly NearMissRow[]> => {
  const rows = await db.near_misses.bulkGet(keys.slice(0, LIST_MAX));
  return rows.filter((row) => row !== undefined);
};
