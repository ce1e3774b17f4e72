/**
 * Buffers links and files from the system until a run follows them. macOS sends events, even before the app is ready when they
 * started it (Electron's docs/api/app.md). Windows and Linux pass arguments to a second instance. The entry listens at once.
 */
import type { App } from 'electron';
import { askOfLink, type Opened, openedOfArguments } from '../arguments.ts';

/**
 * @param opened null when there is nothing to open, for instance at a second start
 * @param args arguments of that second start
 */
export type TakeOpened = (opened: Opened | null, args?: readonly string[]) => void;

export interface OpenedByEvent {
  /** Delivers the buffered events first, then every later one. */
  follow(take: TakeOpened): void;
}

export const hearOpened = (app: Pick<App, 'on'>): OpenedByEvent => {
  const waiting: Parameters<TakeOpened>[] = [];
  let take: TakeOpened = (...came) => void waiting.push(came);
  app.on('open-url', (event, url) => {
    event.preventDefault();
    const ask = askOfLink(url);
    if (ask !== null) take({ kind: 'link', ask });
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    take({ kind: 'file', path });
  });
  app.on('second-instance', (_event, argv, cwd) => {
    const args = argv.slice(1);
    take(openedOfArguments(args, cwd), args);
  });
  return {
    follow: (given) => {
      take = given;
      for (const came of waiting.splice(0)) given(...came);
    },
  };
};
