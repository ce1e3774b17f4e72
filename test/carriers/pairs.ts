/**
 * A host's door and a window's carrier with everything between them, once per shell. The browser shell's runs over
 * real HTTP on loopback; Electron's over a stand-in of ipcMain and ipcRenderer that clones as Electron does.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWindowServer, type WindowServer } from '../../src/browser/server.ts';
import type { Carrier } from '../../src/contract/carrier.ts';
import { type CallSide, type EventSide, plugCarrier } from '../../src/main/window/carrier.ts';
import { ORIGIN, type Sender } from '../../src/main/window/security.ts';
import { electronCarrier, type RendererSide } from '../../src/preload/bridge.ts';
import { browserCarrier, type Web } from '../../src/renderer/host/browser-carrier.ts';
import { type TestDoor, testDoor } from './door.ts';

export interface Pair {
  readonly door: TestDoor;
  readonly carrier: Carrier;
  stop(): Promise<void>;
}

/** What Chromium would add by itself: the cookie, who asks and from where. */
const asTheWindow = (origin: string, cookie: string): Web => {
  const own = { cookie, origin, 'sec-fetch-site': 'same-origin' };
  return {
    fetch: (address, init) =>
      fetch(address, { ...init, headers: { ...(init.headers as Record<string, string>), ...own } }),
  };
};

export interface BrowserPair extends Pair {
  readonly server: WindowServer;
}

export const browserPair = async (
  options: { readonly now?: () => number; readonly hold_ms?: number } = {},
): Promise<BrowserPair> => {
  const door = testDoor();
  const files = await mkdtemp(join(tmpdir(), 'spotter-window-'));
  await writeFile(join(files, 'index.html'), '<!doctype html><title>window</title>');
  const server = await startWindowServer({
    host: door,
    files,
    port: 0,
    patience: { hold_ms: options.hold_ms ?? 1_000, keep_ms: 60_000 },
    ...(options.now === undefined ? {} : { now: options.now }),
  });
  const { at, cookie, key } = server.secrets;
  return {
    door,
    server,
    carrier: browserCarrier(
      server.origin,
      { at, key },
      asTheWindow(server.origin, `${cookie.name}=${cookie.value}`),
    ),
    async stop() {
      await server.stop();
      await rm(files, { recursive: true, force: true });
    },
  };
};

type Listener = (event: unknown, ...args: unknown[]) => void;

/** ipcMain and ipcRenderer as far as the carrier uses them: names to functions, a structured clone on every way. */
const electronStandIn = (frame: () => Sender['senderFrame']) => {
  const handlers = new Map<string, Parameters<CallSide['handle']>[1]>();
  const listeners = new Map<string, Set<Listener>>();
  const main: CallSide = {
    handle: (channel, listener) => void handlers.set(channel, listener),
    removeHandler: (channel) => void handlers.delete(channel),
  };
  const renderer: RendererSide = {
    async invoke(channel, ...args) {
      const handler = handlers.get(channel);
      if (handler === undefined) throw new Error(`No handler registered for '${channel}'`);
      return structuredClone(
        await handler({ senderFrame: frame() }, ...(structuredClone(args) as unknown[])),
      );
    },
    on(channel, listener) {
      const set = listeners.get(channel) ?? new Set();
      listeners.set(channel, set.add(listener));
    },
    removeListener: (channel, listener) => void listeners.get(channel)?.delete(listener),
  };
  const contents: EventSide = {
    isDestroyed: () => false,
    send: (channel, event) =>
      listeners.get(channel)?.forEach((hear) => hear({}, structuredClone(event))),
  };
  return { main, renderer, contents };
};

export const electronPair = async (
  frame: () => Sender['senderFrame'] = () => ({ url: `${ORIGIN}/index.html`, parent: null }),
): Promise<Pair & { readonly notes: string[]; readonly renderer: RendererSide }> => {
  const door = testDoor();
  const { main, renderer, contents } = electronStandIn(frame);
  const notes: string[] = [];
  const unplug = plugCarrier(
    door,
    main,
    () => [contents],
    (text) => notes.push(text),
  );
  return {
    door,
    notes,
    renderer,
    carrier: electronCarrier(renderer),
    stop: async () => unplug(),
  };
};
