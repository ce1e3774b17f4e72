/**
 * The boxes of HEIF that decoders need, read to their leaves (ISO/IEC 23008-12 and 14496-12, AV1 Image File Format).
 * Groups and references hold numbers only; names, alternative texts and everything unknown are left out.
 */
import { whole, type BoxRule, type BoxRules } from './boxes.ts';
import { latin1 } from './reader.ts';

const textOf = (view: DataView, from: number, to: number): string =>
  latin1(new Uint8Array(view.buffer, view.byteOffset, view.byteLength), from, to);

/** Colours: a known list of numbers, or an ICC profile as long as it says. */
export const colours: BoxRule = {
  many: true,
  length(content) {
    const kind = textOf(content, 0, 4);
    if (kind === 'nclx') return 11;
    if (kind === 'nclc') return 10;
    if (kind !== 'prof' && kind !== 'rICC') return null;
    return textOf(content, 40, 44) === 'acsp' ? 4 + content.getUint32(4) : null;
  },
};

/** The parameter sets of `hvcC` and its relatives: lists of lists after a head. */
const parameterSets =
  (head: number) =>
  (content: DataView): number => {
    let at = head + 1;
    for (let lists = content.getUint8(head); lists > 0; lists -= 1) {
      let sets = content.getUint16(at + 1);
      for (at += 3; sets > 0; sets -= 1) at += 2 + content.getUint16(at);
    }
    return at;
  };

/** H.264: sequence and picture parameter sets, then four bytes for the high profiles. */
const avcLength = (content: DataView): number => {
  let at = 6;
  for (let sets = content.getUint8(5) & 31; sets > 0; sets -= 1) at += 2 + content.getUint16(at);
  let sets = content.getUint8(at);
  for (at += 1; sets > 0; sets -= 1) at += 2 + content.getUint16(at);
  return Math.min(at + 4, content.byteLength);
};

/** What decoders need to know of coded pictures, in photos and videos. */
export const decoders: BoxRules = {
  avcC: { many: true, length: avcLength },
  hvcC: { many: true, length: parameterSets(22) },
  lhvC: { many: true, length: parameterSets(5) },
  av1C: { many: true },
  vvcC: { many: true },
  evcC: { many: true },
};

/** The auxiliary pictures that phones write: transparency, depth, gain maps and mattes. */
const AUXILIARY =
  /^urn:(?:mpeg:hevc:2015:auxid:\d{1,3}|mpeg:mpegB:cicp:systems:auxiliary:(?:alpha|depth)|com:apple:photo:20\d\d:aux:[a-z]{1,32})\0/;

const fixed = (length: number): BoxRule => ({ many: true, length });

/** Properties keep their places, because items refer to them by number. */
export const properties: BoxRules = {
  ...decoders,
  ispe: fixed(12),
  pixi: { many: true, length: (content) => 5 + content.getUint8(4) },
  colr: colours,
  pasp: fixed(8),
  clap: fixed(32),
  irot: fixed(1),
  imir: fixed(1),
  rloc: fixed(12),
  auxC: {
    many: true,
    length(content) {
      const kind = AUXILIARY.exec(textOf(content, 4, 100))?.[0];
      return kind === undefined ? null : 4 + kind.length;
    },
  },
  lsel: fixed(2),
  iscl: fixed(12),
  a1op: fixed(1),
  a1lx: { many: true, length: (content) => ((content.getUint8(0) & 1) === 1 ? 13 : 7) },
  clli: fixed(4),
  mdcv: fixed(24),
  amve: fixed(8),
};

const record = (types: string, rule: BoxRule): BoxRules =>
  Object.fromEntries(types.split(' ').map((type) => [type, rule]));

/** Which pictures belong together: numbers. */
const groups = record('altr ster eqiv brst tsyn favc pano', {
  many: true,
  length: (content) => 12 + 4 * content.getUint32(8),
});

/** References from an item to others, with numbers of two or four bytes. */
const references = (size: number): BoxRules =>
  record('dimg thmb auxl cdsc prem base exbl tbas fdel dpnd mask', {
    many: true,
    length: (content) => size + 2 + size * content.getUint16(size),
  });

/** "In this file": the only data reference of a photo. */
const OWN_DATA = '\0\0\0\x1cdref\0\0\0\0\0\0\0\x01\0\0\0\x0curl \0\0\0\x01';

export const metaBoxes: BoxRules = {
  // Its name is blanked, not zeroed, with those of the items.
  hdlr: {
    unused: [
      [4, 8],
      [12, 24],
    ],
  },
  pitm: { length: (content) => (content.getUint8(0) === 0 ? 6 : 8) },
  iinf: whole,
  iloc: whole,
  iprp: whole,
  iref: {
    length: 4,
    inside: (content) => references(content.getUint8(0) === 0 ? 2 : 4),
  },
  idat: whole,
  grpl: { inside: groups },
  dinf: {
    length: (content) =>
      textOf(content, 0, OWN_DATA.length + 1) === OWN_DATA ? OWN_DATA.length : null,
  },
};

export const topBoxes: BoxRules = { ftyp: whole, meta: whole, mdat: { many: true } };
