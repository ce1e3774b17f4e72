/** Reads the boxes of ISO base media files (HEIF, MP4, MOV). */
import { Damaged } from './inspection.ts';
import { latin1, piecesOf, viewOf, type Reader } from './reader.ts';

export interface Box {
  /** Empty for the bytes after the last box of a parent, which no box holds. */
  readonly type: string;
  /** First byte of its head. */
  readonly from: number;
  /** First byte of its content. */
  readonly body: number;
  /** The byte after it. */
  readonly to: number;
}

const HEAD = 16;
/** The most boxes in one parent. An hour in fragments has some thousands. */
const BOXES_MAX = 100_000;

/**
 * The boxes in [from, to). They cover it: bytes that belong to no box are listed last, as a box without a type.
 * @throws Damaged if a box exceeds its parent
 */
export const boxesIn = async (reader: Reader, from: number, to: number): Promise<Box[]> => {
  const found: Box[] = [];
  let at = from;
  while (at + 8 <= to) {
    if (found.length >= BOXES_MAX) throw new Damaged('more boxes than any file has');
    const head = await reader.at(at, HEAD);
    if (head.length < 8) throw new Damaged('cut off inside the head of a box');
    const view = viewOf(head);
    const type = latin1(head, 4, 8);
    const short = view.getUint32(0);
    if (short === 1 && head.length < HEAD) throw new Damaged('cut off inside the head of a box');
    const size = short === 0 ? to - at : short === 1 ? Number(view.getBigUint64(8)) : short;
    const body = at + (short === 1 ? 16 : 8);
    // QuickTime ends some lists with zeros. Readers stop there, so nothing after them is a box.
    if (short === 0 && type === '\0\0\0\0') break;
    if (at + size < body) throw new Damaged('a box smaller than its head');
    if (at + size > to) {
      // The data at the end of a truncated file: keep what is there.
      if (type !== 'mdat') throw new Damaged('a box larger than what holds it');
      found.push({ type, from: at, body, to });
      return found;
    }
    found.push({ type, from: at, body, to: at + size });
    at += size;
  }
  if (at < to) found.push({ type: '', from: at, body: at, to });
  return found;
};

/** A reader over bytes in memory, addressed by their offsets in the file. */
export const readerOver = (bytes: Uint8Array<ArrayBuffer>, offset: number): Reader => ({
  size: offset + bytes.length,
  at: (from, length) =>
    Promise.resolve(bytes.slice(Math.max(0, from - offset), Math.max(0, from - offset + length))),
});

/** Replaces the bytes [from, to) of a file. Null: zeros of the same length. */
export interface Patch {
  readonly from: number;
  readonly to: number;
  readonly bytes: Uint8Array<ArrayBuffer> | null;
}

const free = new TextEncoder().encode('free');

/** Turns a box into an empty `free` box, so that all other offsets stay valid. */
export const emptied = (box: Box): readonly Patch[] => [
  ...(box.type === '' ? [] : [{ from: box.from + 4, to: box.from + 8, bytes: free }]),
  { from: box.body, to: box.to, bytes: null },
];

const CHUNK = 256 * 1024;

const isZero = async (reader: Reader, from: number, to: number): Promise<boolean> => {
  for (let at = from; at < to; at += CHUNK)
    if ((await reader.at(at, Math.min(CHUNK, to - at))).some((byte) => byte !== 0)) return false;
  return true;
};

/** Zeroes [from, to) unless it is zero already. */
const zeroed = async (reader: Reader, from: number, to: number): Promise<readonly Patch[]> =>
  from >= to || (await isZero(reader, from, to)) ? [] : [{ from, to, bytes: null }];

/** What a player or decoder reads of a box. All other bytes in it are zeroed. */
export interface BoxRule {
  /** True if the parent may hold several. Of all other boxes only the first is kept. */
  readonly many?: boolean;
  /** The bytes that are read at the start of the content; null: not valid, so the box goes. Left out: all of them. */
  readonly length?: number | ((content: DataView) => number | null);
  /** Parts of these bytes that no reader needs, such as names. */
  readonly unused?: readonly (readonly [from: number, to: number])[];
  /** The rules of the boxes after these bytes. */
  readonly inside?: BoxRules | ((content: DataView) => BoxRules);
}
/** Rules by type; `*` is for all types that are not listed. A box without a rule goes. */
export type BoxRules = Readonly<Record<string, BoxRule>>;

/** A box that is kept as it is. */
export const whole: BoxRule = {};

/** The most bytes of a box that a rule reads. */
const RULE_BYTES = 64 * 1024;
/** The most patches: a camera's location track has one sample per second. */
const PATCHES_MAX = 100_000;

