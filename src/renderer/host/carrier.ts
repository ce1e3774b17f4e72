/**
 * Picks this window's carrier: `window.spotter` from Electron's preload, or one built from fetch and the entry page's data for
 * this tab. No other file of the window reads either source.
 */
import { type Carrier, ENTERED, entered } from '../../contract/carrier.ts';
import { fail } from '../../contract/problem.ts';
import { browserCarrier, type Web } from './browser-carrier.ts';
import type { WindowCarrier } from './window-carrier.ts';

declare global {
  interface Window {
    readonly spotter?: Carrier;
  }
}

/** Sends a tab that was not admitted to the entry page, which says what to do. */
const leave = (): WindowCarrier => {
  sessionStorage.removeItem(ENTERED);
  location.replace('/enter');
  const detail = 'this page was not let in';
  const nothing = fail({ kind: 'offline', reason: 'unreachable', detail } as const);
  return { call: async () => ({ result: nothing }), listen: () => () => undefined };
};

const enteredHere = () => {
  try {
    return entered.safeParse(JSON.parse(sessionStorage.getItem(ENTERED) ?? 'null')).data;
  } catch {
    return undefined;
  }
};

/** Sends a tab from an ended launch to the entry page at its first response. Nothing was typed in it yet, so nothing is lost. */
const leavingAtOnce = (): Web => {
  let heard = false;
  return {
    async fetch(address, init) {
      const answer = await fetch(address, init);
      if (!heard && (answer.status === 401 || answer.status === 403)) leave();
      heard = true;
      return answer;
    },
  };
};

export const pickCarrier = (): WindowCarrier => {
  if (window.spotter !== undefined) return window.spotter;
  const here = enteredHere();
  return here === undefined ? leave() : browserCarrier(location.origin, here, leavingAtOnce());
};
