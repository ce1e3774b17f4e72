/**
 * The Electron carrier's host side: one request channel and one event channel. It judges the sender and passes on;
 * what a method takes and gives is the host's to parse. Typed by the slices it uses, so that the carrier suite runs
 * it against a stand-in of ipcMain.
 */
import type { CarrierReply, HostDoor } from '../contract/carrier.ts';
import { CALL_CHANNEL, EVENT_CHANNEL } from '../contract/channels.ts';
import { fail } from '../contract/problem.ts';
import { mayCall, type Sender } from './security.ts';

/** Of Electron's ipcMain. */
export interface CallSide {
  handle(
    channel: string,
    listener: (event: Sender, ...args: unknown[]) => Promise<CarrierReply>,
  ): void;
  removeHandler(channel: string): void;
}

/** Of a window's webContents. */
export interface EventSide {
  isDestroyed(): boolean;
  send(channel: string, event: unknown): void;
}

const refused = (why: string): CarrierReply => ({
  result: fail({ kind: 'bad_input', messages: [why], fields: {} }),
});

/** Structured clone hands over what the window sent; only a plain byte array may pass as bytes. */
const bytesOf = (value: unknown): Uint8Array<ArrayBuffer> | undefined | null => {
  if (value === undefined || value === null) return undefined;
  if (value instanceof Uint8Array && value.buffer instanceof ArrayBuffer)
    return value as Uint8Array<ArrayBuffer>;
  return null;
};

/**
 * @param windows every open window's event side, asked at each event
 * @param note told about every refused call
 * @returns ends the carrier
 */
export const plugCarrier = (
  host: HostDoor,
  ipc: CallSide,
  windows: () => readonly EventSide[],
  note: (text: string) => void,
): (() => void) => {
  ipc.handle(CALL_CHANNEL, async (event, method, input, bytes) => {
    if (!mayCall(event)) {
      note('refused a call from a frame that is not the window');
      return refused('only the window may call');
    }
    const given = bytesOf(bytes);
    if (typeof method !== 'string' || given === null) {
      note('refused a call that is not (method, input, bytes)');
      return refused('a call is a method name, its input and, for some, bytes');
    }
    return host
      .call(method, input, given)
      .catch((error: unknown) => ({ result: fail({ kind: 'bug', detail: String(error) }) }));
  });
  const unlisten = host.listen((event) => {
    for (const window of windows()) if (!window.isDestroyed()) window.send(EVENT_CHANNEL, event);
  });
  return () => {
    unlisten();
    ipc.removeHandler(CALL_CHANNEL);
  };
};
