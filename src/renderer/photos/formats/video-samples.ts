/** Where the samples of a track are in the file. Bytes that no sample uses may hold anything. */
import { boxesIn, type Box, type Extent } from './boxes.ts';
import { Damaged } from './inspection.ts';
import { viewOf, type Reader } from './reader.ts';

const TABLE_MAX = 16 * 1024 * 1024;
const CHUNKS_MAX = 1_000_000;

export interface Chunk extends Extent {
  /** The most bytes that a player may read from there, if that depends on the player. */
  readonly most: number;
}

const table = async (reader: Reader, box: Box | undefined): Promise<DataView | null> => {
  if (box === undefined) return null;
  if (box.to - box.body > TABLE_MAX) throw new Damaged('a table too large for its track');
  return viewOf(await reader.at(box.body, box.to - box.body));
};

/** Bytes of one value of uncompressed sound, where the description says 16 bits for all of them. */
const widths: Readonly<Record<string, number>> = { in24: 3, in32: 4, fl32: 4, fl64: 8 };

/**
 * The most bytes of one sample of sound whose samples all have one size: old files say one byte for each, whatever it
 * is, and players calculate it from the description.
 */
const soundSize = async (reader: Reader, stsd: Box | undefined, size: number): Promise<number> => {
  let most = size;
  for (const entry of stsd === undefined ? [] : await boxesIn(reader, stsd.body + 8, stsd.to)) {
    const bytes = await reader.at(entry.body, Math.min(44, entry.to - entry.body));
    if (bytes.length < 28) continue;
    const view = viewOf(bytes);
    const width = widths[entry.type] ?? Math.ceil(view.getUint16(18) / 8);
    most = Math.max(most, view.getUint16(16) * width);
    if (view.getUint16(8) === 1 && bytes.length === 44)
      most = Math.max(most, view.getUint32(36) / Math.max(1, view.getUint32(28)));
  }
  return most;
};

interface Sizes {
  readonly count: number;
  readonly of: (sample: number) => number;
  /** The size of all samples; 0 if each has its own. */
  readonly same: number;
}

const sizesOf = (stsz: DataView | null, stz2: DataView | null): Sizes => {
  if (stsz !== null) {
    const same = stsz.getUint32(4);
    return { count: stsz.getUint32(8), same, of: (sample) => stsz.getUint32(12 + sample * 4) };
  }
  if (stz2 === null) throw new Damaged('a track without tables');
  const bits = stz2.getUint8(7);
  const of = (sample: number): number => {
    if (bits === 16) return stz2.getUint16(12 + sample * 2);
    if (bits === 8) return stz2.getUint8(12 + sample);
    const both = stz2.getUint8(12 + (sample >> 1));
    return sample % 2 === 0 ? both >> 4 : both & 15;
  };
  return { count: stz2.getUint32(8), same: 0, of };
};

/** The chunks of a track, from its tables. */
export const chunksOf = async (
  reader: Reader,
  stbl: readonly Box[],
  kind: string,
): Promise<Chunk[]> => {
  const find = (type: string) => stbl.find((box) => box.type === type);
  const wide = find('co64');
  const offsets = await table(reader, find('stco') ?? wide);
  const groups = await table(reader, find('stsc'));
  if (offsets === null || groups === null) throw new Damaged('a track without tables');
  const isWide = find('stco') === undefined;
  const sizes = sizesOf(await table(reader, find('stsz')), await table(reader, find('stz2')));
  const most =
    sizes.same > 0 && kind === 'soun' ? await soundSize(reader, find('stsd'), sizes.same) : 0;
  const chunks = offsets.getUint32(4);
  const groupCount = groups.getUint32(4);
  if (chunks > CHUNKS_MAX) throw new Damaged('more chunks than a track has');
  const found: Chunk[] = [];
  let sample = 0;
  let group = 0;
  for (let chunk = 1; chunk <= chunks && sample < sizes.count; chunk += 1) {
    while (group + 1 < groupCount && groups.getUint32(8 + (group + 1) * 12) <= chunk) group += 1;
    const samples = Math.min(groups.getUint32(8 + group * 12 + 4), sizes.count - sample);
    let length = sizes.same * samples;
    if (sizes.same === 0)
      for (let left = 0; left < samples; left += 1) length += sizes.of(sample + left);
    sample += samples;
    const at = 8 + (chunk - 1) * (isWide ? 8 : 4);
    const from = isWide ? Number(offsets.getBigUint64(at)) : offsets.getUint32(at);
    if (length > 0) found.push({ from, length, most: Math.max(length, Math.ceil(most * samples)) });
  }
  return found;
};

/** The usual size of each track's samples in fragments (`trex`). */
export const usualSizes = async (
  reader: Reader,
  movie: readonly Box[],
): Promise<ReadonlyMap<number, number>> => {
  const sizes = new Map<number, number>();
  const mvex = movie.find((box) => box.type === 'mvex');
  for (const { type, body } of mvex === undefined ? [] : await boxesIn(reader, mvex.body, mvex.to))
    if (type === 'trex') {
      const view = viewOf(await reader.at(body, 24));
      sizes.set(view.getUint32(4), view.getUint32(16));
    }
  return sizes;
};

/** The samples of one run, which begin at `next` unless it says where. */
const runOf = (run: DataView, base: number, next: number, usual: number): Chunk => {
  const flags = run.getUint32(0);
  const count = run.getUint32(4);
  const from = (flags & 1) === 0 ? next : base + run.getInt32(8);
  const has = (flag: number) => ((flags & flag) === 0 ? 0 : 4);
  const first = 8 + has(1) + has(4) + has(0x100);
  const row = has(0x100) + has(0x200) + has(0x400) + has(0x800);
  let length = usual * count;
  if (has(0x200) > 0) {
    length = 0;
    for (let sample = 0; sample < count; sample += 1) length += run.getUint32(first + sample * row);
  }
  return { from, length, most: length };
};

/** The samples of a fragment. */
export const samplesOfFragment = async (
  reader: Reader,
  moof: Box,
  usual: ReadonlyMap<number, number>,
): Promise<Chunk[]> => {
  const found: Chunk[] = [];
  let end = moof.from;
  for (const traf of await boxesIn(reader, moof.body, moof.to)) {
    if (traf.type !== 'traf') continue;
    const inner = await boxesIn(reader, traf.body, traf.to);
    const head = await table(
      reader,
      inner.find((box) => box.type === 'tfhd'),
    );
    if (head === null) throw new Damaged('a fragment without a head');
    const flags = head.getUint32(0);
    const own = (flags & 1) === 0 ? 0 : 8;
    const skipped = ((flags & 2) === 0 ? 0 : 4) + ((flags & 8) === 0 ? 0 : 4);
    const sizeAt = 8 + own + skipped;
    const size = (flags & 16) === 0 ? (usual.get(head.getUint32(4)) ?? 0) : head.getUint32(sizeAt);
    const start = (flags & 0x20000) === 0 ? end : moof.from;
    const base = own === 0 ? start : Number(head.getBigUint64(8));
    let next = base;
    for (const box of inner) {
      const run = box.type === 'trun' ? await table(reader, box) : null;
      if (run === null) continue;
      const chunk = runOf(run, base, next, size);
      next = chunk.from + chunk.length;
      if (chunk.length > 0) found.push(chunk);
      if (found.length > CHUNKS_MAX) throw new Damaged('more chunks than a track has');
    }
    end = next;
  }
  return found;
};
