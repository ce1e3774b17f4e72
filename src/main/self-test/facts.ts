/** Sends the shell's state to its window (contract/desktop.ts) again whenever a part of it changes. */
import type { DesktopView } from '../../contract/desktop.ts';
import type { Host } from '../../host/index.ts';
import { proposedKeys } from '../system/shortcut.ts';

export interface Facts {
  update(change: Partial<DesktopView>): void;
}

export const createFacts = (host: Pick<Host, 'setDesktop'>): Facts => {
  let view: DesktopView = {
    keys: { state: 'off', chosen: proposedKeys(process.platform)[0] ?? '', free: [] },
    update: { state: 'off', version: null, looked_at: null },
    in_sight: true,
  };
  return {
    update: (change) => {
      view = { ...view, ...change };
      host.setDesktop(view);
    },
  };
};
