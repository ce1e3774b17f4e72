/**
 * Reads a ZIP from anywhere, for `spotter verify`. It unpacks nothing to the disk, reads piece by piece, and refuses what two programs
 * could read differently: entries that overlap, leave a gap, are links, or say something else in their own header; a second directory;
 * comments and unknown extra fields, where other content could hide. Sizes are bounded by the caller.
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
  readonly flags: number;
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
/** Besides a descriptor: how hard the bytes were packed, and that names are UTF-8. */
const FLAGS = DESCRIPTOR | 0x806;
const DESCRIPTOR_MARK = 0x08074b50;
const ZIP_64 = 0x1;
/** Extra fields that zip programs write, and their longest form: sizes, times and owners. Another one could name a file anew. */
const EXTRAS: ReadonlyMap<number, number> = new Map([
  [ZIP_64, 28],
  [0x000a, 32],
  [0x5455, 13],
  [0x5855, 12],
  [0x7855, 4],
  [0x7875, 24],
]);
/** Kinds of a file in the attributes of Unix, and the mark of a folder in those of DOS. */
const [UNIX_FILE, UNIX_FOLDER, DOS_FOLDER] = [0x8000, 0x4000, 0x10];

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
  const locator = await whole(source, Math.max(0, at - LOCATOR_BYTES), LOCATOR_BYTES);
  const located = locator.readUInt32LE(0) === LOCATOR_64;
  if (count !== 0xffff && size !== 0xffffffff && offset !== 0xffffffff) {
    // Some programs follow a locator whatever the end says.
    if (located) throw new BadZip('it has two directories');
    return { count, size, offset, end: at };
  }
  if (!located) throw new BadZip('its directory is not found');
  const at64 = number64(locator, 8);
  const end64 = await whole(source, at64, END_64_BYTES);
  if (end64.readUInt32LE(0) !== END_64 || at64 + END_64_BYTES !== at - LOCATOR_BYTES)
    throw new BadZip('its directory is not found');
  const directory = {
    count: number64(end64, 32),
    size: number64(end64, 40),
    offset: number64(end64, 48),
    end: at64,
  };
  const agree =
    [0xffff, directory.count].includes(count) &&
    [0xffffffff, directory.size].includes(size) &&
    [0xffffffff, directory.offset].includes(offset);
  if (!agree || number64(end64, 24) !== directory.count) throw new BadZip('it has two directories');
  return directory;
};

/** The extra fields of a header. @throws BadZip for one that is not known */
const extrasOf = (bytes: Buffer): ReadonlyMap<number, Buffer> => {
  const extras = new Map<number, Buffer>();
  for (let at = 0; at < bytes.length;) {
    const id = at + 4 <= bytes.length ? bytes.readUInt16LE(at) : -1;
    const end = id < 0 ? 0 : at + 4 + bytes.readUInt16LE(at + 2);
    const most = EXTRAS.get(id);
    if (most === undefined || extras.has(id) || end > bytes.length || end - at - 4 > most)
      throw new BadZip('a file in it has an extra field that could hide something');
    extras.set(id, bytes.subarray(at + 4, end));
    at = end;
  }
  return extras;
};

/** Takes the 64-bit values of an entry's extra field, in the order in which the header lacks them. */
const sizes64 = (extra: Buffer, lacking: readonly boolean[]): (number | null)[] => {
  const values = extrasOf(extra).get(ZIP_64);
  if (!lacking.includes(true)) return lacking.map(() => null);
  if (!values) throw new BadZip('a 64-bit size is missing');
  let next = 0;
  return lacking.map((one) => {
    if (!one) return null;
    next += 8;
    return number64(values, next - 8);
  });
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
  readonly next: number;
}

