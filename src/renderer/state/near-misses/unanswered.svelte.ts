/** Counts the near misses without an answer (decisions §4.10) with the list's index. Recounts when a record changes and at midnight. */
import { answerFields } from '../../data/model/answer.ts';
import { startOfAnswering } from '../../data/model/shift.ts';
import type { Unanswered } from '../../data/index/near-miss-columns.ts';
import { app } from '../app.svelte.ts';
import { liveCatalog } from '../catalog.svelte.ts';
import { today } from '../now.svelte.ts';
import { followIndex } from './follow-index.ts';

export class UnansweredCount {
  /** Null before the first count, or if the catalog lacks the fields. */
  value = $state.raw<Unanswered | null>(null);

  /** Must be constructed during component setup. */
  constructor() {
    const catalog = liveCatalog();
    const fields = $derived(answerFields(catalog.value?.catalog.custom_field_definitions ?? []));
    const since = $derived(startOfAnswering(today()));
    $effect(() => {
      const { scope, opened } = app;
      const [on, from] = [fields, since];
      this.value = null;
      if (scope === null || opened === null || on === null) return undefined;
      return followIndex(
        { db: opened.db, scope, wanted: false },
        (index) => index.unanswered(on, from),
        (value) => (this.value = value),
      );
    });
  }
}
