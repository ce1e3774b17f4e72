/**
 * Requests to a window from outside it (the menu, the tray, global shortcuts, a link `spotter://…`, the system waking up), and
 * the window's report about its queue to the shell. The host buffers a request until a window takes it, so a request made while
 * the window opens is not lost.
 */
import { z } from 'zod';

/** A file that the system handed to the shell. The window reads it by this key and never learns its path. */
export const openedKey = z.uuid();

/** A near miss in the window's addresses: its key on this laptop, or the longer one of a mail's link (near-miss-link.ts). */
export const nearMissKey = z.string().regex(/^[0-9A-Za-z_-]{1,100}$/);

export const windowAsk = z.discriminatedUnion('ask', [
  z.object({
    ask: z.literal('show'),
    /** `due`: near misses whose follow-up is due. */
    place: z.enum([
      'near_misses',
      'due',
      'new',
      'waiting',
      'settings',
      'everything',
      'about',
      'connect',
    ]),
  }),
  z.object({ ask: z.literal('near_miss'), key: nearMissKey }),
  /** The file may be an export. The window inspects it and asks before it imports anything. */
  z.object({ ask: z.literal('import'), key: openedKey, name: z.string().max(255) }),
  /**
   * `keys`: opens the list of all keys. `print`: prints the current screen. `pdf`: lays out the current screen for a
   * PDF, reports it by `desktop.do`, and restores it on `pdf_over`. `try_now`: the system woke up or was unlocked.
   * `came_back`: the page's process crashed and was reopened. `self_test`: runs the checks of self-test.ts and reports
   * each by `self_test.report`.
   */
  z.object({
    ask: z.literal('do'),
    what: z.enum(['find', 'keys', 'print', 'pdf', 'pdf_over', 'try_now', 'came_back', 'self_test']),
  }),
]);
export type WindowAsk = z.infer<typeof windowAsk>;

const count = z.number().int().nonnegative();
/**
 * For the current account: pending records, the parked ones among them, and operations in flight; whether typed text is not in
 * the database yet; whether files are being copied that are lost if the window closes; due follow-ups of the current project, null before they are counted.
 */
export const windowReport = z.object({
  waiting: count,
  parked: count,
  sending: count,
  unwritten: z.boolean(),
  copying: z.boolean(),
  due: count.nullable(),
});
export type WindowReport = z.infer<typeof windowReport>;
