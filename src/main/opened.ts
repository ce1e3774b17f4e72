/**
 * Links and files that the system hands over to a Spotter that runs or starts: macOS as events, which it sends before the app is ready
 * where they started it (Electron's docs/api/app.md), Windows and Linux as arguments of another start. The entry listens at once, and
 * what comes is kept until a run follows it.
 */
import type { App } from 'electron';
import { askOfLink, type Opened, openedOfArguments } from './arguments.ts';

/** @param opened null: Spotter was only started once more. @param args of that other start */
export type TakeOpened = (opened: Opened | null, args?: readonly string[]) => void;

export interface OpenedByEvent {
  /** Hears what came already, and from then on what comes. */
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
