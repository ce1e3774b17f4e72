/** The window side of renderer-commands.ts: a typed host client that reaches the real host in Node through vitest's channel. */
import { commands } from 'vitest/browser';
import type { Carrier } from '../../src/contract/carrier.ts';
import type { SessionView } from '../../src/contract/host.ts';
import type { NearMiss } from '../../src/contract/rest/near-misses.ts';
import { createHost, type Host } from '../../src/renderer/host/client.ts';
import type { CarriedReply, Weather } from './renderer-commands.ts';

declare module 'vitest/browser' {
  interface BrowserCommands {
    realStart: (clocked: boolean) => Promise<{ id: string; session: SessionView }>;
    realCall: (
      id: string,
      method: string,
      input: unknown,
      bytes: string | null,
    ) => Promise<CarriedReply>;
    realWeather: (id: string, weather: Weather) => Promise<void>;
    realLater: (id: string, ms: number) => Promise<void>;
    realSeen: (id: string) => Promise<Seen>;
    realFlap: (id: string, seed: number, outages: number) => Promise<void>;
    realFlapped: (id: string) => Promise<number>;
    realRestartHost: (id: string) => Promise<void>;
    realRecords: (id: string, text: string) => Promise<NearMiss[]>;
    realStop: (id: string) => Promise<void>;
  }
}

const toBase64 = (bytes: Uint8Array<ArrayBuffer>): string => {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
};
const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

interface Seen {
  readonly puts: number;
  readonly puts_in: number;
  readonly posts: number;
}

export interface RealWorld {
  readonly host: Host;
  readonly session: SessionView;
  weather(weather: Weather): Promise<void>;
  /** Moves the service's clock; only in a world that is `clocked`. */
  later(ms: number): Promise<void>;
  /** Requests seen by the proxy so far. */
  seen(): Promise<Seen>;
  /** Starts outages by a seed. */
  flap(seed: number, outages: number): Promise<void>;
  /** Waits until the network is up for good; returns the number of outages. */
  flapped(): Promise<number>;
  restartHost(): Promise<void>;
  records(text: string): Promise<NearMiss[]>;
  stop(): Promise<void>;
}

/**
 * Starts a service with demo data and a host connected through the chaos proxy; returns a client of that host.
 * @param clocked the service's time is this machine's until `later`, instead of a day in January
 */
export const realWorld = async (clocked = false): Promise<RealWorld> => {
  const { id, session } = await commands.realStart(clocked);
  const carrier: Carrier = {
    async call(method, input, bytes) {
      const reply = await commands.realCall(
        id,
        method,
        input,
        bytes === undefined ? null : toBase64(bytes),
      );
      if (reply.bytes === null) return { result: reply.result };
      return { result: reply.result, bytes: fromBase64(reply.bytes) };
    },
    // Events only refresh the display; these tests do not depend on them.
    listen: () => () => {},
  };
  return {
    host: createHost(carrier),
    session,
    weather: (weather) => commands.realWeather(id, weather),
    later: (ms) => commands.realLater(id, ms),
    seen: () => commands.realSeen(id),
    flap: (seed, outages) => commands.realFlap(id, seed, outages),
    flapped: () => commands.realFlapped(id),
    restartHost: () => commands.realRestartHost(id),
    records: (text) => commands.realRecords(id, text),
    stop: () => commands.realStop(id),
  };
};
