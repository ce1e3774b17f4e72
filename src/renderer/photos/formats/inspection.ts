/** The result of inspecting a file: its facts, and the file without personal metadata. */

/** Why personal data cannot be removed safely. */
export type UnsafeReason =
  /** The structure is broken, so its parts cannot be identified. */
  | 'damaged'
  /** Valid, but built with parts that are unknown here. */
  | 'unknown_parts'
  /** Reading was stopped because it exceeded its time or memory. */
  | 'stopped';

export type Stripped =
  /** Nothing personal is in it: the file is used unchanged, byte for byte. */
  | { readonly kind: 'clean' }
  | { readonly kind: 'stripped'; readonly blob: Blob }
  | { readonly kind: 'unsafe'; readonly reason: UnsafeReason };

/** Metadata of a video; a picture has it in its EXIF block. */
export interface VideoFacts {
  /** `2026-03-04T05:06:07` as written, with the zone if there is one. */
  readonly taken: { readonly local: string; readonly offset: string | null } | null;
  readonly gps: { readonly latitude: number; readonly longitude: number } | null;
}

export interface Inspection {
  /** By content. Null: an unknown type. */
  readonly type: string | null;
  /** The largest size declared by any header, before decoding. */
  readonly pixels: { readonly width: number; readonly height: number } | null;
  /** True for an animation: more than one picture. */
  readonly animated: boolean;
  /** The EXIF block (a TIFF file), as in the file. */
  readonly exif: Uint8Array<ArrayBuffer> | null;
  readonly video: VideoFacts | null;
  /** True if the file is truncated: the lower part of the picture is missing. */
  readonly cut_off?: boolean;
  readonly stripped: Stripped;
}

/** The part that a format's reader determines. A reader throws `Damaged`, which look.ts catches. */
export type FormatFacts = Omit<Inspection, 'type'>;

export class Damaged extends Error {}

/** A larger EXIF block is ignored; cameras write about ten thousand bytes. */
export const EXIF_MAX = 1024 * 1024;

export const larger = (
  one: Inspection['pixels'],
  width: number,
  height: number,
): Inspection['pixels'] =>
  one !== null && one.width * one.height >= width * height ? one : { width, height };
