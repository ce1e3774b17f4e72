/**
 * The report box: a listener that takes whole reports from phones for as long as a supervisor wants it, also after a restart. One
 * address, port and key stay the same, because they are on printed posters. Reports wait here until a supervisor files them.
 */
import { join } from 'node:path';
import { z } from 'zod';
import type { BoxView } from '../../contract/phone/box.ts';
import type { BoxAsk } from '../../contract/phone/box-messages.ts';
import type { PhoneNetwork } from '../../contract/phone/phone.ts';
import { addressWith } from '../../contract/phone/phone-seal.ts';
import { ok, type Result } from '../../contract/problem.ts';
import { move } from '../../disk/retry-busy-file.ts';
import type { Clock } from '../lib/clock.ts';
import { ensureFolder, failFile, readOwn, writeFileAtomic } from '../lib/files.ts';
import { codeOf, type Log } from '../lib/log.ts';
import { createTurns } from '../lib/turns.ts';
import { type Listener, startListener } from '../phone/listener.ts';
import { type PrivacyNotice, readPhonePage } from '../phone/page.ts';
import { byAddress, createRates, createWindow } from '../phone/rate.ts';
import { openIncoming } from './incoming-reports.ts';
import { drawKey, readKey } from './laptop-key.ts';
import { type BoxLimits, usualBoxLimits } from './limits.ts';
import { type BoxReports, openReports } from './reports.ts';
import { createTalks, type Said } from './talks.ts';

export interface BoxParts {
  readonly folder: string;
  /** Path of the built page. Null if this shell has none. */
  readonly page: string | null;
  readonly notice: PrivacyNotice;
  readonly networks: () => readonly PhoneNetwork[];
  readonly clock: Clock;
  readonly log: Log;
  readonly free_space: (folder: string) => Promise<number>;
  readonly changed: () => void;
  readonly limits?: BoxLimits | undefined;
}

/** What is on the posters, and whether the box is wanted. `key`: the private key, as hex. `port`: 0 until it was first opened. */
const setup = z.object({
  on: z.boolean(),
  address: z.ipv4(),
  port: z.number().int().min(0).max(65_535),
  key: z.string().regex(/^[0-9a-f]{64}$/),
});
type Setup = z.infer<typeof setup>;

/** A damaged file is renamed: its posters are void, and the box is off. */
const readSetup = async (path: string, log: Log): Promise<Setup | null> => {
  const text = await readOwn(path);
  if (text === null) return null;
  try {
    return setup.parse(JSON.parse(text));
  } catch {
    log({ level: 'error', message: 'the setup of the report box cannot be read' });
    await move(path, `${path}.damaged`).catch(() => undefined);
    return null;
  }
};

const newKey = (): string => drawKey().private_key.toString('hex');

/** Answers requests about codes, with a limit on wrong ones. */
const createLook = (
  reports: Pick<BoxReports, 'byCode'>,
  clock: Clock,
  { guesses_of_one, guess_of_one_ms, guesses, guess_ms }: BoxLimits,
) => {
  const all = createWindow(clock, guesses, guess_ms);
  const of = byAddress(() => createWindow(clock, guesses_of_one, guess_of_one_ms));
  return (code: string, from: string): Said => {
    const one = of(from);
    // Also for right codes: otherwise the answer would tell which one is right.
    if (one.full() || all.full()) return { kind: 'later' };
    const report = reports.byCode(code);
    if (report === null) {
      one.count();
      all.count();
      return { kind: 'unknown' };
    }
    const { state, number, answer, reason } = report;
    return { kind: 'found', state, number, said: state === 'discarded' ? reason : answer };
  };
};

/** What a supervisor does with reports. Every change is reported to the windows. */
const inbox = (reports: BoxReports, changed: () => void) => {
  const tells =
    <A extends unknown[], T>(work: (...given: A) => Promise<T>) =>
    (...given: A): Promise<T> =>
      work(...given).finally(changed);
  return {
    list: reports.list,
    read: reports.read,
    discard: tells(reports.discard),
    restore: tells(reports.restore),
    tell: tells(reports.tell),
  };
};

