/**
 * MP4 and MOV: descriptive boxes (places, names, the maker's own) become empty boxes of the same length. Pictures and
 * sound keep their offsets, and a file of two gigabytes is never copied in memory. Tracks other than picture, sound and
 * timecode (such as a phone's location track) are emptied. Bytes that no remaining sample uses become zeros.
 */
import {
  apply,
  boxesIn,
  cleanGaps,
  emptied,
  tidy,
  tidyTop,
  type Box,
  type Patch,
} from './boxes.ts';
import { Damaged, type FormatFacts } from './inspection.ts';
import { latin1, type Reader } from './reader.ts';
import { movieBoxes, topBoxes, trackBoxes } from './video-boxes.ts';
import { videoFactsOf } from './video-facts.ts';
import { chunksOf, samplesOfFragment, usualSizes, type Chunk } from './video-samples.ts';

const tracks = new Set(['vide', 'soun', 'tmcd', 'pict', 'auxv']);
/** The most patches: a camera's location track has one sample per second. */
const PATCHES_MAX = 100_000;

interface Track {
  readonly patches: readonly Patch[];
  /** The location of its samples; null if the track is emptied. */
  readonly chunks: readonly Chunk[] | null;
}

const cleanTrack = async (reader: Reader, trak: Box): Promise<Track> => {
  const children = await boxesIn(reader, trak.body, trak.to);
  /** The boxes in the first box of this type. */
  const below = async (boxes: readonly Box[], type: string): Promise<Box[]> => {
    const box = boxes.find((one) => one.type === type);
    return box === undefined ? [] : boxesIn(reader, box.body, box.to);
  };
  const media = await below(children, 'mdia');
  const hdlr = media.find((box) => box.type === 'hdlr');
  const kind = hdlr === undefined ? '' : latin1(await reader.at(hdlr.body + 8, 4));
  if (!tracks.has(kind)) return { patches: emptied(trak), chunks: null };
  const { patches } = await tidy(reader, children, trackBoxes(kind));
  const stbl = await below(await below(media, 'minf'), 'stbl');
  return { patches, chunks: await chunksOf(reader, stbl, kind) };
};

/** Zeroes the bytes that no sample uses; null if a sample is not in the boxes that hold samples. */
const cleanData = async (
  reader: Reader,
  boxes: readonly Box[],
  chunks: readonly Chunk[],
): Promise<readonly Patch[] | null> => {
  const data = boxes.filter((box) => box.type === 'mdat').toSorted((a, b) => a.body - b.body);
  /** The last part that begins before this byte. */
  const partOf = (from: number): Box | undefined => {
    let [low, high] = [0, data.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((data[middle]?.body ?? 0) <= from) low = middle + 1;
      else high = middle;
    }
    return data[low - 1];
  };
  const named = [];
  for (const { from, length, most } of chunks) {
    // The file may be truncated.
    if (from >= reader.size) continue;
    const part = partOf(from);
    if (part === undefined || Math.min(from + length, reader.size) > part.to) return null;
    named.push({ from, length: Math.min(most, part.to - from) });
  }
  return cleanGaps(reader, data, named);
};

export const inspectVideo = async (file: Blob, reader: Reader): Promise<FormatFacts> => {
  const boxes = await boxesIn(reader, 0, reader.size);
  const movie = boxes.find((box) => box.type === 'moov');
  if (movie === undefined) throw new Damaged('no movie in it');
  const children = await boxesIn(reader, movie.body, movie.to);
  const patches = [
    ...(await tidyTop(reader, boxes, topBoxes)),
    ...(await tidy(reader, children, movieBoxes)).patches,
  ];
  const chunks: Chunk[] = [];
  const add = (found: readonly Chunk[]): void => {
    for (const chunk of found) chunks.push(chunk);
  };
  const fragments = boxes.filter((box) => box.type === 'moof');
  // A compressed movie box is not parsed here.
  let unknown = children.some((box) => box.type === 'cmov');
  for (const box of children) {
    if (box.type !== 'trak') continue;
    const track = await cleanTrack(reader, box);
    for (const patch of track.patches) patches.push(patch);
    if (patches.length > PATCHES_MAX) throw new Damaged('more tracks than a video has');
    add(track.chunks ?? []);
    // Its samples in the fragments would be kept with the others.
    unknown ||= track.chunks === null && fragments.length > 0;
  }
  const usual = await usualSizes(reader, children);
  for (const moof of fragments) add(await samplesOfFragment(reader, moof, usual));
  const gaps = unknown ? null : await cleanData(reader, boxes, chunks);
  for (const patch of gaps ?? []) patches.push(patch);
  const video = await videoFactsOf(reader, boxes, children);
  let stripped: FormatFacts['stripped'] = { kind: 'clean' };
  if (gaps === null) stripped = { kind: 'unsafe', reason: 'unknown_parts' };
  else if (patches.length > 0) stripped = { kind: 'stripped', blob: apply(file, patches) };
  return { pixels: null, animated: false, exif: null, video, stripped };
};
