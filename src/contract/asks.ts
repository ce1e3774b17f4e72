/**
 * What a person asks of a window from outside it (the menu, the tray, the system's keys, a link `spotter://…`, the system waking up), and
 * what a window tells its shell of the queue. An ask waits in the host until a window takes it: one that is made while the window is
 * still being opened is not lost.
 */
import { z } from 'zod';

/** A file that the system handed to the shell: the window reads it by this key and never learns where it lies. */
export const openedKey = z.uuid();

/** A near miss as the window's addresses name it: its id on this laptop. */
export const nearMissKey = z.string().regex(/^[0-9A-Za-z_-]{1,64}$/);

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
  /** The file may be an export: the window looks into it and asks before anything is taken over. */
  z.object({ ask: z.literal('import'), key: openedKey, name: z.string().max(255) }),
  /**
   * `keys`: the list of all keys. `print`: what the screen in sight prints; `pdf`: the same for a file, told by `desktop.do` once
   * it is drawn, and let go of by `pdf_over`. `try_now`: the system woke up or was unlocked. `came_back`: the page's process died
   * and was opened anew. `self_test`: the checks of self-test.ts, each told by `self_test.tell`.
   */
  z.object({
    ask: z.literal('do'),
    what: z.enum(['find', 'keys', 'print', 'pdf', 'pdf_over', 'try_now', 'came_back', 'self_test']),
  }),
]);
export type WindowAsk = z.infer<typeof windowAsk>;

const count = z.number().int().nonnegative();
/**
 * Of the account in use: records that wait, those of them that need a person, and entries on their way just now; whether something is
 * typed that is not in the database yet; follow-ups that are due in the project in use, null before they are counted.
 */
export const windowReport = z.object({
  waiting: count,
  parked: count,
  sending: count,
  unwritten: z.boolean(),
  due: count.nullable(),
});
export type WindowReport = z.infer<typeof windowReport>;
