/**
 * Which carrier this window has: Electron's preload puts one on `window.spotter`; in the browser shell it is made
 * from fetch and EventSource. The only file of the window that reads `window.spotter`.
 */
import type { Carrier, CarrierReply } from '../../contract/carrier.ts';
import { browserCarrier } from './browser-carrier.ts';

declare global {
  interface Window {
    readonly spotter?: Carrier;
  }
}

/** What a carrier in a browser may do besides: bytes go from a file without passing through this page's memory. */
export interface WindowCarrier extends Carrier {
  readonly callWithFile?: (method: string, input: unknown, bytes: Blob) => Promise<CarrierReply>;
}

export const pickCarrier = (): WindowCarrier => window.spotter ?? browserCarrier(location.origin);
