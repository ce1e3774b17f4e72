/**
 * Receives photos from a phone. There is one code at a time, and its listener runs only while the code is shown. Whatever ends
 * the code (the window, silence, a changed session, too many refused requests), the socket is closed first.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { PhoneNetwork, PhoneView } from '../../contract/phone/phone.ts';
import { addressWith, SECRET_BYTES } from '../../contract/phone/phone-seal.ts';
import { fail, ok, type Result } from '../../contract/problem.ts';
import { removeFolder } from '../../disk/retry-busy-file.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { codeOf } from '../lib/log.ts';
import { createTurns } from '../lib/turns.ts';
import { type Arrivals, openArrivals } from './incoming-uploads.ts';
import {
  type Listener,
  type ListenerLimits,
  startListener,
  usualListenerLimits,
} from './listener.ts';
import { type PrivacyNotice, readPhonePage } from './page.ts';
import { createTalk } from './talk.ts';

export interface PhoneLimits extends ListenerLimits {
  /** The code ends after this long without a message from the phone, in milliseconds. */
  readonly idle_ms: number;
  /** The code ends after this long without a request from the window. A hidden window's timers may run only once a minute. */
  readonly window_ms: number;
  /** A phone that is sending files is reported as silent after this long, in milliseconds. */
  readonly silent_ms: number;
  /** Refused bodies from one address before that address is barred. */
  readonly refusals: number;
  /** Barred addresses that end the code. */
  readonly barred: number;
  readonly look_ms: number;
}

export const usualPhoneLimits: PhoneLimits = {
  ...usualListenerLimits,
  idle_ms: 10 * 60_000,
  window_ms: 150_000,
  silent_ms: 8_000,
  refusals: 20,
  barred: 8,
  look_ms: 2_000,
};

/** Minimum interval between progress events, in milliseconds. */
const EMIT_MS = 150;

export interface PhoneParts {
  /** Folder for incoming files. Emptied whenever a new code starts. */
  readonly folder: string;
  /** Path of the built page. Null if this shell has none. */
  readonly page: string | null;
  readonly notice: PrivacyNotice;
  readonly networks: () => readonly PhoneNetwork[];
  readonly clock: Clock;
  readonly log: Log;
  readonly free_space: (folder: string) => Promise<number>;
  readonly changed: () => void;
  readonly limits?: PhoneLimits | undefined;
}

type Why = NonNullable<PhoneView['why']>;

interface Code {
  readonly id: string;
  readonly arrivals: Arrivals;
  state: PhoneView['state'];
  why: Why | null;
  another: boolean;
  /** Number of refused bodies, by the address of the phone. */
  readonly refused: Map<string, number>;
  listener: Listener | null;
  settled: () => Promise<unknown>;
}

const newCode = (arrivals: Arrivals): Code => ({
  id: randomUUID(),
  arrivals,
  state: 'open',
  why: null,
  another: false,
  refused: new Map(),
  listener: null,
  settled: async () => undefined,
});

/** True if the phone was expected to send more, but has been silent for too long. */
const isSilent = ({ state, arrivals }: Code, silent_for: number, limits: PhoneLimits): boolean =>
  state === 'joined' &&
  silent_for > limits.silent_ms &&
  arrivals.view().some((one) => one.state === 'coming');

/** Counts the refused bodies of each address. */
const refusals = (one: Code, limits: PhoneLimits, tooMany: () => void) => ({
  refused: (from: string): void => {
    one.refused.set(from, (one.refused.get(from) ?? 0) + 1);
    const barred = [...one.refused.values()].filter((times) => times >= limits.refusals);
    if (barred.length >= limits.barred) tooMany();
  },
  barred: (from: string): boolean => (one.refused.get(from) ?? 0) >= limits.refusals,
});

const NO_CODE: PhoneView = {
  code: null,
  state: 'closed',
  why: null,
  another: false,
  silent: false,
  files: [],
};

/** Throttles events to one per TELL_MS. The last change is always reported. */
const createThrottledEmit = (emit: () => void) => {
  let timer: NodeJS.Timeout | undefined;
  return {
    soon: (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        emit();
      }, EMIT_MS);
    },
    stop: () => clearTimeout(timer),
  };
};

const gone = (): Result<never> =>
  fail({ kind: 'bad_input', messages: ['There is no such file from the phone.'], fields: {} });

