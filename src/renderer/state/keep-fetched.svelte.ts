/**
 * A server's list that a screen keeps up to date behind it: fetched when the screen opens, when it shows another one, when the
 * network is back, and when the queue has moved.
 */
import { untrack } from 'svelte';
import type { Result } from '../../contract/problem.ts';
import { app } from './app.svelte.ts';
import { Refreshing } from './refreshing.svelte.ts';

/** What a screen shows now. */
export interface Wanted {
  /** The list's name: the answer to another one is not shown. */
  readonly of: string;
  fetch(): Promise<Result<unknown>>;
}

export interface KeptFetched {
  readonly fetching: Refreshing;
  /** Asks at once, as a person wants it. */
  readonly again: () => void;
}

/** @param wanted null: nothing to fetch. To be called while a component is set up. */
export const keepFetched = (wanted: () => Wanted | null): KeptFetched => {
  const fetching = new Refreshing();
  const again = (): void => {
    const now = app.session.view?.state === 'ready' ? wanted() : null;
    if (now !== null) void fetching.run(now.of, () => now.fetch());
  };
  $effect(() => {
    void [wanted()?.of, app.counts.entries, app.session.view?.state];
    if (app.online !== false) untrack(again);
  });
  return { fetching, again };
};
