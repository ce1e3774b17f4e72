/**
 * Counts open follow-up work of the project's near misses with the list's index. Recounts when a record changes and at
 * midnight. Counts the state now, or at the end of a past day.
 */
import { followUpFields } from '../../data/model/follow-up.ts';
import { localDay } from '../../data/model/local-day.ts';
import type { FollowUps } from '../../data/index/near-miss-columns.ts';
import { app } from '../app.svelte.ts';
import { liveCatalog } from '../catalog.svelte.ts';
import { today } from '../now.svelte.ts';
import { followIndex } from './follow-index.ts';
import { myNames } from './my-names.ts';

export interface FollowUpCountOptions {
  /** The moment to count at, the end of a past day; null for now. */
  readonly ended?: () => number | null;
  /** Number of keys of open follow-ups to read. Default: one page. */
  readonly first?: number;
  /** Counts only those that name the user. */
  readonly mine?: boolean;
}

export class FollowUpCount {
  /** Null before the first count, or if the catalog lacks the fields. */
  value = $state.raw<FollowUps | null>(null);

  /**
   * Must be constructed during component setup.
   * @param wanted read every record even if no list was opened yet
   */
  constructor(
    wanted: boolean,
    { ended = () => null, first, mine = false }: FollowUpCountOptions = {},
  ) {
    const catalog = liveCatalog();
    const fields = $derived(followUpFields(catalog.value?.catalog.custom_field_definitions ?? []));
    const then = $derived(ended());
    const day = $derived(localDay(then === null ? today() : then - 1));
    const names = $derived(mine ? myNames(catalog.value?.catalog) : null);
    let counted: number | null = null;
    $effect(() => {
      const { scope, opened } = app;
      const on = fields && { fields, today: day, ended: then, names, ...(first && { first }) };
      // Never show the count of another day.
      if (counted !== then) this.value = null;
      counted = then;
      if (scope === null || opened === null || on === null) {
        this.value = null;
        return undefined;
      }
      return followIndex(
        { db: opened.db, scope, wanted },
        (index) => index.followUps(on),
        (value) => (this.value = value),
      );
    });
  }
}
