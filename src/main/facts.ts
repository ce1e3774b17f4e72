/** What the desktop program tells its window of itself (contract/desktop.ts): told anew whenever a part of it changed. */
import type { DesktopView } from '../contract/desktop.ts';
import type { Host } from '../host/index.ts';
import { proposedKeys } from './shortcut.ts';

export interface Facts {
  tell(change: Partial<DesktopView>): void;
}

export const createFacts = (host: Pick<Host, 'tellDesktop'>): Facts => {
  let view: DesktopView = {
    keys: { state: 'off', chosen: proposedKeys(process.platform)[0] ?? '', free: [] },
    update: { state: 'off', version: null, looked_at: null },
  };
  return {
    tell: (change) => {
      view = { ...view, ...change };
      host.tellDesktop(view);
    },
  };
};
