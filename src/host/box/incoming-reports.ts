/**
 * Reports that a phone is still sending. Their photos lie in a folder each, which is emptied at every start: an unfinished report
 * was never acknowledged, so its phone sends it again.
 */
import { join } from 'node:path';
import { fileType } from '../../contract/file-type.ts';
import type { BoxAsk, BoxRefusal } from '../../contract/phone/box-messages.ts';
import { BOX_PHOTO_MAX, BOX_REPORT_MAX } from '../../contract/phone/box-limits.ts';
import { removeFolder } from '../../disk/retry-busy-file.ts';
import type { Clock } from '../lib/clock.ts';
import { ensureFolder, isNoSpace } from '../lib/files.ts';
import { codeOf, type Log } from '../lib/log.ts';
import {
  type Arriving,
  createArriving,
  endFile,
  finishFile,
  receivePart,
} from '../phone/arriving-file.ts';
import { byAddress, createWindow } from '../phone/rate.ts';
import { KEEP_FREE_BYTES, tidyName } from '../photos/spool/incoming-files.ts';
import type { BoxLimits } from './limits.ts';
import type { BoxReports } from './reports.ts';
import type { Said } from './talks.ts';

type Begin = Extract<BoxAsk, { ask: 'begin' }>;

interface Coming {
  readonly given: Begin;
  readonly from: string;
  readonly folder: string;
  readonly photos: readonly (Arriving & { readonly wanted: string })[];
  readonly size: number;
  heard: number;
  /** Set while the report is moved into the box. */
  storing: Promise<Said> | null;
}

export interface IncomingParts {
  readonly folder: string;
  readonly reports: BoxReports;
  readonly clock: Clock;
  readonly limits: BoxLimits;
  readonly free: (folder: string) => Promise<number>;
  readonly log: Log;
  /** Called when a report is in the box. */
  readonly changed: () => void;
}

const MINUTE_MS = 60_000;

const refused = (why: BoxRefusal, photo: number | null = null): Said => ({
  kind: 'refused',
  why,
  photo,
});

const sizeOf = ({ photos }: Pick<Begin, 'photos'>): number =>
  photos.reduce((sum, { size }) => sum + size, 0);

/** The refusal of a report that is never accepted; null if nothing is wrong with it. */
const faultOf = ({ text, photos }: Begin): Said | null => {
  if (text.trim() === '' && photos.length === 0) return refused('empty');
  const empty = photos.findIndex(({ size }) => size === 0);
  if (empty >= 0) return refused('not_a_photo', empty);
  const large = photos.findIndex(({ size }) => size > BOX_PHOTO_MAX);
  if (large >= 0) return refused('too_large', large);
  return sizeOf({ photos }) > BOX_REPORT_MAX ? refused('too_large') : null;
};

