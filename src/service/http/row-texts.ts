/**
 * The JSON of rows, kept from one list to the next as the bytes that go out. A text is used only while the state of its row, read from the database
 * with the page, is the one it was made of. Bounded by bytes; what was not used for longest goes first, and everything goes when no list
 * has been asked for in a while, and now and then in any case.
 */
import { hash } from 'node:crypto';
import type { FoundRow, ReadRow } from '../domain/page.ts';

/** A row as it goes out, and what it is known by: its hash. */
export interface RowText {
  readonly bytes: Buffer;
  readonly tag: string;
}

interface Kept extends RowText {
  readonly version: number;
  readonly updated_at: number;
  readonly names_version: number;
  used: boolean;
}

const BYTES_MAX = 24 * 1024 * 1024;
/** A longer text is worth its reading. */
const LENGTH_MAX = 64 * 1024;
/** What a kept text takes beside its bytes. */
const BESIDE = 400;
/** Milliseconds: without a list, and in all. */
const IDLE = 60_000;
const LONGEST = 600_000;

export const rowText = (text: string): RowText => {
  const bytes = Buffer.from(text);
  return { bytes, tag: hash('sha256', bytes, 'base64url') };
};

export interface RowTexts {
  /** Null where it must be read. */
  find(row: FoundRow, names_version: number): RowText | null;
  keep(row: ReadRow, text: RowText): void;
  clear(): void;
}

export const rowTexts = (): RowTexts => {
  const kept = new Map<number, Kept>();
  let size = 0;
  let asked = false;
  let timer: NodeJS.Timeout | undefined;
  let began = 0;

  const clear = (): void => {
    clearInterval(timer);
    timer = undefined;
    kept.clear();
    size = 0;
  };
  const look = (): void => {
    if (!asked || performance.now() - began >= LONGEST) clear();
    asked = false;
  };
  const sizeOf = ({ bytes }: RowText): number => bytes.length + BESIDE;

  /** Who was used since the last look stays for another. */
  const makeRoom = (): void => {
    for (const [id, one] of kept) {
      if (size <= BYTES_MAX) return;
      kept.delete(id);
      if (one.used) kept.set(id, { ...one, used: false });
      else size -= sizeOf(one);
    }
  };

  return {
    find: ([id, version, updated_at], names_version) => {
      asked = true;
      const one = kept.get(id);
      if (
        one?.version !== version ||
        one.updated_at !== updated_at ||
        one.names_version !== names_version
      )
        return null;
      one.used = true;
      return one;
    },
    keep: ({ id, version, updated_at, names_version }, text) => {
      if (text.bytes.length > LENGTH_MAX) return;
      if (timer === undefined) {
        began = performance.now();
        timer = setInterval(look, IDLE).unref();
      }
      const before = kept.get(id);
      if (before) size -= sizeOf(before);
      kept.set(id, { ...text, version, updated_at, names_version, used: false });
      size += sizeOf(text);
      makeRoom();
    },
    clear,
  };
};
