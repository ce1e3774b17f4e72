/**
 * MP4 and MOV: descriptive boxes (places, names, the maker's own) become empty boxes of the same length. Pictures and
 * sound keep their offsets, and a file of two gigabytes is never copied in memory. Tracks other than picture, sound and
 * timecode (such as a phone's location track) are emptied with their samples.
 */
import { apply, boxesIn, emptied, unlisted, type Box, type Patch } from './boxes.ts';
import { Damaged, type FormatFacts } from './inspection.ts';
import { latin1, viewOf, type Reader } from './reader.ts';
import { factsOf } from './video-facts.ts';

const top = new Set(['ftyp', 'moov', 'mdat', 'moof', 'sidx', 'ssix', 'mfra', 'styp', 'prft']);
const inMovie = new Set(['mvhd', 'trak', 'mvex', 'iods', 'clip', 'ctab', 'prfl']);
const inTrack = new Set([
  'tkhd',
  'mdia',
  'edts',
  'tref',
  'tapt',
  'load',
  'clip',
  'matt',
  'txas',
  'prfl',
  'trgr',
]);
const inMedia = new Set(['mdhd', 'hdlr', 'minf', 'elng']);
const inInformation = new Set([
  'vmhd',
  'smhd',
  'gmhd',
  'hmhd',
  'nmhd',
  'sthd',
  'dinf',
  'stbl',
  'hdlr',
]);
/** The known children of container boxes, below the tracks and in fragments. */
const inside: Readonly<Record<string, ReadonlySet<string>>> = {
  stbl: new Set(
    'stsd stts ctts cslg stsc stsz stz2 stco co64 stss stps stsh padb stdp sdtp sbgp sgpd subs saiz saio'.split(
      ' ',
    ),
  ),
  dinf: new Set(['dref']),
  edts: new Set(['elst']),
  mvex: new Set(['mehd', 'trex', 'leva', 'trep']),
  mfra: new Set(['tfra', 'mfro']),
  moof: new Set(['mfhd', 'traf']),
  traf: new Set('tfhd tfdt trun sdtp sbgp sgpd subs saiz saio'.split(' ')),
};
const tracks = new Set(['vide', 'soun', 'tmcd', 'pict', 'auxv', 'hint']);
const TABLE_MAX = 16 * 1024 * 1024;
const SAMPLES_MAX = 2_000_000;
/** The most patches: a camera's location track has one sample per second. */
const PATCHES_MAX = 100_000;

/** Empties unlisted boxes, and unlisted children of known containers (`inside`). */
const emptyUnlisted = async (
  reader: Reader,
  boxes: readonly Box[],
  known: ReadonlySet<string>,
): Promise<Patch[]> => {
  const patches = (await unlisted(reader, boxes, known)).flatMap((box) => emptied(box));
  for (const { type, body, to } of boxes) {
    const below = known.has(type) ? inside[type] : undefined;
    if (below === undefined) continue;
    for (const patch of await emptyUnlisted(reader, await boxesIn(reader, body, to), below))
      patches.push(patch);
    if (patches.length > PATCHES_MAX) throw new Damaged('more boxes than a video has');
  }
  return patches;
};

const handlerOf = async (reader: Reader, media: readonly Box[]): Promise<string> => {
  const hdlr = media.find((box) => box.type === 'hdlr');
  return hdlr === undefined ? '' : latin1(await reader.at(hdlr.body + 8, 4));
};

const table = async (reader: Reader, box: Box | undefined): Promise<DataView | null> => {
  if (box === undefined) return null;
  if (box.to - box.body > TABLE_MAX) throw new Damaged('a table too large for its track');
  return viewOf(await reader.at(box.body, box.to - box.body));
};

/** The location of a track's samples in the file. */
const samplesOf = async (reader: Reader, stbl: readonly Box[]): Promise<Patch[]> => {
  const find = (type: string) => stbl.find((box) => box.type === type);
  const sizes = await table(reader, find('stsz'));
  const groups = await table(reader, find('stsc'));
  const wide = find('co64');
  const offsets = await table(reader, wide ?? find('stco'));
  if (sizes === null || groups === null || offsets === null)
    throw new Damaged('a track without tables');
  const same = sizes.getUint32(4);
  const count = sizes.getUint32(8);
  if (count > SAMPLES_MAX) throw new Damaged('more samples than a track of places has');
  const chunks = offsets.getUint32(4);
  const groupCount = groups.getUint32(4);
  const patches: Patch[] = [];
  let sample = 0;
  let group = 0;
  for (let chunk = 1; chunk <= chunks && sample < count; chunk += 1) {
    while (group + 1 < groupCount && groups.getUint32(8 + (group + 1) * 12) <= chunk) group += 1;
    const per = groups.getUint32(8 + group * 12 + 4);
    let length = 0;
    for (let left = Math.min(per, count - sample); left > 0; left -= 1, sample += 1)
      length += same === 0 ? sizes.getUint32(12 + sample * 4) : same;
    const at = 8 + (chunk - 1) * (wide ? 8 : 4);
    const from = wide ? Number(offsets.getBigUint64(at)) : offsets.getUint32(at);
    if (length > 0) patches.push({ from, to: Math.min(from + length, reader.size), bytes: null });
    if (patches.length > PATCHES_MAX) throw new Damaged('more samples than a track of places has');
  }
  return patches;
};

const cleanTrack = async (reader: Reader, trak: Box): Promise<Patch[]> => {
  const children = await boxesIn(reader, trak.body, trak.to);
  const mdia = children.find((box) => box.type === 'mdia');
  if (mdia === undefined) throw new Damaged('a track without media');
  const media = await boxesIn(reader, mdia.body, mdia.to);
  const minf = media.find((box) => box.type === 'minf');
  const information = minf === undefined ? [] : await boxesIn(reader, minf.body, minf.to);
  if (tracks.has(await handlerOf(reader, media)))
    return [
      ...(await emptyUnlisted(reader, children, inTrack)),
      ...(await emptyUnlisted(reader, media, inMedia)),
      ...(await emptyUnlisted(reader, information, inInformation)),
    ];
  const stbl = information.find((box) => box.type === 'stbl');
  const inner = stbl === undefined ? [] : await boxesIn(reader, stbl.body, stbl.to);
  return [...(await samplesOf(reader, inner)), ...emptied(trak)];
};

export const inspectVideo = async (file: Blob, reader: Reader): Promise<FormatFacts> => {
  const boxes = await boxesIn(reader, 0, reader.size);
  const movie = boxes.find((box) => box.type === 'moov');
  if (movie === undefined) throw new Damaged('no movie in it');
  const children = await boxesIn(reader, movie.body, movie.to);
  const patches = [
    ...(await emptyUnlisted(reader, boxes, top)),
    ...(await emptyUnlisted(reader, children, inMovie)),
  ];
  // A compressed movie box, or fragments that describe their tracks piece by piece, are not parsed here.
  let unknown = children.some((box) => box.type === 'cmov');
  for (const box of children)
    if (box.type === 'trak') {
      for (const patch of await cleanTrack(reader, box)) patches.push(patch);
      if (patches.length > PATCHES_MAX) throw new Damaged('more tracks than a video has');
    }
  unknown ||= boxes.some((box) => box.type === 'moof') && patches.some((one) => one.bytes === null);
  return {
    pixels: null,
    animated: false,
    exif: null,
    video: await factsOf(reader, boxes, children),
    stripped: unknown
      ? { kind: 'unsafe', reason: 'unknown_parts' }
      : patches.length === 0
        ? { kind: 'clean' }
        : { kind: 'stripped', blob: apply(file, patches) },
  };
};
