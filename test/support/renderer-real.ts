/** The window's side of renderer-commands.ts: a typed host whose carrier is vitest's channel to the real one in Node. */
import { commands } from 'vitest/browser';
import type { Carrier } from '../../src/contract/carrier.ts';
import type { SessionView } from '../../src/contract/host.ts';
import type { NearMiss } from '../../src/contract/rest/near-misses.ts';
import { createHost, type Host } from '../../src/renderer/host/client.ts';
import type { CarriedReply, Weather } from './renderer-commands.ts';

declare module 'vitest/browser' {
  interface BrowserCommands {
    realStart: () => Promise<{ id: string; session: SessionView }>;
    realCall: (
      id: string,
      method: string,
      input: unknown,
      bytes: string | null,
    ) => Promise<CarriedReply>;
    realWeather: (id: string, weather: Weather) => Promise<void>;
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
  /** What went through the proxy so far. */
  seen(): Promise<Seen>;
  /** The network comes and goes from now on. */
  flap(seed: number, outages: number): Promise<void>;
  /** Until it is up for good; how often it was down. */
  flapped(): Promise<number>;
  restartHost(): Promise<void>;
  records(text: string): Promise<NearMiss[]>;
  stop(): Promise<void>;
}

/** A service with demo data, a host connected to it through the breaking proxy, and a client on that host. */
export const realWorld = async (): Promise<RealWorld> => {
  const { id, session } = await commands.realStart();
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
    // Events are for showing only; nothing in these tests hangs on one.
    listen: () => () => {},
  };
  return {
    host: createHost(carrier),
    session,
    weather: (weather) => commands.realWeather(id, weather),
    seen: () => commands.realSeen(id),
    flap: (seed, outages) => commands.realFlap(id, seed, outages),
    flapped: () => commands.realFlapped(id),
    restartHost: () => commands.realRestartHost(id),
    records: (text) => commands.realRecords(id, text),
    stop: () => commands.realStop(id),
  };
};
