/**
 * Reads a camera's metadata from a photo or video: time, place, direction, orientation. Takes only what is certain: a
 * time without a zone stays a wall-clock time, because the laptop's zone may differ from the camera's.
 */
import exifr from 'exifr';
import type { PhotoRow, TakenAt } from '../data/db/db.ts';
import type { Inspection } from './formats/inspection.ts';

export type PhotoMetadata = Pick<PhotoRow, 'taken_at' | 'gps' | 'orientation' | 'direction'>;

const noMetadata: PhotoMetadata = {
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

/** Never fails: a photo without metadata is valid. */
export const metadataOf = async ({
  exif: block,
  video,
}: Pick<Inspection, 'exif' | 'video'>): Promise<PhotoMetadata> => {
  if (video !== null) {
    const { taken, gps: place } = video;
    return { ...noMetadata, taken_at: taken && takenByVideo(taken), gps: place };
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

/** The clock of a video without a zone may be UTC, as the standard demands, or the camera's local time. */
const takenByVideo = ({
  local,
  offset,
}: NonNullable<NonNullable<Inspection['video']>['taken']>): TakenAt | null => {
  const at = Date.parse(`${local}${offset ?? 'Z'}`);
  if (wallClock(local) === null || Number.isNaN(at)) return null;
  return offset === null ? { local, offset, at: null, other_at: at } : { local, offset, at };
};

/** The wall-clock time of an EXIF time; null if no calendar has that day. */
const wallClock = (raw: unknown): string | null => {
  const match =
    typeof raw === 'string'
      ? /^(\d{4})[:-](\d{2})[:-](\d{2})[ T](\d{2}:\d{2}:\d{2})/.exec(raw)
      : null;
  if (match === null) return null;
  const local = `${match[1]}-${match[2]}-${match[3]}T${match[4]}`;
  const at = Date.parse(`${local}Z`);
  // Date.parse reads 30 February as 2 March, and a camera that was never set writes the year 0.
  return Number.isNaN(at) || !new Date(at).toISOString().startsWith(local) || match[1] === '0000'
    ? null
    : local;
};

const QUARTER_MS = 15 * 60_000;
const ZONE_MAX_MS = 14 * 60 * 60_000;
/** How far a camera's clock may deviate from the satellites'. */
const CLOCK_ERROR_MS = 5 * 60_000;

/**
 * True if a time zone explains the difference between camera and GPS. Otherwise one is wrong: an old fix, or a
 * receiver's rollover.
 */
const isZone = (difference: number): boolean => {
  const quarters = Math.round(difference / QUARTER_MS) * QUARTER_MS;
  return Math.abs(quarters) <= ZONE_MAX_MS && Math.abs(difference - quarters) <= CLOCK_ERROR_MS;
};

/** `+02:00` or `Z`; null if it is not a time zone. */
const zoneOf = (raw: unknown): string | null => {
  const zone = typeof raw === 'string' ? raw.trim() : '';
  if (!/^([+-]\d{2}:\d{2}|Z)$/.test(zone)) return null;
  return Number.isNaN(Date.parse(`2000-01-01T00:00:00${zone}`)) ? null : zone;
};

const takenAt = (exif: Exif): TakenAt | null => {
  const local = wallClock(exif.DateTimeOriginal) ?? wallClock(exif.CreateDate);
  if (local === null) return null;
  const offset = zoneOf(exif.OffsetTimeOriginal) ?? zoneOf(exif.OffsetTime);
  if (offset !== null) return { local, offset, at: Date.parse(`${local}${offset}`) };
  const at = gpsTime(exif);
  if (at === null || isZone(Date.parse(`${local}Z`) - at)) return { local, offset, at };
  return { local, offset, at: null, other_at: at };
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
  const local = wallClock(`${day}T${parts}`);
  return local === null ? null : Date.parse(`${local}Z`);
};

const gps = (exif: Exif): PhotoRow['gps'] => {
  const { latitude, longitude } = exif;
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return null;
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return null;
  // A camera without a fix writes zeros.
  if (latitude === 0 && longitude === 0) return null;
  return { latitude, longitude };
};

const orientation = ({ Orientation: value }: Exif): number | null =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 8 ? Number(value) : null;

const direction = ({ GPSImgDirection: value }: Exif): number | null =>
  typeof value === 'number' && value >= 0 && value <= 360 ? value : null;
