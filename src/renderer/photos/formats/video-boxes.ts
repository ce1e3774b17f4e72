/**
 * The boxes of MP4 and MOV that a player needs, read to their leaves (ISO/IEC 14496-12, QuickTime File Format). Indexes
 * of fragments, hints, encryption, clipping and languages are left out: a film plays without them.
 */
import { whole, type BoxRule, type BoxRules } from './boxes.ts';
import { colours, decoders } from './heif-boxes.ts';
import { latin1 } from './reader.ts';

const textOf = (view: DataView, from: number, to: number): string =>
  latin1(new Uint8Array(view.buffer, view.byteOffset, view.byteLength), from, to);

const fixed = (length: number): BoxRule => ({ length });
/** Boxes whose version 1 has longer times. */
const versioned = (short: number, long: number): BoxRule => ({
  length: (content) => (content.getUint8(0) === 1 ? long : short),
});
/** A head, the number of rows at its end, and the rows. */
const table = (row: number, head = 8): BoxRule => ({
  length: (content) => head + row * content.getUint32(head - 4),
});

/** The name of a handler follows its 24 bytes. */
const handler: BoxRule = { length: 24, unused: [[12, 24]] };

/** Groups of samples by what decoders need to start in the middle. The other kinds may hold anything. */
const isKnownGroup = (content: DataView): boolean =>
  ['roll', 'prol', 'rap ', 'sync'].includes(textOf(content, 4, 8));
const groups: BoxRules = {
  sbgp: {
    many: true,
    length(content) {
      if (!isKnownGroup(content)) return null;
      const head = content.getUint8(0) === 0 ? 12 : 16;
      return head + 8 * content.getUint32(head - 4);
    },
  },
  sgpd: {
    many: true,
    length(content) {
      const [version, size] = [content.getUint8(0), content.getUint32(8)];
      if (!isKnownGroup(content) || version !== 1 || size === 0 || size > 4) return null;
      return 16 + size * content.getUint32(12);
    },
  },
};

/** Where the data are: always in this file. An alias or a URL would name somebody's folders. */
const dataReference: BoxRule = { many: true, length: 4 };
const dataReferences: BoxRule = {
  inside: { dref: { length: 8, inside: { 'url ': dataReference, alis: dataReference } } },
};

/** MPEG-4: a descriptor that says its own length, seven bits in each byte. */
const descriptorLength = (content: DataView): number => {
  let at = 5;
  let length = 0;
  let byte: number;
  do {
    byte = content.getUint8(at);
    length = (length << 7) | (byte & 0x7f);
    at += 1;
  } while (byte >= 0x80 && at < 9);
  return at + length;
};

const terminator: BoxRules = { '\0\0\0\0': fixed(0) };
const sound: BoxRules = {
  esds: { length: descriptorLength },
  btrt: fixed(12),
  chan: table(20, 16),
  chnl: whole,
  srat: fixed(8),
  damr: fixed(9),
  dac3: fixed(3),
  dec3: whole,
  dac4: whole,
  mhaC: whole,
  dOps: {
    length: (content) => (content.getUint8(10) === 0 ? 11 : 13 + content.getUint8(1)),
  },
  dfLa: fixed(42),
  dapa: whole,
  pcmC: fixed(6),
  alac: { length: (content) => Math.min(content.byteLength, 52) },
  SA3D: table(4, 12),
  enda: fixed(2),
};
const soundEntry: BoxRules = {
  ...sound,
  wave: { inside: { ...sound, ...terminator, frma: fixed(4), mp4a: { length: () => 4 } } },
};

/** The two views of a spatial video, and how a video around the viewer is projected. */
const views: BoxRule = {
  inside: {
    eyes: {
      inside: {
        stri: fixed(5),
        hero: fixed(5),
        cams: { inside: { blin: fixed(8) } },
        cmfy: { inside: { dadj: fixed(8) } },
      },
    },
    proj: { inside: { prji: fixed(8) } },
    pack: { inside: { pkin: fixed(8) } },
  },
};
const picture: BoxRules = {
  ...decoders,
  colr: colours,
  esds: { length: descriptorLength },
  btrt: fixed(12),
  pasp: fixed(8),
  clap: fixed(32),
  fiel: fixed(2),
  gama: fixed(4),
  chrm: fixed(2),
  mdcv: fixed(24),
  clli: fixed(4),
  amve: fixed(8),
  ccst: fixed(8),
  vpcC: fixed(12),
  SmDm: fixed(28),
  CoLL: fixed(8),
  dvcC: fixed(24),
  dvvC: fixed(24),
  dvwC: fixed(24),
  d263: fixed(7),
  hfov: fixed(4),
  vexu: views,
  st3d: fixed(5),
  sv3d: {
    inside: { proj: { inside: { prhd: fixed(16), equi: fixed(20), cbmp: fixed(12) } } },
  },
};

