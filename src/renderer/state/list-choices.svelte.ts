/** How the list is narrowed and sorted: kept while the window is open, so that going to a record and back changes nothing. */
import type { ListQuery } from '../data/near-miss-list.ts';

class ListChoices {
  only = $state<'all' | 'worst' | 'waiting'>('all');
  week = $state(false);
  harm_source_id = $state<number | null>(null);
  sort = $state<NonNullable<ListQuery['sort']>>('-created_at');

  clear(): void {
    this.only = 'all';
    this.week = false;
    this.harm_source_id = null;
  }
}

export const listChoices = new ListChoices();
