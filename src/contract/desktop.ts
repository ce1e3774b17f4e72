/**
 * What the desktop program tells its window of itself, for Settings: the system's keys, and a newer version of the program. The browser
 * shell has neither.
 */
import { z } from 'zod';

/** Keys as Electron spells them: `Alt+Shift+N`. */
export const globalKeys = z
  .string()
  .regex(/^(?:(?:Alt|Control|Command|Shift)\+){1,3}(?:[A-Z]|F\d{1,2})$/);

export const updateView = z.object({
  /**
   * off: this program was built without a feed. idle: none newer is known. looking, fetching: on it. ready: fetched, put in when nothing
   * is sent or written, else at the next end. told: the system's own packages bring it. failed: the last look did not work.
   */
  state: z.enum(['off', 'idle', 'looking', 'fetching', 'ready', 'told', 'failed']),
  /** The newer version. */
  version: z.string().max(100).nullable(),
  /** When it was last looked for, milliseconds since the epoch. */
  looked_at: z.number().nullable(),
});
export type UpdateView = z.infer<typeof updateView>;

export const desktopView = z.object({
  /** refused: another program has these keys; `free` are others that this system would give. */
  keys: z.object({
    state: z.enum(['off', 'held', 'refused']),
    chosen: globalKeys,
    free: z.array(globalKeys).max(10),
  }),
  update: updateView,
});
export type DesktopView = z.infer<typeof desktopView>;

/** What a person may ask of it there. `save_pdf`: the page as it is drawn for paper, into a file that the user names. */
export const desktopDeed = z.enum(['look_for_update', 'put_in_update', 'save_pdf']);
export type DesktopDeed = z.infer<typeof desktopDeed>;
