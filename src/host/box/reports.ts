/**
 * The reports in the box on this laptop's disk: one folder each, with `report.json` and its photos. A report is complete on disk
 * (fsync) before its phone hears of it. Only a supervisor files or discards it; nothing here reaches a server.
 */
import { randomBytes } from 'node:crypto';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { z } from 'zod';
import { type BoxOutcome, type BoxReport, boxReport } from '../../contract/phone/box.ts';
import { BOX_KEEP_DAYS } from '../../contract/phone/box-limits.ts';
import { fail, ok, type Result } from '../../contract/problem.ts';
import { newAnswerCode, readAnswerCode } from '../../contract/text/answer-code.ts';
import { move, removeFile, removeFolder } from '../../disk/retry-busy-file.ts';
import type { Clock } from '../lib/clock.ts';
import { ensureFolder, failFile, readIfThere, syncFolder, writeFileAtomic } from '../lib/files.ts';
import { codeOf, type Log } from '../lib/log.ts';
import { createTurns } from '../lib/turns.ts';

/** `phone_id`: what the phone drew for it. It never leaves the host. */
const stored = boxReport.extend({ phone_id: z.string() });
type Stored = z.infer<typeof stored>;

const FILE = 'report.json';
const DAY_MS = 24 * 60 * 60_000;
/** A filed report leaves code, number and answer for this long, and no text. */
const FILED_DAYS = 365;
/** The longest answer that a phone shows. */
const SAID_MAX = 2_000;

export type BoxReports = Awaited<ReturnType<typeof openReports>>;
export type NewReport = Pick<BoxReport, 'text' | 'name' | 'language' | 'photos'> & {
  readonly phone_id: string;
};

const gone = (): Result<never> =>
  fail({ kind: 'bad_input', messages: ['There is no such report in the box.'], fields: {} });

const shown = ({ phone_id: _phone, ...report }: Stored): BoxReport => report;

