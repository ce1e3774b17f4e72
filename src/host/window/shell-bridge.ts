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
  reportCheck(answer: WindowAnswer): void;
  setDesktop(view: DesktopView): void;
  desktop(): DesktopView | null;
  askDesktop(what: DesktopDeed): void;
}

export const createShellBridge = (emit: (event: HostEvent) => void): ShellBridge => {
  let waiting: WindowAsk[] = [];
  let desktopView: DesktopView | null = null;
  return {
    ask: (ask) => {
      waiting = [...waiting, ask].slice(-KEPT);
      emit({ kind: 'asked' });
    },
    take: () => {
      const taken = waiting;
      waiting = [];
      return taken;
    },
    report: (report) => emit({ kind: 'window.reported', report }),
    reportCheck: (answer) => emit({ kind: 'self_test.reported', answer }),
    setDesktop: (view) => {
      desktopView = view;
      emit({ kind: 'desktop.changed', desktop: view });
    },
    desktop: () => desktopView,
    askDesktop: (what) => emit({ kind: 'desktop.asked', what }),
  };
};
