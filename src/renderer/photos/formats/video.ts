/**
 * MP4 and MOV: what describes the video (places, names, the maker's own boxes) becomes empty boxes of the same length, so
 * that pictures and sound stay where they are and a file of two gigabytes is never copied in memory. Tracks that are
 * neither picture nor sound nor timecode (a phone's or a camera's track of places) are emptied with their samples.
 */
import { apply, boxesIn, emptied, type Box, type Patch } from './boxes.ts';
import { Damaged, type FormatFacts, type VideoFacts } from './inspection.ts';
import { latin1, viewOf, type Reader } from './reader.ts';

const top = new Set([
  'ftyp',
  'moov',
  'mdat',
  'wide',
  'moof',
  'sidx',
  'ssix',
  'mfra',
  'styp',
  'prft',
]);
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
const tracks = new Set(['vide', 'soun', 'tmcd', 'pict', 'auxv', 'hint']);
/** Between 1904, when the format's clock begins, and 1970. */
const EPOCH = 2_082_844_800;
const TEXT_MAX = 1024 * 1024;
const TABLE_MAX = 16 * 1024 * 1024;
const SAMPLES_MAX = 2_000_000;
/** Texts that describe a video, all together. */
const TEXTS_MAX = 4 * TEXT_MAX;
/** Places to be emptied: a camera's track of places has one a second. */
const PATCHES_MAX = 100_000;

/** Boxes of [box] that are not on the list, emptied. A `free` that holds nothing already stays. */
const others = async (
  reader: Reader,
  boxes: readonly Box[],
  known: ReadonlySet<string>,
): Promise<Patch[]> => {
  const patches: Patch[] = [];
  for (const box of boxes) {
    if (known.has(box.type)) continue;
    if (['free', 'skip', 'junk'].includes(box.type) && box.to - box.body <= TEXT_MAX) {
      const bytes = await reader.at(box.body, box.to - box.body);
      if (!bytes.some((byte) => byte !== 0)) continue;
    }
    patches.push(...emptied(box));
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

/** Where a track's samples are in the file. */
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
      ...(await others(reader, children, inTrack)),
      ...(await others(reader, media, inMedia)),
      ...(await others(reader, information, inInformation)),
    ];
  const stbl = information.find((box) => box.type === 'stbl');
  const inner = stbl === undefined ? [] : await boxesIn(reader, stbl.body, stbl.to);
  return [...(await samplesOf(reader, inner)), ...emptied(trak)];
};

const two = (value: number): string => String(value).padStart(2, '0');

/** `mvhd`'s creation time is UTC by definition (ISO 14496-12 §8.2.2). Zero and 1970 mean that nobody set it. */
const movieTime = async (reader: Reader, mvhd: Box | undefined): Promise<VideoFacts['taken']> => {
  if (mvhd === undefined) return null;
  const view = viewOf(await reader.at(mvhd.body, 12));
  if (view.byteLength < 12) return null;
  const seconds = view.getUint8(0) === 1 ? Number(view.getBigUint64(4)) : view.getUint32(4);
  const at = new Date((seconds - EPOCH) * 1000);
  if (!(seconds > EPOCH) || Number.isNaN(at.getTime())) return null;
  const day = `${at.getUTCFullYear()}-${two(at.getUTCMonth() + 1)}-${two(at.getUTCDate())}`;
  const clock = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`;
  return { local: `${day}T${clock}`, offset: '+00:00' };
};

/** Apple's and Android's texts: when with its zone, and where (ISO 6709). */
const told = (text: string): VideoFacts => {
  const when = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)([+-]\d\d):?(\d\d)/.exec(text);
  const where = /([+-]\d{1,2}\.\d+)([+-]\d{1,3}\.\d+)(?:[+-]\d+(?:\.\d+)?)?\//.exec(text);
  const latitude = Number(where?.[1]);
  const longitude = Number(where?.[2]);
  return {
    taken: when === null ? null : { local: when[1] ?? '', offset: `${when[2]}:${when[3]}` },
    gps:
      where !== null && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
        ? { latitude, longitude }
        : null,
  };
};

export const inspectVideo = async (file: Blob, reader: Reader): Promise<FormatFacts> => {
  const boxes = await boxesIn(reader, 0, reader.size);
  const movie = boxes.find((box) => box.type === 'moov');
  if (movie === undefined) throw new Damaged('no movie in it');
  const children = await boxesIn(reader, movie.body, movie.to);
  const patches = [
    ...(await others(reader, boxes, top)),
    ...(await others(reader, children, inMovie)),
  ];
  let text = '';
  for (const box of [...boxes, ...children])
    if (['udta', 'meta'].includes(box.type) && text.length < TEXTS_MAX)
      text += `${latin1(await reader.at(box.body, Math.min(TEXT_MAX, box.to - box.body)))}\n`;
  // A compressed movie box, or fragments whose tracks are described piece by piece: not taken apart here.
  let unknown = children.some((box) => box.type === 'cmov');
  for (const box of children)
    if (box.type === 'trak') {
      for (const patch of await cleanTrack(reader, box)) patches.push(patch);
      if (patches.length > PATCHES_MAX) throw new Damaged('more tracks than a video has');
    }
  unknown ||= boxes.some((box) => box.type === 'moof') && patches.some((one) => one.bytes === null);
  const said = told(text);
  const taken =
    said.taken ??
    (await movieTime(
      reader,
      children.find((box) => box.type === 'mvhd'),
    ));
  return {
    pixels: null,
    animated: false,
    exif: null,
    video: { taken, gps: said.gps },
    stripped: unknown
      ? { kind: 'unsafe', reason: 'unknown_parts' }
      : patches.length === 0
        ? { kind: 'clean' }
        : { kind: 'stripped', blob: apply(file, patches) },
  };
};