/** QuickTime's later descriptions of sound are longer. The newer standard counts differently (`stsd` of version 1). */
const soundHead =
  (standard: number) =>
  (content: DataView): number => {
    const version = standard === 0 && content.byteLength >= 10 ? content.getUint16(8) : 0;
    return [28, 44, 64][version] ?? 28;
  };

const descriptions = (kind: string): BoxRule => {
  if (kind === 'soun')
    return {
      length: 8,
      inside: (content) => ({
        '*': { many: true, length: soundHead(content.getUint8(0)), inside: soundEntry },
      }),
    };
  // A timecode may have the name of a tape.
  if (kind === 'tmcd') return { length: 8, inside: { tmcd: { many: true, length: 26 } } };
  // Pascal text of 32 bytes: the name of a compressor.
  const name = [42, 74] as const;
  return {
    length: 8,
    inside: { '*': { many: true, length: 78, unused: [name], inside: picture } },
  };
};

const sampleTables = (kind: string): BoxRules => ({
  ...groups,
  stsd: descriptions(kind),
  stts: table(8),
  ctts: table(8),
  cslg: versioned(24, 44),
  stsc: table(12),
  stsz: {
    length: (content) => 12 + (content.getUint32(4) === 0 ? 4 * content.getUint32(8) : 0),
  },
  stz2: {
    length: (content) => 12 + Math.ceil((content.getUint8(7) * content.getUint32(8)) / 8),
  },
  stco: table(4),
  co64: table(8),
  stss: table(4),
  stps: table(4),
});

/** References to other tracks: small numbers, unlike text. */
const TRACK_MAX = 0xffff;
const trackNumbers: BoxRule = {
  length(content) {
    for (let at = 0; at < content.byteLength; at += 4)
      if (content.byteLength - at < 4 || content.getUint32(at) > TRACK_MAX) return null;
    return content.byteLength;
  },
};
const trackReferences: BoxRules = Object.fromEntries(
  'tmcd chap sync fall auxl vdep cdsc cdep folw forc clcp ssrc scpt'
    .split(' ')
    .map((type) => [type, trackNumbers]),
);

/** @param kind the type of the track's handler */
export const trackBoxes = (kind: string): BoxRules => ({
  tkhd: versioned(84, 96),
  edts: {
    inside: {
      elst: {
        length: (content) => 8 + (content.getUint8(0) === 1 ? 20 : 12) * content.getUint32(4),
      },
    },
  },
  tref: { inside: trackReferences },
  tapt: { inside: { clef: fixed(12), prof: fixed(12), enof: fixed(12) } },
  mdia: {
    inside: {
      mdhd: versioned(24, 36),
      hdlr: handler,
      minf: {
        inside: {
          vmhd: fixed(12),
          smhd: fixed(8),
          nmhd: fixed(4),
          gmhd: {
            inside: {
              gmin: fixed(16),
              text: fixed(36),
              tmcd: { inside: { tcmi: fixed(24) } },
            },
          },
          hdlr: handler,
          dinf: dataReferences,
          stbl: { inside: sampleTables(kind) },
        },
      },
    },
  },
});

export const movieBoxes: BoxRules = {
  mvhd: versioned(100, 112),
  trak: { many: true },
  mvex: { inside: { mehd: versioned(8, 12), trex: { many: true, length: 24 } } },
};

const bits = (flags: number, ...mask: readonly number[]): number =>
  mask.filter((bit) => (flags & bit) !== 0).length;

const fragment: BoxRules = {
  mfhd: fixed(8),
  traf: {
    many: true,
    inside: {
      ...groups,
      tfhd: {
        length(content) {
          const flags = content.getUint32(0);
          return 8 + 8 * bits(flags, 1) + 4 * bits(flags, 2, 8, 16, 32);
        },
      },
      tfdt: versioned(8, 12),
      trun: {
        many: true,
        length(content) {
          const flags = content.getUint32(0);
          const row = 4 * bits(flags, 0x100, 0x200, 0x400, 0x800);
          return 8 + 4 * bits(flags, 1, 4) + row * content.getUint32(4);
        },
      },
    },
  },
};

export const topBoxes: BoxRules = {
  ftyp: whole,
  moov: whole,
  mdat: { many: true },
  moof: { many: true, inside: fragment },
};
