/**
 * What the camera wrote into a photo: when, where, which way up. Only what is certain: a time without a zone stays a
 * wall-clock time, because the laptop's zone need not be the camera's.
 */
import exifr from 'exifr';
import type { PhotoRow, TakenAt } from '../data/db.ts';

export type PhotoMetadata = Pick<PhotoRow, 'taken_at' | 'gps' | 'orientation'>;

const nothing: PhotoMetadata = { taken_at: null, gps: null, orientation: null };

interface Exif {
  readonly DateTimeOriginal?: unknown;
  readonly CreateDate?: unknown;
  readonly OffsetTimeOriginal?: unknown;
  readonly OffsetTime?: unknown;
  readonly GPSDateStamp?: unknown;
  readonly GPSTimeStamp?: unknown;
  readonly Orientation?: unknown;
  readonly latitude?: unknown;
  readonly longitude?: unknown;
}

/** Reads only the head of the file. Never fails: a photo without metadata is a photo. */
export const readMetadata = async (file: Blob): Promise<PhotoMetadata> => {
  try {
    const exif = (await exifr.parse(file, {
      pick: [
        ...['DateTimeOriginal', 'CreateDate', 'OffsetTimeOriginal', 'OffsetTime', 'Orientation'],
        ...['GPSLatitude', 'GPSLatitudeRef', 'GPSLongitude', 'GPSLongitudeRef'],
        ...['GPSDateStamp', 'GPSTimeStamp'],
      ],
      reviveValues: false,
      translateValues: false,
    })) as Exif | undefined;
    return exif === undefined
      ? nothing
      : { taken_at: takenAt(exif), gps: gps(exif), orientation: orientation(exif) };
  } catch {
    return nothing;
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
  typeof value === 'number' && value >= 1 && value <= 8 ? value : null;
