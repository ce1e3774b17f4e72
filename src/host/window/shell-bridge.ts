/**
 * Connects a shell and its window. Buffers requests from the shell until a window takes them, and emits the window's reports to
 * listeners. Also relays the desktop shell's state, and requests to it. The browser shell uses none of this.
 */
import type { WindowAsk, WindowReport } from '../../contract/asks.ts';
import type { DesktopDeed, DesktopView } from '../../contract/desktop.ts';
import type { HostEvent } from '../../contract/host.ts';
import type { WindowAnswer } from '../../contract/self-test.ts';

/** Maximum number of buffered requests, more than a person makes before a window opens. The oldest is dropped first. */
const KEPT = 20;

export interface ShellBridge {
  ask(ask: WindowAsk): void;
  take(): WindowAsk[];
  report(report: WindowReport): void;
  /** Relays the window's answer in a self-test. */
  tellCheck(answer: WindowAnswer): void;
  tellDesktop(view: DesktopView): void;
  desktop(): DesktopView | null;
  askDesktop(what: DesktopDeed): void;
}

export const createShellBridge = (tell: (event: HostEvent) => void): ShellBridge => {
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