export const createBox = async (parts: BoxParts) => {
  const { folder, clock, log, changed, limits = usualBoxLimits } = parts;
  await ensureFolder(folder);
  const path = join(folder, 'box.json');
  const reports = await openReports(join(folder, 'reports'), clock, log);
  const incoming = await openIncoming({
    folder: join(folder, 'coming'),
    reports,
    clock,
    limits,
    free: parts.free_space,
    log,
    changed,
  });
  const look = createLook(reports, clock, limits);
  const wrong = byAddress(() => createWindow(clock, limits.refusals, limits.barred_ms));
  const mayAsk = createRates(clock, limits.of_one);
  let now = await readSetup(path, log);
  let key = now === null ? drawKey() : readKey(Buffer.from(now.key, 'hex'));
  let state: BoxView['state'] = 'off';
  let listener: Listener | null = null;
  const talks = createTalks({
    key: () => key,
    clock,
    limits,
    answer: (ask: BoxAsk, bytes, from) =>
      ask.ask === 'look' ? look(ask.code, from) : incoming.answer(ask, bytes, from),
  });

  /** Serializes opening and closing. */
  const inTurn = createTurns();
  const become = (next: BoxView['state']): void => {
    if (state === next) return;
    state = next;
    changed();
  };
  const save = async (next: Setup): Promise<void> => {
    await writeFileAtomic(path, JSON.stringify(next));
    now = next;
    key = readKey(Buffer.from(next.key, 'hex'));
  };
  const hasAddress = (): boolean =>
    parts.networks().some(({ address }) => address === now?.address);

  const close = async (): Promise<void> => {
    const was = listener;
    listener = null;
    await was?.stop();
    await talks.end();
  };

  const listen = async (): Promise<void> => {
    const page = await readPhonePage(parts.page, parts.notice);
    if (page === null) return become('none');
    if (now?.on !== true) return become('off');
    if (!hasAddress()) return become('no_network');
    try {
      listener = await startListener({
        address: now.address,
        port: now.port,
        page,
        clock,
        limits,
        hello: talks.hello,
        ask: talks.ask,
        mayAsk,
        seen: () => undefined,
        refused: (from) => wrong(from).count(),
        barred: (from) => wrong(from).full(),
        failed: () => void inTurn(close).then(() => become('failed')),
      });
      const port = Number(new URL(listener.origin).port);
      if (port !== now.port) await save({ ...now, port });
      become('open');
    } catch (error) {
      await close();
      const code = codeOf(error);
      log({ level: 'warn', message: 'the report box cannot be opened', code });
      become(code === 'EADDRINUSE' ? 'port_taken' : 'failed');
    }
  };

  const lookAfter = async (): Promise<void> => {
    await incoming.expire();
    if ((await reports.expire()) > 0) changed();
    if (listener !== null && !hasAddress()) await close();
    if (listener === null) await listen();
  };
  const watch = setInterval(() => {
    void inTurn(lookAfter).catch((error: unknown) =>
      log({ level: 'warn', message: 'the report box was not looked after', code: codeOf(error) }),
    );
  }, limits.look_ms).unref();

  const view = (): BoxView => ({
    state,
    address: now?.address ?? null,
    url:
      now === null || now.port === 0
        ? null
        : addressWith(`http://${now.address}:${now.port}`, key.public_key),
    networks: [...parts.networks()],
    waiting: reports.waiting(),
  });
  /** Saves the setup and restarts the listener. */
  const apply = (next: (now: Setup | null) => Setup | null): Promise<Result<BoxView>> =>
    inTurn(async () => {
      try {
        const then = next(now);
        if (then === null) return ok(view());
        await save(then);
        await close();
        await listen();
        return ok(view());
      } catch (error) {
        return failFile(error);
      }
    });

  await listen();
  return {
    view,
    /** Turns the box on or off, or moves it to another address: then posters with the old one lead nowhere. */
    set: (on: boolean, address?: string): Promise<Result<BoxView>> =>
      apply((was) => {
        const wanted = address ?? was?.address ?? parts.networks()[0]?.address;
        if (wanted === undefined) return null;
        return { port: 0, key: newKey(), ...was, on, address: wanted };
      }),
    /**
     * Draws a new key. The port stays, so that a phone with an old poster still gets the page, which says that the poster is old;
     * unless another program holds the port.
     */
    renew: (): Promise<Result<BoxView>> =>
      apply((was) =>
        was === null
          ? null
          : { ...was, key: newKey(), port: state === 'port_taken' ? 0 : was.port },
      ),
    ...inbox(reports, changed),
    stop: (): Promise<void> =>
      inTurn(async () => {
        clearInterval(watch);
        await close();
        await incoming.end();
      }),
  };
};
export type Box = Awaited<ReturnType<typeof createBox>>;
