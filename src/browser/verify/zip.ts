/**
 * Reads a ZIP from anywhere, for `spotter verify`. It unpacks nothing to the disk, reads piece by piece, and refuses what two programs
 * could read differently: entries that overlap, leave a gap, or have another name in their own header. Sizes are bounded by the caller.
 */
import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';

/** Bytes of a file. */
export interface Source {
  readonly size: number;
  /** Fewer bytes only at the end. */
  read(offset: number, length: number): Promise<Buffer>;
}

export interface ZipEntry {
  readonly name: string;
  /** As the directory says; `readEntry` checks it. */
  readonly size: number;
  readonly packed: number;
  readonly method: 0 | 8;
  readonly crc: number;
  /** Of the local header. */
  readonly offset: number;
}

/** The file is no ZIP that can be trusted to say one thing; the message says why. */
export class BadZip extends Error {
  override readonly name = 'BadZip';
}

const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;

const END_BYTES = 22;
const LOCATOR_BYTES = 20;
const END_64_BYTES = 56;
const CENTRAL_BYTES = 46;
const LOCAL_BYTES = 30;
const DIRECTORY_MAX = 8 * 1024 * 1024;
const CHUNK = 256 * 1024;

const ENCRYPTED = 0x1;
const DESCRIPTOR = 0x8;
/** Sizes of a data descriptor: with or without signature, 32 or 64 bits. */
const DESCRIPTORS: readonly number[] = [0, 12, 16, 20, 24];

const whole = async (source: Source, offset: number, length: number): Promise<Buffer> => {
  const bytes = offset < 0 ? Buffer.alloc(0) : await source.read(offset, length);
  if (bytes.length !== length) throw new BadZip('the file ends too early');
  return bytes;
};

/** @throws BadZip for a number that JavaScript cannot hold, which is no size of a file */
const number64 = (bytes: Buffer, at: number): number => {
  if (at + 8 > bytes.length) throw new BadZip('a 64-bit size is missing');
  const value = bytes.readBigUInt64LE(at);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new BadZip('a size is too large');
  return Number(value);
};

interface Directory {
  readonly count: number;
  readonly size: number;
  readonly offset: number;
  /** Where the records after the directory begin. */
  readonly end: number;
}

const directoryOf = async (source: Source): Promise<Directory> => {
  const at = source.size - END_BYTES;
  const end = await whole(source, at, END_BYTES);
  // A comment would be bytes that nothing signs.
  if (end.readUInt32LE(0) !== END || end.readUInt16LE(20) !== 0)
    throw new BadZip('it is no ZIP, or something follows its end');
  if (end.readUInt16LE(4) !== 0 || end.readUInt16LE(6) !== 0)
    throw new BadZip('it is one part of several');
  const [count, size, offset] = [end.readUInt16LE(10), end.readUInt32LE(12), end.readUInt32LE(16)];
  if (end.readUInt16LE(8) !== count) throw new BadZip('it is one part of several');
  if (count !== 0xffff && size !== 0xffffffff && offset !== 0xffffffff)
    return { count, size, offset, end: at };
  const locator = await whole(source, at - LOCATOR_BYTES, LOCATOR_BYTES);
  if (locator.readUInt32LE(0) !== LOCATOR_64) throw new BadZip('its directory is not found');
  const at64 = number64(locator, 8);
  const end64 = await whole(source, at64, END_64_BYTES);
  if (end64.readUInt32LE(0) !== END_64 || at64 + END_64_BYTES !== at - LOCATOR_BYTES)
    throw new BadZip('its directory is not found');
  return {
    count: number64(end64, 32),
    size: number64(end64, 40),
    offset: number64(end64, 48),
    end: at64,
  };
};

/** Takes the 64-bit values of an entry's extra field, in the order in which the header lacks them. */
const sizes64 = (extra: Buffer, lacking: readonly boolean[]): (number | null)[] => {
  if (!lacking.includes(true)) return lacking.map(() => null);
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let next = at + 4;
    return lacking.map((one) => {
      if (!one) return null;
      next += 8;
      return number64(extra, next - 8);
    });
  }
  throw new BadZip('a 64-bit size is missing');
};

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const nameOf = (bytes: Buffer): string => {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new BadZip('a file has a name that is no UTF-8');
  }
};

interface Parsed {
  readonly entry: ZipEntry;
  readonly flags: number;
  readonly next: number;
}

