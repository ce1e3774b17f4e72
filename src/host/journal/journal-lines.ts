/**
 * Line format of the journal: `<crc32 in hex> <JSON>\n`. A line with a wrong checksum, or from a newer version, is never
 * dropped silently: `readLines` returns its raw bytes (failures A20).
 */
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import {
  endedDraft,
  idLink,
  journalDraft,
  type JournalDraft,
  journalEntry,
  type JournalOperation,
  ulidSchema,
} from '../../contract/host.ts';

const lanedLink = idLink.extend({ lanes: z.array(z.string()) });
export type LanedLink = z.infer<typeof lanedLink>;

const lineSchema = z.discriminatedUnion('t', [
  z.object({ t: z.literal('operation'), operation: journalEntry }),
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

/** Parses the operation of a line written by `writeLine`. */
export const operationOf = (text: string): JournalOperation =>
  (JSON.parse(text.slice(9)) as { readonly operation: JournalOperation }).operation;

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

/** Finds line starts in text whose newlines may be lost. Cannot match inside a line, because quotes there are escaped. */
const START = /[0-9a-f]{8} \{"t":"/g;

/**
 * Recovers lines from bytes without a newline. A flipped bit in a newline joins two intact lines. Each candidate is checked by
 * its checksum, with and without its last byte, which may be the damaged newline.
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
  /** Bytes that are not a valid line, except for an incomplete last line. */
  readonly damaged: readonly Buffer[];
  /** Bytes after the last newline that are not a whole line, as a power cut during an append leaves them. */
  readonly unfinished: Buffer | null;
  /** True if the file does not end with a newline. */
  readonly torn: boolean;
}

/** Reads every intact line. Damage affects only the lines it touches. */
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
