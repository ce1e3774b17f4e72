/**
 * Gathers what pages are made of: near misses as they stand on this laptop, and their photos as large as paper shows them, from
 * the spool, else through the host from the server. One photo is in memory as it came; all others as a JPEG of a few hundred
 * kilobytes, and no more of them than a job may have: a pack of fifty reports stays far below what a laptop has.
 */
import type { Deps, NearMissRow } from '../../data/db.ts';
import { getNearMiss } from '../../data/near-miss-list.ts';
import { noNote, type PhotoNote } from '../../data/photo-notes.ts';
import { isHeavy, photoBlob, shownPhotosOf, type PhotoView } from '../../data/photos.ts';
import { makePrintPicture } from '../../photos/thumbnail.ts';
import { LIST_MAX } from '../../state/paper.svelte.ts';

/** Photos of one report on paper; the others are counted. */
export const REPORT_PHOTOS = 24;
/** Of one page of a toolbox pack: more would be too small to talk about. */
export const TOOLBOX_PHOTOS = 2;
/** Pages of a pack. */
export const PACK_MAX = 50;

export interface Picture {
  readonly id: string;
  readonly name: string;
  readonly note: PhotoNote;
  readonly picture: Blob;
  /** A still of it. */
  readonly video: boolean;
}

export interface ReportPage {
  readonly row: NearMissRow;
  readonly pictures: readonly Picture[];
  /** Photos that could not be had, or not be drawn. */
  readonly missing: number;
  /** Photos over what the job may have. */
  readonly more: number;
}

interface How {
  readonly photos: number;
  readonly signal: AbortSignal;
  /** Pages that are ready. */
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
  // Of a video there is the still that the list shows; of a photo that cannot come now its small picture.
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

/** In the order of the keys; one that is gone by now is left out. Throws an AbortError where it was cancelled. */
export const pagesOf = async (
  deps: Deps,
  keys: readonly string[],
  { photos, signal, onPage }: How,
): Promise<readonly ReportPage[]> => {
  const pages: ReportPage[] = [];
  for (const key of keys) {
    signal.throwIfAborted();
    const row = await getNearMiss(deps, key);
    if (row === undefined) continue;
    const all = await shownPhotosOf(deps, row);
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

/** The first lines of a list. */
export const linesOf = async (
  { db }: Pick<Deps, 'db'>,
  keys: readonly string[],
): Promise<readonly NearMissRow[]> => {
  const rows = await db.near_misses.bulkGet(keys.slice(0, LIST_MAX));
  return rows.filter((row) => row !== undefined);
};
