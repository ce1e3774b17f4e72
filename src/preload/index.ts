/** Exposes the carrier to the window as `window.spotter`. */
import { contextBridge, ipcRenderer } from 'electron';
import type { Carrier } from '../contract/carrier.ts';
import { electronCarrier } from './bridge.ts';

contextBridge.exposeInMainWorld('spotter', electronCarrier(ipcRenderer) satisfies Carrier);