/** The patches inside one box; null if the box goes. */
const tidyBox = async (reader: Reader, box: Box, rule: BoxRule): Promise<Patch[] | null> => {
  const size = box.to - box.body;
  const patches: Patch[] = [];
  const content = async () => viewOf(await reader.at(box.body, Math.min(size, RULE_BYTES)));
  const { length = rule.inside === undefined ? size : 0, unused = [], inside } = rule;
  const used = typeof length === 'number' ? length : length(await content());
  if (used === null || ((typeof length === 'number' || inside !== undefined) && used > size))
    return null;
  for (const [from, to] of unused)
    for (const patch of await zeroed(reader, box.body + from, box.body + Math.min(to, used)))
      patches.push(patch);
  if (inside === undefined) {
    patches.push(...(await zeroed(reader, box.body + used, box.to)));
    return patches;
  }
  const rules = typeof inside === 'function' ? inside(await content()) : inside;
  const children = await boxesIn(reader, box.body + used, box.to);
  for (const patch of (await tidy(reader, children, rules)).patches) patches.push(patch);
  return patches;
};

const ruleFor = (rules: BoxRules, { type }: Box): BoxRule | undefined => {
  if (type === '') return undefined;
  return Object.hasOwn(rules, type) ? rules[type] : rules['*'];
};

/** Padding: nothing but zeros. */
const isPadding = async (reader: Reader, { type, body, to }: Box): Promise<boolean> =>
  ['free', 'skip', 'junk', 'wide', '\0\0\0\0', ''].includes(type) && isZero(reader, body, to);

interface Tidied {
  readonly patches: readonly Patch[];
  /** The boxes that became empty. */
  readonly dropped: readonly Box[];
}

/** Empties boxes without a rule and second copies, and zeroes what no reader needs of the others. */
export const tidy = async (
  reader: Reader,
  boxes: readonly Box[],
  rules: BoxRules,
): Promise<Tidied> => {
  const patches: Patch[] = [];
  const dropped: Box[] = [];
  const seen = new Set<string>();
  for (const box of boxes) {
    const rule = ruleFor(rules, box);
    const kept =
      rule !== undefined && (rule.many === true || !seen.has(box.type))
        ? await tidyBox(reader, box, rule)
        : null;
    seen.add(box.type);
    if (kept === null && (await isPadding(reader, box))) continue;
    if (kept === null) dropped.push(box);
    for (const patch of kept ?? emptied(box)) patches.push(patch);
    if (patches.length > PATCHES_MAX) throw new Damaged('more boxes than a file has');
  }
  return { patches, dropped };
};

/** The start of the boxes to drop at the end of the file; the file's size if the last box stays. */
const cutFrom = (top: readonly Box[], dropped: readonly Box[], size: number): number => {
  const going = new Set(dropped);
  let cut = size;
  for (const box of top.toReversed()) {
    if (!going.has(box)) break;
    cut = box.from;
  }
  return cut;
};

/** Like `tidy` for a file's own boxes, but cuts off the last ones instead of emptying them. */
export const tidyTop = async (
  reader: Reader,
  top: readonly Box[],
  rules: BoxRules,
): Promise<readonly Patch[]> => {
  const { patches, dropped } = await tidy(reader, top, rules);
  const cut = cutFrom(top, dropped, reader.size);
  return cut === reader.size
    ? patches
    : [
        ...patches.filter(({ from }) => from < cut),
        { from: cut, to: reader.size, bytes: new Uint8Array() },
      ];
};

export interface Extent {
  readonly from: number;
  readonly length: number;
}

/** The parts that the extents cover, in order and without overlaps. */
const covered = (extents: readonly Extent[]): readonly { from: number; to: number }[] => {
  const parts: { from: number; to: number }[] = [];
  for (const { from, length } of extents.toSorted((a, b) => a.from - b.from)) {
    const last = parts.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, from + length);
    else parts.push({ from, to: from + length });
  }
  return parts;
};

/** Zeroes the non-zero bytes in these parts of a file that nothing references. */
export const cleanGaps = async (
  reader: Reader,
  parts: readonly Pick<Box, 'body' | 'to'>[],
  named: readonly Extent[],
): Promise<Patch[]> => {
  const patches: Patch[] = [];
  const addGap = async (from: number, to: number): Promise<void> => {
    if (from >= to) return;
    // After the first one the file changes anyway, and reading every gap would read most of a video.
    if (patches.length > 0) patches.push({ from, to, bytes: null });
    else patches.push(...(await zeroed(reader, from, to)));
    if (patches.length > PATCHES_MAX) throw new Damaged('more gaps than a file has');
  };
  const used = covered(named);
  let next = 0;
  for (const { body, to } of parts.toSorted((a, b) => a.body - b.body)) {
    let at = body;
    while (next < used.length && (used[next]?.to ?? 0) <= body) next += 1;
    for (let index = next; index < used.length; index += 1) {
      const extent = used[index];
      if (extent === undefined || extent.from >= to) break;
      await addGap(at, extent.from);
      at = Math.max(at, extent.to);
    }
    await addGap(at, to);
  }
  return patches;
};

/** Applies the patches to a file. @throws Damaged if two patches overlap */
export const apply = (file: Blob, patches: readonly Patch[]): Blob => {
  const out = piecesOf(file);
  let at = 0;
  for (const patch of [...patches].sort((a, b) => a.from - b.from)) {
    if (patch.from < at || patch.to > file.size) throw new Damaged('parts that overlap');
    out.keep(at, patch.from);
    if (patch.bytes === null) out.zeros(patch.to - patch.from);
    else out.put(patch.bytes);
    at = patch.to;
  }
  out.keep(at, file.size);
  return out.blob(file.type);
};
