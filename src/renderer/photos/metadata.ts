/** Reads time and location of a photo or video in a worker with a deadline (readers.ts); exif.ts parses them. */
import type { PhotoMetadata } from './exif.ts';
import type { Inspection } from './formats/inspection.ts';
import { askReader, patienceFor } from './readers.ts';

const nothing: PhotoMetadata = { taken_at: null, gps: null, orientation: null, direction: null };

/** Never fails: a photo without metadata is valid. */
export const readMetadata = async ({
  exif,
  video,
}: Pick<Inspection, 'exif' | 'video'>): Promise<PhotoMetadata> =>
  exif === null && video === null
    ? nothing
    : ((await askReader<PhotoMetadata>({ kind: 'metadata', exif, video }, patienceFor(0))) ??
      nothing);
