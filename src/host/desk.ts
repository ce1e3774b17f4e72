/**
 * Between a shell and its window: asks from outside are kept until a window takes them, and what the window reports of the queue is
 * told to whoever listens. The browser shell asks nothing and hears nothing.
 */
import type { WindowAsk, WindowReport } from '../contract/asks.ts';
import type { HostEvent } from '../contract/host.ts';

/** More than a person asks for before a window is there; the oldest goes first. */
const KEPT = 20;

export interface Desk {
  ask(ask: WindowAsk): void;
  take(): WindowAsk[];
  report(report: WindowReport): void;
}

export const createDesk = (tell: (event: HostEvent) => void): Desk => {
  let waiting: WindowAsk[] = [];
  return {
    ask: (ask) => {
      waiting = [...waiting, ask].slice(-KEPT);
      tell({ kind: 'asked' });
    },
    take: () => {
      const taken = waiting;
      waiting = [];
      return taken;
    },
    report: (report) => tell({ kind: 'window.reported', report }),
  };
};
