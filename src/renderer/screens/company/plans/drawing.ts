/** What passes between the window and the worker that draws plans (drawing-worker.ts), and the limits of a drawing. */
import { PLAN_FILE_MAX } from '../../../../contract/rest/plans/plans.ts';

export const DRAWING_MAX_BYTES = PLAN_FILE_MAX;
/** A set of drawings may be a hundred sheets. */
export const DRAWING_MAX_PAGES = 200;
/** Pixels of a picture that is decoded, once, on the laptop that adds the plan. */
export const DRAWING_MAX_PIXELS = 110_000_000;

/** Longest sides of the pictures of a plan. The largest shows letters of 2.5 mm on an A1 sheet, and takes 75 MB while it is shown. */
export const SIDES = [1024, 2560, 5120] as const;
export const PREVIEW_SIDE = 320;

export type DrawingRefusal =
  /** No PNG, JPEG or PDF. */
  | 'other'
  | 'too_big'
  | 'too_many_pixels'
  | 'too_many_pages'
  /** A PDF that opens only with a password. */
  | 'locked'
  | 'damaged'
  /** It took too long, or too much memory. */
  | 'stopped';

export type ToDrawing =
  | { readonly kind: 'open'; readonly file: Blob }
  | { readonly kind: 'preview'; readonly page: number }
  | { readonly kind: 'draw'; readonly page: number };

export type FromDrawing =
  | { readonly kind: 'opened'; readonly pages: number; readonly is_pdf: boolean }
  | { readonly kind: 'preview'; readonly picture: Blob }
  | { readonly kind: 'drawn'; readonly pictures: readonly Blob[] }
  | { readonly kind: 'refused'; readonly why: DrawingRefusal };
