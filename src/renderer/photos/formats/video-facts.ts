/**
 * Time and place of a video. Only the boxes and keys that are made for them count: other texts may contain a date or
 * numbers by chance.
 */
import { boxesIn, type Box } from './boxes.ts';
import { Damaged, type VideoFacts } from './inspection.ts';
import { latin1, viewOf, type Reader } from './reader.ts';

/** Seconds between 1904, the format's epoch, and 1970. */
const EPOCH = 2_082_844_800;
const TEXT_MAX = 256;
/** The most boxes that describe a video. */
const TEXTS_MAX = 1000;

const two = (value: number): string => String(value).padStart(2, '0');

/**
 * The creation time of `mvhd`: UTC by the standard, but the local time of many cameras, which give no zone. Zero and
 * 1970 mean that it was never set.
 */
const movieTime = async (reader: Reader, mvhd: Box | undefined): Promise<VideoFacts['taken']> => {
  if (mvhd === undefined) return null;
  const view = viewOf(await reader.at(mvhd.body, 12));
  if (view.byteLength < 12) return null;
  const seconds = view.getUint8(0) === 1 ? Number(view.getBigUint64(4)) : view.getUint32(4);
  const at = new Date((seconds - EPOCH) * 1000);
  if (!(seconds > EPOCH) || Number.isNaN(at.getTime())) return null;
  const day = `${at.getUTCFullYear()}-${two(at.getUTCMonth() + 1)}-${two(at.getUTCDate())}`;
  const clock = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`;
  return { local: `${day}T${clock}`, offset: null };
};

/** The time with its zone, as Apple and Android write it. */
const timeOf = (text: string): VideoFacts['taken'] => {
  const when = /^\s*(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)([+-]\d\d):?(\d\d)/.exec(text);
  return when === null ? null : { local: when[1] ?? '', offset: `${when[2]}:${when[3]}` };
};

/** ISO 6709. */
const placeOf = (text: string): VideoFacts['gps'] => {
  const where = /^\s*([+-]\d{1,2}\.\d+)([+-]\d{1,3}\.\d+)(?:[+-]\d+(?:\.\d+)?)?\//.exec(text);
  if (where === null) return null;
  const latitude = Number(where[1]);
  const longitude = Number(where[2]);
  // A camera without a fix writes zeros.
  if (latitude === 0 && longitude === 0) return null;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
};

type Texts = Map<string, string>;

const read = async (reader: Reader, box: Box, skip: number): Promise<string> =>
  latin1(
    await reader.at(box.body + skip, Math.max(0, Math.min(TEXT_MAX, box.to - box.body - skip))),
  );

/** The first text of each name counts. */
const add = (texts: Texts, name: string, text: string): void => {
  if (!texts.has(name)) texts.set(name, text);
};

/** Names of keys, by their number from 1. */
const keysOf = async (reader: Reader, keys: Box | undefined): Promise<readonly string[]> => {
  const names: string[] = [];
  if (keys === undefined) return names;
  for (const key of (await boxesIn(reader, keys.body + 8, keys.to)).slice(0, TEXTS_MAX))
    names.push(await read(reader, key, 0));
  return names;
};

/** A list of values: each is named by its type, or by the number of its key. */
const readMeta = async (reader: Reader, meta: Box, texts: Texts): Promise<void> => {
  // QuickTime's own has no version in front of its boxes.
  const first = latin1(await reader.at(meta.body + 4, 4));
  const children = await boxesIn(reader, meta.body + (first === 'hdlr' ? 0 : 4), meta.to);
  const find = (type: string) => children.find((box) => box.type === type);
  const names = await keysOf(reader, find('keys'));
  const list = find('ilst');
  const values = list === undefined ? [] : await boxesIn(reader, list.body, list.to);
  for (const value of values.slice(0, TEXTS_MAX)) {
    const [data] = await boxesIn(reader, value.body, value.to);
    if (data?.type !== 'data') continue;
    const number = viewOf(await reader.at(value.from + 4, 4)).getUint32(0);
    add(texts, names[number - 1] ?? value.type, await read(reader, data, 8));
  }
};

/** QuickTime's user data: the length and the language of the text are in front of it. */
const readUserData = async (reader: Reader, udta: Box, texts: Texts): Promise<void> => {
  for (const box of (await boxesIn(reader, udta.body, udta.to)).slice(0, TEXTS_MAX))
    if (box.type === 'meta') await readMeta(reader, box, texts);
    else if (box.type.startsWith('\xa9')) add(texts, box.type, await read(reader, box, 4));
};

/** A damaged description says nothing; the film may be sound. */
const tolerant = async (work: Promise<void>): Promise<void> => {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Damaged || error instanceof RangeError)) throw error;
  }
};

/**
 * @param top the boxes of the file
 * @param movie the boxes of its movie
 */
export const videoFactsOf = async (
  reader: Reader,
  top: readonly Box[],
  movie: readonly Box[],
): Promise<VideoFacts> => {
  const texts: Texts = new Map();
  for (const box of [...movie, ...top].slice(0, TEXTS_MAX))
    if (box.type === 'meta') await tolerant(readMeta(reader, box, texts));
    else if (box.type === 'udta') await tolerant(readUserData(reader, box, texts));
  const text = (name: string): string => texts.get(name) ?? '';
  const mvhd = movie.find((box) => box.type === 'mvhd');
  return {
    taken:
      timeOf(text('com.apple.quicktime.creationdate')) ??
      timeOf(text('\xa9day')) ??
      (await movieTime(reader, mvhd)),
    gps: placeOf(text('com.apple.quicktime.location.ISO6709')) ?? placeOf(text('\xa9xyz')),
  };
};
