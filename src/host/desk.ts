/**
 * Between a shell and its window: asks from outside are kept until a window takes them, and what the window reports of the queue is
 * told to whoever listens; what a desktop program says of itself, and what is asked of it there. The browser shell asks nothing and hears nothing.
 */
import type { WindowAsk, WindowReport } from '../contract/asks.ts';
import type { DesktopDeed, DesktopView } from '../contract/desktop.ts';
import type { HostEvent } from '../contract/host.ts';
import type { WindowAnswer } from '../contract/self-test.ts';

/** More than a person asks for before a window is there; the oldest goes first. */
const KEPT = 20;

export interface Desk {
  ask(ask: WindowAsk): void;
  take(): WindowAsk[];
  report(report: WindowReport): void;
  /** Of the window, in a self-test. */
  tellCheck(answer: WindowAnswer): void;
  /** The shell tells of itself. */
  tellDesktop(view: DesktopView): void;
  desktop(): DesktopView | null;
  askDesktop(what: DesktopDeed): void;
}

export const createDesk = (tell: (event: HostEvent) => void): Desk => {
  let waiting: WindowAsk[] = [];
  let told: DesktopView | null = null;
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
    tellCheck: (answer) => tell({ kind: 'self_test.told', answer }),
    tellDesktop: (view) => {
      told = view;
      tell({ kind: 'desktop.changed', desktop: view });
    },
    desktop: () => told,
    askDesktop: (what) => tell({ kind: 'desktop.asked', what }),
  };
};
