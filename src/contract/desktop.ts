/**
 * State that the desktop app reports to its window: global shortcuts, a newer version, and whether the window is visible. The
 * browser shell has none of these.
 */
import { z } from 'zod';

/** A shortcut in Electron's spelling: `Control+Shift+F9`. */
export const globalKeys = z
  .string()
  .regex(/^(?:(?:Alt|Control|Command|Shift)\+){1,3}(?:[A-Z]|F\d{1,2})$/);

const updateView = z.object({
  /**
   * off: the build has no update feed. idle: no newer version is known. looking, fetching: in progress. ready:
   * downloaded; installed when nothing is being sent or typed, else at the next quit. announced: a newer version
   * exists, which Spotter does not install itself. failed: the last check failed.
   */
  state: z.enum(['off', 'idle', 'looking', 'fetching', 'ready', 'announced', 'failed']),
  version: z.string().max(100).nullable(),
  /** Time of the last check in milliseconds since the epoch. */
  looked_at: z.number().nullable(),
});
export type UpdateView = z.infer<typeof updateView>;

export const desktopView = z.object({
  /** refused: another program has these keys; `free` lists others that this system would accept. */
  keys: z.object({
    state: z.enum(['off', 'held', 'refused']),
    chosen: globalKeys,
    free: z.array(globalKeys).max(10),
  }),
  update: updateView,
  /** True if a person can see the window; false while it is hidden or minimised. */
  in_sight: z.boolean(),
});
export type DesktopView = z.infer<typeof desktopView>;

/** Requests to the desktop app. `save_pdf`: writes the print version of the page to a file that the user names. */
export const desktopDeed = z.enum(['look_for_update', 'put_in_update', 'save_pdf']);
export type DesktopDeed = z.infer<typeof desktopDeed>;
