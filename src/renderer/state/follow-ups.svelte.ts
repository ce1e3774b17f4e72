/**
 * What has to be done after the near misses of the project, counted by the index that the list keeps: again when a record changes,
 * and at midnight. As it is now, or as it stood when a day ended.
 */
import { followUpFields } from '../data/follow-up.ts';
import { localDay } from '../data/local-day.ts';
import type { FollowUps } from '../data/near-miss-columns.ts';
import { indexOf } from '../data/near-miss-index.ts';
import { app } from './app.svelte.ts';
import { liveCatalog } from './catalog.svelte.ts';
import { today } from './now.svelte.ts';

export class FollowUpCount {
  /** Null before it is counted, and where the catalog has no fields for it. */
  value = $state.raw<FollowUps | null>(null);

  /**
   * To be made while a component is set up.
   * @param wanted read every record for it, where nobody has asked for the list yet
   * @param ended the end of a day that has passed; null: now
   */
  constructor(wanted: boolean, ended: () => number | null = () => null) {
    const catalog = liveCatalog();
    const fields = $derived(followUpFields(catalog.value?.catalog.custom_field_definitions ?? []));
    const then = $derived(ended());
    const day = $derived(localDay(then === null ? today() : then - 1));
    let counted: number | null = null;
    $effect(() => {
      const { scope, opened } = app;
      const on = fields && { fields, today: day, ended: then };
      // What was counted of another day is not this one's.
      if (counted !== then) this.value = null;
      counted = then;
      if (scope === null || opened === null || on === null) {
        this.value = null;
        return undefined;
      }
      const index = indexOf(opened.db, scope);
      let current = true;
      const count = async (): Promise<void> => {
        if (!wanted && !index.ready) return;
        const value = await index.followUps(on);
        if (current && index.ready) this.value = value;
      };
      void count();
      const end = index.listen(({ reading }) => reading === undefined && void count());
      return () => {
        current = false;
        end();
      };
    });
  }
}
