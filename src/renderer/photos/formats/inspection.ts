/** What taking a file's metadata apart brings to light, and the file without what is nobody else's business. */

/** Why a file's personal data cannot be removed safely. */
export type UnsafeReason =
  /** The file's structure is broken: what is what cannot be told. */
  | 'damaged'
  /** Sound, but built in a way whose parts are not all known here. */
  | 'unknown_parts'
  /** Reading it took more time or memory than it may: it was stopped. */
  | 'stopped';

export type Stripped =
  /** Nothing personal is in it: the file goes on as it is, byte for byte. */
  | { readonly kind: 'clean' }
  | { readonly kind: 'stripped'; readonly blob: Blob }
  | { readonly kind: 'unsafe'; readonly reason: UnsafeReason };

/** What a video says of itself; a picture says it in its EXIF block. */
export interface VideoFacts {
  /** `2026-03-04T05:06:07` as written, with the zone where it names one. */
  readonly taken: { readonly local: string; readonly offset: string | null } | null;
  readonly gps: { readonly latitude: number; readonly longitude: number } | null;
}

export interface Inspection {
  /** By content. Null: of a kind not known here. */
  readonly type: string | null;
  /** The largest size that any header declares, before anything is decoded. */
  readonly pixels: { readonly width: number; readonly height: number } | null;
  /** More pictures than one: an animation. */
  readonly animated: boolean;
  /** The EXIF block (a TIFF file in itself), as it stands in the file. */
  readonly exif: Uint8Array<ArrayBuffer> | null;
  readonly video: VideoFacts | null;
  readonly stripped: Stripped;
}

/** A format's part of it. `damaged` is thrown as this error by its reader and caught in inspect.ts. */
export type FormatFacts = Omit<Inspection, 'type'>;

export class Damaged extends Error {}

/** A block of EXIF that is larger is none: cameras write some ten thousand bytes. */
export const EXIF_MAX = 1024 * 1024;

export const larger = (
  one: Inspection['pixels'],
  width: number,
  height: number,
): Inspection['pixels'] =>
  one !== null && one.width * one.height >= width * height ? one : { width, height };