const entryAt = (bytes: Buffer, at: number): Parsed => {
  if (at + CENTRAL_BYTES > bytes.length || bytes.readUInt32LE(at) !== CENTRAL)
    throw new BadZip('its directory is damaged');
  const [flags, method] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10)];
  if ((flags & ENCRYPTED) !== 0) throw new BadZip('a file in it is encrypted');
  if (method !== 0 && method !== 8) throw new BadZip('a file in it is packed in an unknown way');
  const [names, extras, comments] = [28, 30, 32].map((one) => bytes.readUInt16LE(at + one)) as [
    number,
    number,
    number,
  ];
  const from = at + CENTRAL_BYTES;
  const next = from + names + extras + comments;
  if (next > bytes.length) throw new BadZip('its directory is damaged');
  const [packed, size, offset] = [20, 24, 42].map((one) => bytes.readUInt32LE(at + one)) as [
    number,
    number,
    number,
  ];
  const full = 0xffffffff;
  const [size64, packed64, offset64] = sizes64(
    bytes.subarray(from + names, from + names + extras),
    [size === full, packed === full, offset === full],
  );
  const entry: ZipEntry = {
    name: nameOf(bytes.subarray(from, from + names)),
    size: size64 ?? size,
    packed: packed64 ?? packed,
    method,
    crc: bytes.readUInt32LE(at + 16),
    offset: offset64 ?? offset,
  };
  if (method === 0 && entry.size !== entry.packed)
    throw new BadZip(`${JSON.stringify(entry.name)} has two sizes`);
  return { entry, flags, next };
};

/** Where the bytes of an entry begin. */
const startOf = async (source: Source, entry: ZipEntry): Promise<number> => {
  const { name, offset, method } = entry;
  const head = await whole(source, offset, LOCAL_BYTES);
  if (head.readUInt32LE(0) !== LOCAL || head.readUInt16LE(8) !== method)
    throw new BadZip(`${JSON.stringify(name)} is not where the directory says`);
  const names = head.readUInt16LE(26);
  const own = await whole(source, offset + LOCAL_BYTES, names);
  if (!own.equals(Buffer.from(name)))
    throw new BadZip(`${JSON.stringify(name)} has another name in its own header`);
  // 0: a descriptor follows; all bits: an extra field has it. A program that streams believes these.
  const agree = (at: number, value: number): boolean =>
    [0, value, 0xffffffff].includes(head.readUInt32LE(at));
  if (!agree(14, entry.crc) || !agree(18, entry.packed) || !agree(22, entry.size))
    throw new BadZip(`${JSON.stringify(name)} has two sizes`);
  return offset + LOCAL_BYTES + names + head.readUInt16LE(28);
};

/** The entries must cover the file from its first byte to the directory. */
const checkTiling = async (
  source: Source,
  parsed: readonly Parsed[],
  directory: Directory,
): Promise<void> => {
  const sorted = parsed.toSorted((a, b) => a.entry.offset - b.entry.offset);
  let at = 0;
  for (const [index, { entry, flags }] of sorted.entries()) {
    if (entry.offset !== at) throw new BadZip('its files overlap or leave a gap');
    const end = (await startOf(source, entry)) + entry.packed;
    at = sorted[index + 1]?.entry.offset ?? directory.offset;
    const allowed = (flags & DESCRIPTOR) === 0 ? [0] : DESCRIPTORS;
    if (!allowed.includes(at - end)) throw new BadZip('its files overlap or leave a gap');
  }
  if (at !== directory.offset) throw new BadZip('its files overlap or leave a gap');
};

/** @throws BadZip */
export const readDirectory = async (
  source: Source,
  entries_max: number,
): Promise<readonly ZipEntry[]> => {
  const directory = await directoryOf(source);
  const { count, size, offset, end } = directory;
  if (count > entries_max) throw new BadZip(`it has ${count} files, more than ${entries_max}`);
  if (size > DIRECTORY_MAX) throw new BadZip('its directory is too large');
  if (offset + size !== end) throw new BadZip('its directory is not where it should be');
  const bytes = await whole(source, offset, size);
  const parsed: Parsed[] = [];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    const one = entryAt(bytes, at);
    parsed.push(one);
    at = one.next;
  }
  if (at !== size) throw new BadZip('its directory is damaged');
  await checkTiling(source, parsed, directory);
  return parsed.map(({ entry }) => entry);
};

async function* packedBytes(source: Source, entry: ZipEntry): AsyncGenerator<Buffer> {
  const start = await startOf(source, entry);
  for (let at = 0; at < entry.packed; at += CHUNK)
    yield await whole(source, start + at, Math.min(CHUNK, entry.packed - at));
}

/** The unpacked bytes, never more than the directory announces. @throws BadZip */
export async function* readEntry(source: Source, entry: ZipEntry): AsyncGenerator<Buffer> {
  const packed = packedBytes(source, entry);
  const inflate = entry.method === 0 ? null : createInflateRaw({ chunkSize: CHUNK });
  // An error of the source destroys `inflate`, and is thrown where it is read.
  if (inflate) pipeline(Readable.from(packed), inflate, () => undefined);
  let size = 0;
  let crc = 0;
  try {
    for await (const chunk of (inflate ?? packed) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > entry.size) break;
      crc = crc32(chunk, crc);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof BadZip) throw error;
    throw new BadZip(`${JSON.stringify(entry.name)} cannot be unpacked`);
  }
  const unread = inflate !== null && inflate.bytesWritten !== entry.packed;
  if (size !== entry.size || crc !== entry.crc || unread)
    throw new BadZip(`${JSON.stringify(entry.name)} is not what the directory says`);
}
