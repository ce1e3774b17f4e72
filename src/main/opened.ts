/**
 * Links and files that macOS hands over as events. It sends those that started the app before the app is ready (Electron's
 * docs/api/app.md), so the entry listens at once, and what comes is kept until a run follows it.
 */
import type { App } from 'electron';
import { askOfLink, type Opened } from './arguments.ts';

export interface OpenedByEvent {
  /** Hears what came already, and from then on what comes. */
  follow(take: (opened: Opened) => void): void;
}

export const hearOpened = (app: Pick<App, 'on'>): OpenedByEvent => {
  const waiting: Opened[] = [];
  let take = (opened: Opened): void => void waiting.push(opened);
  app.on('open-url', (event, url) => {
    event.preventDefault();
    const ask = askOfLink(url);
    if (ask !== null) take({ kind: 'link', ask });
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    take({ kind: 'file', path });
  });
  return {
    follow: (given) => {
      take = given;
      waiting.splice(0).forEach(given);
    },
  };
};
