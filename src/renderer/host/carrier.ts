/**
 * Which carrier this window has: Electron's preload puts one on `window.spotter`; in the browser shell it is made
 * from fetch and EventSource. The only file of the window that reads `window.spotter`.
 */
import type { Carrier } from '../../contract/host.ts';
import { browserCarrier } from './browser-carrier.ts';

declare global {
  interface Window {
    readonly spotter?: Carrier;
  }
}

export const pickCarrier = (): Carrier => window.spotter ?? browserCarrier(location.origin);
