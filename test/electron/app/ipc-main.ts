/** `ipcMain`: receives the pages' `ipcRenderer.invoke` calls, with the sending frame. */
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { known } from './known.ts';
import { answers } from './line.ts';
import { contentsOf } from './windows.ts';

type Listener = (event: Electron.IpcMainInvokeEvent, ...args: unknown[]) => unknown;

class StandInIpcMain extends EventEmitter {
  handlers = new Map<string, Listener>();
  /** lib/browser/ipc-main-impl.ts: "Attempted to register a second handler for '…'". */
  handle(channel: string, listener: Listener): void {
    if (this.handlers.has(channel))
      throw new Error(`Attempted to register a second handler for '${channel}'`);
    this.handlers.set(channel, listener);
  }
  removeHandler(channel: string): void {
    this.handlers.delete(channel);
  }
}

const made = new StandInIpcMain();
export const ipcMain = known('ipcMain', made);

/**
 * docs/api/ipc-main.md: arguments and results are structured clones; `senderFrame` is null for a destroyed frame
 * (electron.d.ts, IpcMainInvokeEvent). lib/renderer/api/ipc-renderer.ts words the error.
 */
answers.invoke = async ({ window, channel, args, frame }) => {
  const handler = made.handlers.get(channel);
  const failed = (error: unknown): Error =>
    new Error(`Error invoking remote method '${channel}': ${String(error)}`);
  if (handler === undefined) throw failed(`Error: No handler registered for '${channel}'`);
  const sent = {
    sender: contentsOf(window),
    senderFrame: frame,
    frameId: 1,
    processId: 1,
    type: 'frame',
  } as unknown as Electron.IpcMainInvokeEvent;
  try {
    return structuredClone(await handler(sent, ...(structuredClone(args) as unknown[])));
  } catch (error) {
    throw failed(error);
  }
};