export const createPhone = async (parts: PhoneParts) => {
  // Delete what a killed host left behind.
  await removeFolder(parts.folder);
  const { clock, log, limits = usualPhoneLimits } = parts;
  const changes = createThrottledEmit(parts.changed);
  let code: Code | null = null;
  let heard = { phone: 0, window: 0 };
  let watch: NodeJS.Timeout | undefined;
  /** Serializes opening and closing. */
  const inTurn = createTurns();

  const end = async (one: Code, why: Why): Promise<void> => {
    if (one.listener === null) return;
    const { listener } = one;
    one.listener = null;
    one.state = 'closed';
    one.why = why;
    clearInterval(watch);
    changes.soon();
    await listener.stop();
    await one.settled();
    await one.arrivals.stop();
    if (why !== 'asked')
      log({ level: 'warn', message: 'the code for a phone ended by itself', code: why });
  };
  const look = (one: Code): void => {
    const now = clock.monotonic();
    if (now - heard.window > limits.window_ms) void inTurn(() => end(one, 'window'));
    else if (now - heard.phone > limits.idle_ms) void inTurn(() => end(one, 'idle'));
  };

  const begin = async (address: string): Promise<{ code: string; url: string } | null> => {
    if (code !== null) {
      await end(code, 'asked');
      await code.arrivals.remove();
    }
    code = null;
    const page = await readPhonePage(parts.page, parts.notice);
    if (page === null || !parts.networks().some((one) => one.address === address)) return null;
    const secret = randomBytes(SECRET_BYTES);
    const arrivals = await openArrivals(parts.folder, parts.free_space);
    const one = newCode(arrivals);
    const become = (state: PhoneView['state']) => {
      if (one.state !== 'closed' && one.state !== 'joined') one.state = state;
      changes.soon();
    };
    const talk = createTalk({
      secret,
      arrivals,
      joined: () => {
        heard.phone = clock.monotonic();
        become('joined');
      },
      another: () => {
        one.another = true;
        changes.soon();
      },
    });
    one.settled = talk.settled;
    try {
      one.listener = await startListener({
        address,
        page,
        clock,
        limits,
        // A replayed hello must not keep the code alive, so it does not update `heard`.
        hello: talk.hello,
        ask: async (body) => {
          const reply = await talk.ask(body);
          if (reply.kind === 'answer') {
            heard.phone = clock.monotonic();
            changes.soon();
          }
          return reply;
        },
        seen: () => become('seen'),
        ...refusals(one, limits, () => void inTurn(() => end(one, 'refused'))),
        failed: () => void inTurn(() => end(one, 'failed')),
      });
    } catch (error) {
      log({ level: 'warn', message: 'no phone can be listened for', code: codeOf(error) });
      await arrivals.remove();
      return null;
    }
    heard = { phone: clock.monotonic(), window: clock.monotonic() };
    watch = setInterval(() => look(one), limits.look_ms).unref();
    code = one;
    return { code: one.id, url: addressWith(one.listener.origin, secret) };
  };

  const of = (id: string): Code | null => (code?.id === id ? code : null);

  return {
    networks: async () =>
      ok({
        networks:
          (await readPhonePage(parts.page, parts.notice)) === null ? [] : [...parts.networks()],
      }),
    open: (address: string) => inTurn(async () => ok(await begin(address))),
    get: (): PhoneView => {
      heard.window = clock.monotonic();
      if (code === null) return NO_CODE;
      const { id, state, why, another, arrivals } = code;
      const silent = isSilent(code, clock.monotonic() - heard.phone, limits);
      return { code: id, state, why, another, silent, files: arrivals.view() };
    },
    /** Ends the code. Complete files remain readable. */
    close: (why: Why, id?: string): Promise<void> =>
      inTurn(async () => {
        if (code !== null && (id ?? code.id) === code.id) await end(code, why);
      }),
    read: async (id: string, file: number, offset: number, length: number) => {
      const part = await of(id)?.arrivals.read(file, offset, length);
      return part === null || part === undefined ? gone() : ok(part);
    },
    took: async (id: string, file: number, state: 'kept' | 'there' | 'asks' | 'refused') => {
      const done = await of(id)?.arrivals.took(file, state);
      changes.soon();
      return done === true ? ok({}) : gone();
    },
    stop: (): Promise<void> =>
      inTurn(async () => {
        changes.stop();
        if (code !== null) await end(code, 'asked');
        clearInterval(watch);
        await removeFolder(parts.folder);
      }),
  };
};
export type Phone = Awaited<ReturnType<typeof createPhone>>;
