/**
 * The window side of the Electron carrier: turns ipcRenderer into the `Carrier` of contract/carrier.ts. Only the two channels
 * imported here are used; no Electron object reaches the window, not even the event (checklist 20).
 */
import { CALL_CHANNEL, EVENT_CHANNEL } from '../contract/channels.ts';
import type { Carrier, CarrierReply } from '../contract/carrier.ts';

/** The used part of Electron's ipcRenderer. */
export interface RendererSide {
  invoke(channel: string, ...args: unknown[]): Promise<unknown>;
  on(channel: string, listener: (event: unknown, ...args: unknown[]) => void): unknown;
  removeListener(channel: string, listener: (event: unknown, ...args: unknown[]) => void): unknown;
}

export const electronCarrier = (ipc: RendererSide): Carrier => ({
  async call(method, input, bytes) {
    try {
      return (await ipc.invoke(CALL_CHANNEL, method, input, bytes)) as CarrierReply;
    } catch (error) {
      // The host is shutting down, or the input cannot be cloned. Returned as data, like every other failure.
      const detail = error instanceof Error ? error.message : String(error);
      return { result: { ok: false, problem: { kind: 'bug', detail } } };
    }
  },
  listen(hear) {
    const pass = (_event: unknown, event: unknown) => hear(event);
    ipc.on(EVENT_CHANNEL, pass);
    return () => void ipc.removeListener(EVENT_CHANNEL, pass);
  },
});
