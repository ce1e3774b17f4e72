/**
 * The journal's lines: `<crc32 in hex> <JSON>\n`. A line that does not check, or that a newer version wrote, is never
 * dropped silently: `readLines` hands it back as it is (failures A20).
 */
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { idLink, journalEntry, type JournalEntry, ulidSchema } from '../contract/host.ts';

const lanedLink = idLink.extend({ lanes: z.array(z.string()) });
export type LanedLink = z.infer<typeof lanedLink>;

const lineSchema = z.discriminatedUnion('t', [
  z.object({ t: z.literal('entry'), entry: journalEntry }),
  z.object({ t: z.literal('settled'), ids: z.array(ulidSchema), links: z.array(lanedLink) }),
  z.object({ t: z.literal('record'), lane: z.string(), seq: z.number(), record: z.unknown() }),
]);
export type JournalLine = z.infer<typeof lineSchema>;

const sumOf = (text: string): string => crc32(text).toString(16).padStart(8, '0');

export const writeLine = (line: JournalLine): string => {
  const text = JSON.stringify(line);
  return `${sumOf(text)} ${text}\n`;
};

/** The entry of a line that was written by `writeLine`. */
export const entryOf = (text: string): JournalEntry =>
  (JSON.parse(text.slice(9)) as { readonly entry: JournalEntry }).entry;

const parseLine = (raw: Buffer): JournalLine | null => {
  const text = raw.toString('utf8');
  const json = text.slice(9);
  if (text[8] !== ' ' || sumOf(json) !== text.slice(0, 8)) return null;
  try {
    return lineSchema.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
};

/** Where a whole line begins behind a damaged one whose line end is gone; 0 where none does. */
const gluedAt = (raw: Buffer): number => {
  // No text inside a line looks so: its quotes would be escaped.
  const starts = [...raw.toString('latin1').matchAll(/[0-9a-f]{8} \{"t":"/g)];
  return starts.at(-1)?.index ?? 0;
};

export interface ReadLines {
  readonly lines: readonly JournalLine[];
  /** Raw bytes of lines that could not be read, the unfinished last one apart. */
  readonly damaged: readonly Buffer[];
  /** Does the file end in the middle of a line? It was never acknowledged. */
  readonly torn: boolean;
}

/** Reads what can be read, line by line; damage costs only the lines it touches. */
export const readLines = (bytes: Buffer): ReadLines => {
  const lines: JournalLine[] = [];
  const damaged: Buffer[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf(10, at);
    const raw = bytes.subarray(at, end < 0 ? bytes.length : end);
    const line = raw.length === 0 ? null : parseLine(raw);
    if (line) lines.push(line);
    else if (end < 0) {
      const glued = gluedAt(raw); // what stands before the unfinished line was whole once
      if (glued > 0) damaged.push(raw.subarray(0, glued));
      return { lines, damaged, torn: true };
    } else if (raw.length > 0) {
      const glued = gluedAt(raw);
      const whole = glued > 0 ? parseLine(raw.subarray(glued)) : null;
      if (whole) lines.push(whole);
      damaged.push(whole ? raw.subarray(0, glued) : raw);
    }
    if (end < 0) return { lines, damaged, torn: true };
    at = end + 1;
  }
  return { lines, damaged, torn: false };
};
