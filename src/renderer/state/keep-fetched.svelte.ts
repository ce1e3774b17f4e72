/**
 * Keeps a server's list fresh while a screen shows it. Fetches when the screen opens or shows another list, when the network
 * returns, and when the queue changes.
 */
import { untrack } from 'svelte';
import type { Result } from '../../contract/problem.ts';
import { app } from './app.svelte.ts';
import { Refreshing } from './refreshing.svelte.ts';

/** The list that a screen shows. */
export interface Wanted {
  /** Name of the list. A response for another list is discarded. */
  readonly of: string;
  fetch(): Promise<Result<unknown>>;
}

export interface KeptFetched {
  readonly fetching: Refreshing;
  /** Fetches at once, at a person's request. */
  readonly again: () => void;
}

/** @param wanted null if there is nothing to fetch. Must be called during component setup. */
export const keepFetched = (wanted: () => Wanted | null): KeptFetched => {
  const fetching = new Refreshing();
  const again = (): void => {
    const now = app.session.view?.state === 'ready' ? wanted() : null;
    if (now !== null) void fetching.run(now.of, () => now.fetch());
  };
  $effect(() => {
    void [wanted()?.of, app.counts.operations, app.session.view?.state];
    if (app.online !== false) untrack(again);
  });
  return { fetching, again };
};
