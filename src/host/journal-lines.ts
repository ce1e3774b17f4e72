/**
 * The journal's lines: `<crc32 in hex> <JSON>\n`. A line that does not check, or that a newer version wrote, is never
 * dropped silently: `readLines` hands it back as it is (failures A20).
 */
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import {
  endedDraft,
  idLink,
  journalDraft,
  type JournalDraft,
  journalEntry,
  type JournalEntry,
  ulidSchema,
} from '../contract/host.ts';

const lanedLink = idLink.extend({ lanes: z.array(z.string()) });
export type LanedLink = z.infer<typeof lanedLink>;

const lineSchema = z.discriminatedUnion('t', [
  z.object({ t: z.literal('entry'), entry: journalEntry }),
  z.object({ t: z.literal('settled'), ids: z.array(ulidSchema), links: z.array(lanedLink) }),
  z.object({ t: z.literal('draft'), draft: journalDraft }),
  z.object({ t: z.literal('ended'), ended: z.array(endedDraft) }),
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

/** The draft of one. */
export const draftOf = (text: string): JournalDraft =>
  (JSON.parse(text.slice(9)) as { readonly draft: JournalDraft }).draft;

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

/** Where lines begin in text whose line ends may be gone. No text inside a line looks so: its quotes would be escaped. */
const START = /[0-9a-f]{8} \{"t":"/g;

/**
 * The lines of a stretch without a line end, and what of it is none. One flipped bit in a line end glues two lines together
 * and harms neither: each is tried by its own checksum, with and without the byte that was the line end.
 */
const readStretch = (raw: Buffer) => {
  const starts = [...raw.toString('latin1').matchAll(START)].map((found) => found.index);
  const lines: JournalLine[] = [];
  const rest: Buffer[] = [];
  let from = 0;
  let ends_whole = false;
  for (const to of [...starts.filter((at) => at > 0), raw.length]) {
    const piece = raw.subarray(from, to);
    const whole = parseLine(piece);
    const line = whole ?? parseLine(piece.subarray(0, -1));
    ends_whole = line !== null;
    if (line) lines.push(line);
    if (!whole) rest.push(line ? piece.subarray(-1) : piece);
    from = to;
  }
  return { lines, rest, ends_whole };
};

export interface ReadLines {
  readonly lines: readonly JournalLine[];
  /** Raw bytes that are no line, the unfinished last one apart. */
  readonly damaged: readonly Buffer[];
  /** The raw bytes after the last line end, where they are no whole line: a power cut in the middle of an append leaves such. */
  readonly unfinished: Buffer | null;
  /** Does the file lack its last line end? */
  readonly torn: boolean;
}

/** Reads what can be read, line by line; damage costs only the lines it touches. */
export const readLines = (bytes: Buffer): ReadLines => {
  const lines: JournalLine[] = [];
  const damaged: Buffer[] = [];
  let at = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, at)) {
    const raw = bytes.subarray(at, end);
    at = end + 1;
    if (raw.length === 0) continue;
    const line = parseLine(raw);
    if (line) {
      lines.push(line);
      continue;
    }
    const read = readStretch(raw);
    lines.push(...read.lines);
    damaged.push(...read.rest);
  }
  if (at === bytes.length) return { lines, damaged, unfinished: null, torn: false };
  const last = readStretch(bytes.subarray(at));
  lines.push(...last.lines);
  const unfinished = last.ends_whole ? null : (last.rest.pop() ?? null);
  return { lines, damaged: [...damaged, ...last.rest], unfinished, torn: true };
};
