/**
 * What the camera wrote into a photo or a video: when, where, in which direction, which way up. Only what is certain: a time
 * without a zone stays a wall-clock time, because the laptop's zone need not be the camera's.
 */
import exifr from 'exifr';
import type { PhotoRow, TakenAt } from '../data/db.ts';
import type { Inspection } from './formats/inspection.ts';

export type PhotoMetadata = Pick<PhotoRow, 'taken_at' | 'gps' | 'orientation' | 'direction'>;

export const noMetadata: PhotoMetadata = {
  taken_at: null,
  gps: null,
  orientation: null,
  direction: null,
};

interface Exif {
  readonly DateTimeOriginal?: unknown;
  readonly CreateDate?: unknown;
  readonly OffsetTimeOriginal?: unknown;
  readonly OffsetTime?: unknown;
  readonly GPSDateStamp?: unknown;
  readonly GPSTimeStamp?: unknown;
  readonly GPSImgDirection?: unknown;
  readonly Orientation?: unknown;
  readonly latitude?: unknown;
  readonly longitude?: unknown;
}

/** Never fails: a photo without metadata is a photo. */
export const metadataOf = async ({
  exif: block,
  video,
}: Pick<Inspection, 'exif' | 'video'>): Promise<PhotoMetadata> => {
  if (video !== null) {
    const { taken, gps: place } = video;
    const at = !taken?.offset ? NaN : Date.parse(`${taken.local}${taken.offset}`);
    return {
      ...noMetadata,
      taken_at: taken && { ...taken, at: Number.isNaN(at) ? null : at },
      gps: place,
    };
  }
  if (block === null) return noMetadata;
  try {
    const exif = (await exifr.parse(block, {
      pick: [
        'DateTimeOriginal',
        'CreateDate',
        'OffsetTimeOriginal',
        'OffsetTime',
        'Orientation',
        'GPSLatitude',
        'GPSLatitudeRef',
        'GPSLongitude',
        'GPSLongitudeRef',
        'GPSDateStamp',
        'GPSTimeStamp',
        'GPSImgDirection',
      ],
      reviveValues: false,
      translateValues: false,
    })) as Exif | undefined;
    return exif === undefined
      ? noMetadata
      : {
          taken_at: takenAt(exif),
          gps: gps(exif),
          orientation: orientation(exif),
          direction: direction(exif),
        };
  } catch {
    return noMetadata;
  }
};

const takenAt = (exif: Exif): TakenAt | null => {
  const raw = exif.DateTimeOriginal ?? exif.CreateDate;
  const match =
    typeof raw === 'string'
      ? /^(\d{4})[:-](\d{2})[:-](\d{2})[ T](\d{2}:\d{2}:\d{2})/.exec(raw)
      : null;
  if (match === null) return null;
  const local = `${match[1]}-${match[2]}-${match[3]}T${match[4]}`;
  if (Number.isNaN(Date.parse(`${local}Z`))) return null;
  const zone = exif.OffsetTimeOriginal ?? exif.OffsetTime;
  const offset =
    typeof zone === 'string' && /^([+-]\d{2}:\d{2}|Z)$/.test(zone.trim()) ? zone.trim() : null;
  const at = offset === null ? gpsTime(exif) : Date.parse(`${local}${offset}`);
  return { local, offset, at };
};

/** GPS time is UTC by definition. */
const gpsTime = (exif: Exif): number | null => {
  const day = typeof exif.GPSDateStamp === 'string' ? exif.GPSDateStamp.replaceAll(':', '-') : '';
  const clock = exif.GPSTimeStamp;
  const parts =
    Array.isArray(clock) && clock.length === 3
      ? clock.map((part) => String(Math.floor(Number(part))).padStart(2, '0')).join(':')
      : typeof clock === 'string'
        ? clock.replace(/\d+/g, (digits) => digits.padStart(2, '0'))
        : '';
  const at = Date.parse(`${day}T${parts}Z`);
  return Number.isNaN(at) ? null : at;
};

const gps = (exif: Exif): PhotoRow['gps'] => {
  const { latitude, longitude } = exif;
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return null;
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return null;
  return { latitude, longitude };
};

const orientation = ({ Orientation: value }: Exif): number | null =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 8 ? Number(value) : null;

const direction = ({ GPSImgDirection: value }: Exif): number | null =>
  typeof value === 'number' && value >= 0 && value <= 360 ? value : null;
