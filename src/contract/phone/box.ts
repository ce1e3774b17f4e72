/** The report box: its reports and its state, as host and window see them. Messages of phones: box-messages.ts. */
import { z } from 'zod';
import { languages } from '../languages.ts';
import { BOX_PHOTOS_MAX } from './box-limits.ts';
import { phoneNetwork } from './phone.ts';

const count = z.number().int().nonnegative();
const ulid = z.string().regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);
const boxPhoto = z.object({
  name: z.string(),
  size: count,
  sha256: sha256Hex,
  content_type: z.string(),
});

/** A report in the box. Text, name and photos of a filed one are gone: they are in the near miss. */
export const boxReport = z.object({
  /** Also the id of the draft that it is filed as, and of the near miss. */
  id: ulid,
  code: z.string(),
  /** Milliseconds since the epoch, by the laptop's clock. */
  received_at: z.number(),
  text: z.string(),
  /** '' if the person gave none. */
  name: z.string(),
  /** The language of the page on the phone. */
  language: z.enum(languages),
  photos: z.array(boxPhoto).max(BOX_PHOTOS_MAX),
  state: z.enum(['waiting', 'filed', 'discarded']),
  /** Why it was discarded; '' otherwise. */
  reason: z.string(),
  /** When it was filed or discarded; null while it waits. */
  closed_at: z.number().nullable(),
  /** The near miss's number ('' while it has none), and what was done about it, as the window last reported it. */
  number: z.string().max(100),
  answer: z.string().max(100_000),
});
export type BoxReport = z.infer<typeof boxReport>;

/** What the window knows of a filed report. */
export const boxOutcome = boxReport.pick({ id: true, number: true, answer: true });
export type BoxOutcome = z.infer<typeof boxOutcome>;

export const boxView = z.object({
  /**
   * none: this build has no page for it. off: not wanted. open: phones can reach it. no_network: the laptop does not have the
   * address at present. port_taken: another program holds the port. failed: the system does not allow listening.
   */
  state: z.enum(['none', 'off', 'open', 'no_network', 'port_taken', 'failed']),
  /** The address on the posters; null before the box was first opened. */
  address: z.ipv4().nullable(),
  /** What the QR code says; null before the box was first opened. */
  url: z.string().nullable(),
  networks: z.array(phoneNetwork).max(50),
  /** Number of reports that wait for a supervisor. */
  waiting: count,
});
export type BoxView = z.infer<typeof boxView>;