/** @throws if the folder cannot be used */
export const openIncoming = async (parts: IncomingParts) => {
  const { folder, reports, clock, limits } = parts;
  await removeFolder(folder);
  await ensureFolder(folder);
  const all = new Map<string, Coming>();
  const begun = byAddress(() => createWindow(clock, limits.reports_of_one, MINUTE_MS));

  const drop = async (one: Coming): Promise<void> => {
    all.delete(one.given.report);
    for (const photo of one.photos) await endFile(photo).catch(() => undefined);
    await removeFolder(one.folder).catch(() => undefined);
  };
  const stateOf = ({ photos }: Coming): Said => ({
    kind: 'coming',
    received: photos.map(({ received }) => received),
  });

  /** @param free bytes on the disk */
  const fullOf = (size: number, free: number): BoxRefusal | null => {
    const unfinished = [...all.values()];
    const coming = unfinished.reduce((sum, one) => sum + one.size, 0);
    const missing = unfinished
      .flatMap(({ photos }) => photos)
      .reduce((sum, one) => sum + one.size - one.received, 0);
    if (all.size >= limits.coming || reports.waiting() + all.size >= limits.waiting) return 'full';
    if (reports.bytes() + coming + size > limits.bytes) return 'full';
    return free - missing - size < KEEP_FREE_BYTES ? 'no_space' : null;
  };

  const begin = async (given: Begin, from: string): Promise<Said> => {
    // First, so that no other report begins between the checks below and the entry in the list.
    const free = await parts.free(folder);
    const known = all.get(given.report);
    if (known !== undefined) {
      known.heard = clock.monotonic();
      return stateOf(known);
    }
    const fault = faultOf(given);
    if (fault !== null) return fault;
    const mine = [...all.values()].filter((one) => one.from === from);
    const window = begun(from);
    if (window.full() || mine.length >= limits.coming_of_one) return refused('often');
    const size = sizeOf(given);
    const full = fullOf(size, free);
    if (full !== null) return refused(full);
    window.count();
    // The name is 16 bytes as hex by the schema, so it is no path.
    const own = join(folder, given.report);
    const photos = given.photos.map(({ name, size: bytes, sha256 }, at) => ({
      ...createArriving(tidyName(name), bytes, join(own, String(at)), null),
      wanted: sha256,
    }));
    const one = { given, from, folder: own, photos, size, heard: clock.monotonic(), storing: null };
    all.set(given.report, one);
    await ensureFolder(own);
    return stateOf(one);
  };

  /** A photo was refused: so is the report, and the phone's user removes the photo and sends again. */
  const faultAt = async (one: Coming): Promise<Said | null> => {
    const at = one.photos.findIndex(({ state }) => state === 'refused');
    if (at < 0) return null;
    const why = one.photos[at]?.why;
    await drop(one);
    return refused(why === 'no_space' || why === 'not_a_photo' ? why : 'other', at);
  };

  const part = async (
    one: Coming,
    at: number,
    offset: number,
    bytes: Uint8Array,
  ): Promise<Said> => {
    const photo = one.photos[at];
    if (photo === undefined) return stateOf(one);
    await receivePart(photo, offset, bytes);
    if (photo.state === 'coming' && fileType(photo.head)?.startsWith('video/')) {
      photo.state = 'refused';
      photo.why = 'not_a_photo';
    }
    return (await faultAt(one)) ?? stateOf(one);
  };

  const store = async (one: Coming): Promise<Said> => {
    for (const [at, photo] of one.photos.entries()) {
      if (photo.received < photo.size) return stateOf(one);
      await finishFile(photo, photo.wanted);
      if (photo.state === 'checked') continue;
      await drop(one);
      return refused('differs', at);
    }
    const { text, name, language, report } = one.given;
    try {
      const { code } = await reports.add(one.folder, {
        phone_id: report,
        text: text.trim(),
        name: name.trim(),
        language,
        photos: one.photos.map((photo) => ({
          name: photo.name,
          size: photo.size,
          sha256: photo.wanted,
          content_type: fileType(photo.head) ?? '',
        })),
      });
      all.delete(report);
      parts.changed();
      return { kind: 'stored', code };
    } catch (error) {
      parts.log({ level: 'warn', message: 'a report cannot be stored', code: codeOf(error) });
      await drop(one);
      return refused(isNoSpace(error) ? 'no_space' : 'other');
    }
  };

  return {
    answer: async (ask: Exclude<BoxAsk, { ask: 'look' }>, bytes: Uint8Array, from: string) => {
      // A repeated message of a report that is in the box gets the same answer again.
      const there = reports.byPhone(ask.report);
      if (there !== null) return { kind: 'stored', code: there.code } satisfies Said;
      if (ask.ask === 'begin') return begin(ask, from);
      const one = all.get(ask.report);
      // Deleted because its phone was silent, or by a restart: the phone announces it again.
      if (one === undefined) return { kind: 'unknown' } satisfies Said;
      one.heard = clock.monotonic();
      if (one.storing !== null) return one.storing;
      if (ask.ask === 'part') return part(one, ask.photo, ask.offset, bytes);
      one.storing = store(one).finally(() => (one.storing = null));
      return one.storing;
    },
    /** Deletes unfinished reports whose phones are silent. */
    expire: async (): Promise<void> => {
      for (const one of all.values())
        if (one.storing === null && clock.monotonic() - one.heard > limits.coming_ms)
          await drop(one);
    },
    end: async (): Promise<void> => {
      for (const one of all.values()) await drop(one);
      await removeFolder(folder);
    },
  };
};
