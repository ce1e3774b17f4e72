/**
 * Host side of the Electron IPC transport: one request channel and one event channel. It checks the sender and passes calls on;
 * the host parses each method's input. It depends only on slices of Electron's types, so the carrier suite runs it with a
 * stand-in for ipcMain.
 */
import type { CarrierReply, HostApi } from '../../contract/carrier.ts';
import { CALL_CHANNEL, EVENT_CHANNEL } from '../../contract/channels.ts';
import { fail } from '../../contract/problem.ts';
import { mayCall, type Sender } from './security.ts';

/** The slice of Electron's ipcMain used here. */
export interface CallSide {
  handle(
    channel: string,
    listener: (event: Sender, ...args: unknown[]) => Promise<CarrierReply>,
  ): void;
  removeHandler(channel: string): void;
}

/** The slice of a window's webContents used here. */
export interface EventSide {
  isDestroyed(): boolean;
  send(channel: string, event: unknown): void;
}

const refused = (why: string): CarrierReply => ({
  result: fail({ kind: 'bad_input', messages: [why], fields: {} }),
});

/** Returns null for anything but a plain byte array, because structured clone delivers whatever the window sent. */
const bytesOf = (value: unknown): Uint8Array<ArrayBuffer> | undefined | null => {
  if (value === undefined || value === null) return undefined;
  if (value instanceof Uint8Array && value.buffer instanceof ArrayBuffer)
    return value as Uint8Array<ArrayBuffer>;
  return null;
};

/**
 * @param windows the event side of every open window, looked up at each event
 * @param note receives a line for every refused call
 * @returns a function that detaches the transport
 */
export const plugCarrier = (
  host: HostApi,
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
