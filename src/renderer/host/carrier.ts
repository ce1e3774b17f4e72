/**
 * Which carrier this window has: Electron's preload puts one on `window.spotter`; in the browser shell it is made
 * from fetch and what the entry page left in this tab. The only file of the window that reads either.
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

/** A tab that was not let in goes to the entry page, which says what to do. */
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

/** A tab that was let in by a launch that has ended learns it from its first answer: nothing was done in it yet. */
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
