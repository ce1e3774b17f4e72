/**
 * Caches the JSON of rows between lists, as bytes. A text is used only if the row's state, read with the page, equals the state
 * it was made from. Size is bounded: entries unused for longest are evicted first. The cache is cleared when no list was
 * requested for a while, and periodically in any case.
 */
import { hash } from 'node:crypto';
import type { FoundRow, ReadRow } from '../domain/page.ts';

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
/** Longer texts are not cached; they are read again. */
const LENGTH_MAX = 64 * 1024;
/** Estimated overhead of an entry besides its bytes. */
const BESIDE = 400;
/** Milliseconds until the cache is cleared: without a list (IDLE), and in any case (LONGEST). */
const IDLE = 60_000;
const LONGEST = 600_000;

export const rowText = (text: string): RowText => {
  const bytes = Buffer.from(text);
  return { bytes, tag: hash('sha256', bytes, 'base64url') };
};

export interface RowTexts {
  /** Null if the row must be read. */
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

  /** Second chance (clock algorithm): an entry used since the last pass stays for another. */
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