const entryAt = (bytes: Buffer, at: number): Parsed => {
  if (at + CENTRAL_BYTES > bytes.length || bytes.readUInt32LE(at) !== CENTRAL)
    throw new BadZip('its directory is damaged');
  const [flags, method] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10)];
  if ((flags & ENCRYPTED) !== 0) throw new BadZip('a file in it is encrypted');
  if ((flags & ~FLAGS) !== 0) throw new BadZip('a file in it is packed in an unknown way');
  if (method !== 0 && method !== 8) throw new BadZip('a file in it is packed in an unknown way');
  const [names, extras, comments] = [28, 30, 32].map((one) => bytes.readUInt16LE(at + one)) as [
    number,
    number,
    number,
  ];
  // A comment would be a text that nothing signs.
  if (comments !== 0) throw new BadZip('a file in it has a comment');
  if (bytes.readUInt16LE(at + 34) !== 0) throw new BadZip('it is one part of several');
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
    flags,
    crc: bytes.readUInt32LE(at + 16),
    offset: offset64 ?? offset,
  };
  const isFolder = entry.name.endsWith('/');
  const kind = bytes.readUInt16LE(at + 40) & 0xf000;
  const marked = (bytes.readUInt8(at + 38) & DOS_FOLDER) !== 0;
  if (![0, isFolder ? UNIX_FOLDER : UNIX_FILE].includes(kind) || (marked && !isFolder))
    throw new BadZip('a file in it is a link, or no file');
  if (method === 0 && entry.size !== entry.packed)
    throw new BadZip(`${JSON.stringify(entry.name)} has two sizes`);
  return { entry, next };
};

/** Where the bytes of an entry begin. Its own header must say what the directory says: a program that streams believes it. */
const startOf = async (source: Source, entry: ZipEntry): Promise<number> => {
  const { name, offset, method, flags } = entry;
  const head = await whole(source, offset, LOCAL_BYTES);
  const isHere = head.readUInt32LE(0) === LOCAL && head.readUInt16LE(8) === method;
  if (!isHere || head.readUInt16LE(6) !== flags)
    throw new BadZip(`${JSON.stringify(name)} is not where the directory says`);
  const names = head.readUInt16LE(26);
  const own = await whole(source, offset + LOCAL_BYTES, names);
  if (!own.equals(Buffer.from(name)))
    throw new BadZip(`${JSON.stringify(name)} has another name in its own header`);
  const start = offset + LOCAL_BYTES + names + head.readUInt16LE(28);
  const extra = await whole(source, offset + LOCAL_BYTES + names, head.readUInt16LE(28));
  const [size, packed] = [head.readUInt32LE(22), head.readUInt32LE(18)];
  const [size64, packed64] = sizes64(extra, [size === 0xffffffff, packed === 0xffffffff]);
  const agree = (said: number, value: number): boolean =>
    said === value || (said === 0 && (flags & DESCRIPTOR) !== 0);
  if (
    !agree(head.readUInt32LE(14), entry.crc) ||
    !agree(size64 ?? size, entry.size) ||
    !agree(packed64 ?? packed, entry.packed)
  )
    throw new BadZip(`${JSON.stringify(name)} has two sizes`);
  return start;
};

/** What follows the bytes of an entry, with or without a mark, in 32 or 64 bits. */
const isDescriptor = (bytes: Buffer, { crc, packed, size }: ZipEntry): boolean => {
  const marked = bytes.length === 16 || bytes.length === 24;
  if (marked && bytes.readUInt32LE(0) !== DESCRIPTOR_MARK) return false;
  const rest = bytes.subarray(marked ? 4 : 0);
  if (rest.length !== 12 && rest.length !== 20) return false;
  const sizes =
    rest.length === 12
      ? [rest.readUInt32LE(4), rest.readUInt32LE(8)]
      : [number64(rest, 4), number64(rest, 12)];
  return rest.readUInt32LE(0) === crc && sizes[0] === packed && sizes[1] === size;
};

/** The entries must cover the file from its first byte to the directory. */
const checkTiling = async (
  source: Source,
  entries: readonly ZipEntry[],
  directory: Directory,
): Promise<void> => {
  const sorted = entries.toSorted((a, b) => a.offset - b.offset);
  let at = 0;
  for (const [index, entry] of sorted.entries()) {
    if (entry.offset !== at) throw new BadZip('its files overlap or leave a gap');
    const end = (await startOf(source, entry)) + entry.packed;
    at = sorted[index + 1]?.offset ?? directory.offset;
    const rest = at - end;
    const fits =
      (entry.flags & DESCRIPTOR) === 0
        ? rest === 0
        : rest > 0 && rest <= 24 && isDescriptor(await whole(source, end, rest), entry);
    if (!fits) throw new BadZip('its files overlap or leave a gap');
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
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    const { entry, next } = entryAt(bytes, at);
    entries.push(entry);
    at = next;
  }
  if (at !== size) throw new BadZip('its directory is damaged');
  await checkTiling(source, entries, directory);
  return entries;
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