const syncFile = async (path: string): Promise<void> => {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const readAll = async (folder: string, log: Log): Promise<Map<string, Stored>> => {
  const all = new Map<string, Stored>();
  for (const name of (await readdir(folder)).sort()) {
    const text = await readIfThere(join(folder, name, FILE)).catch(() => null);
    try {
      const report = stored.parse(JSON.parse(text ?? ''));
      if (report.id !== name) continue;
      all.set(name, report);
      // A crash may have left photos of a filed report.
      if (report.state === 'filed')
        for (const photo of await readdir(join(folder, name)))
          if (photo !== FILE) await removeFile(join(folder, name, photo));
    } catch {
      // It stays on disk, for somebody who can repair it.
      log({ level: 'error', message: 'a report in the box cannot be read' });
    }
  }
  return all;
};

/** @throws if the folder cannot be used */
export const openReports = async (folder: string, clock: Clock, log: Log) => {
  await ensureFolder(folder);
  const all = await readAll(folder, log);
  const pathOf = (id: string, name: string): string => join(folder, id, name);
  /** Serializes changes. */
  const inTurn = createTurns();

  const put = async (report: Stored): Promise<void> => {
    await writeFileAtomic(pathOf(report.id, FILE), JSON.stringify(report));
    all.set(report.id, report);
  };
  const newCode = (): string => {
    const taken = new Set([...all.values()].map(({ code }) => code));
    for (;;) {
      const code = newAnswerCode(randomBytes);
      if (!taken.has(code)) return code;
    }
  };
  const forget = async (id: string): Promise<void> => {
    await removeFolder(join(folder, id));
    all.delete(id);
  };
  const change = (id: string, next: (now: Stored) => Stored | null): Promise<Result<object>> =>
    inTurn(async () => {
      const now = all.get(id);
      const then = now === undefined ? null : next(now);
      if (then === null) return gone();
      try {
        if (then !== now) await put(then);
        return ok({});
      } catch (error) {
        return failFile(error);
      }
    });

  /** The record is written first, so that a crash leaves extra files and never a waiting report without its photos. */
  const file = async (now: Stored, { number, answer }: BoxOutcome): Promise<void> => {
    const said = answer.slice(0, SAID_MAX);
    if (now.state === 'filed' && now.number === number && now.answer === said) return;
    const closed_at = now.closed_at ?? clock.now();
    const emptied = { text: '', name: '', photos: [], reason: '' };
    await put({ ...now, ...emptied, state: 'filed', closed_at, number, answer: said });
    for (const at of now.photos.keys()) await removeFile(pathOf(now.id, String(at)));
  };

  return {
    /** The newest last. */
    list: (): BoxReport[] => [...all.values()].map(shown),
    waiting: (): number => [...all.values()].filter(({ state }) => state === 'waiting').length,
    bytes: (): number =>
      [...all.values()].reduce(
        (sum, { photos }) => sum + photos.reduce((own, { size }) => own + size, 0),
        0,
      ),
    byPhone: (phone_id: string): BoxReport | null =>
      [...all.values()].find((one) => one.phone_id === phone_id) ?? null,
    byCode: (typed: string): BoxReport | null => {
      const code = readAnswerCode(typed);
      return code === null ? null : ([...all.values()].find((one) => one.code === code) ?? null);
    },

    /**
     * Moves a complete report into the box. Its photos are the files `0`, `1`, … of `from`. Resolves when all of it is on disk.
     * @throws if the disk refuses; nothing is in the box then
     */
    add: (from: string, given: NewReport): Promise<BoxReport> =>
      inTurn(async () => {
        const now = clock.now();
        const report: Stored = {
          ...given,
          id: ulid(now),
          code: newCode(),
          received_at: now,
          state: 'waiting',
          reason: '',
          closed_at: null,
          number: '',
          answer: '',
        };
        for (const at of given.photos.keys()) await syncFile(join(from, String(at)));
        await writeFileAtomic(join(from, FILE), JSON.stringify(report));
        await move(from, join(folder, report.id));
        await syncFolder(folder);
        all.set(report.id, report);
        return shown(report);
      }),

    /** Reads a photo, at most `length` bytes. */
    read: async (id: string, photo: number, offset: number, length: number) => {
      const facts = all.get(id)?.photos[photo];
      if (facts === undefined) return gone();
      const { size } = facts;
      try {
        const handle = await open(pathOf(id, String(photo)), 'r');
        try {
          const wanted = Math.max(0, Math.min(length, size - offset));
          const { bytesRead, buffer } = await handle.read(
            new Uint8Array(wanted),
            0,
            wanted,
            offset,
          );
          return ok({ output: { size }, bytes: buffer.subarray(0, bytesRead) });
        } finally {
          await handle.close();
        }
      } catch (error) {
        return failFile(error);
      }
    },

    discard: (id: string, reason: string): Promise<Result<object>> =>
      change(id, (now) =>
        now.state === 'waiting'
          ? { ...now, state: 'discarded', reason, closed_at: clock.now() }
          : null,
      ),
    /** Undoes `discard`. */
    restore: (id: string): Promise<Result<object>> =>
      change(id, (now) =>
        now.state === 'discarded'
          ? { ...now, state: 'waiting', reason: '', closed_at: null }
          : null,
      ),
    /** Records what the window knows of filed reports, and deletes text and photos here. */
    tell: (outcomes: readonly BoxOutcome[]): Promise<Result<object>> =>
      inTurn(async () => {
        try {
          for (const outcome of outcomes) {
            const now = all.get(outcome.id);
            if (now !== undefined) await file(now, outcome);
          }
          return ok({});
        } catch (error) {
          return failFile(error);
        }
      }),

    /** Deletes discarded reports after BOX_KEEP_DAYS, and what is left of filed ones after a year. Returns how many. */
    expire: (): Promise<number> =>
      inTurn(async () => {
        const days = { waiting: Infinity, discarded: BOX_KEEP_DAYS, filed: FILED_DAYS };
        const old = [...all.values()].filter(
          ({ state, closed_at }) => clock.now() - (closed_at ?? Infinity) > days[state] * DAY_MS,
        );
        for (const { id } of old)
          await forget(id).catch((error: unknown) =>
            log({ level: 'warn', message: 'an old report stays in the box', code: codeOf(error) }),
          );
        return old.length;
      }),
  };
};
