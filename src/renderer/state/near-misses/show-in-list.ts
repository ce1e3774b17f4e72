/** Opens the list with the filters behind a figure, a notice or a search. Replaces the current filters. */
import { localDay } from '../../data/model/local-day.ts';
import type { Only } from '../../data/index/near-miss-columns.ts';
import type { FollowUpFilter, IdField, OnPlan } from '../../data/model/near-miss-query.ts';
import { navigate } from '../../router.ts';
import { app } from '../app.svelte.ts';
import { listChoices, type When } from './list-choices.svelte.ts';

export interface Narrow {
  readonly query?: string;
  readonly ids?: Readonly<Partial<Record<IdField, readonly number[]>>>;
  /** Values by custom field. */
  readonly texts?: Readonly<Record<string, string>>;
  readonly only?: Only;
  readonly follow_up?: FollowUpFilter;
  readonly unanswered?: boolean;
  readonly on_plan?: OnPlan;
  readonly when?: Exclude<When, 'days'>;
  /** Start of the first day, and of the day after the last. Null is open-ended. */
  readonly from?: number | null;
  readonly until?: number | null;
}

export const showInList = ({
  query = '',
  ids = {},
  texts = {},
  only = 'all',
  follow_up,
  unanswered = false,
  on_plan,
  when = 'any',
  from = null,
  until = null,
}: Narrow): void => {
  if (app.scope === null) return;
  listChoices.open(app.scope.account, app.scope.project_id);
  listChoices.clear();
  listChoices.query = query;
  listChoices.when = when;
  listChoices.ids = ids;
  for (const [field, text] of Object.entries(texts)) listChoices.toggleText(field, text);
  listChoices.only = only;
  listChoices.setFollowUp(follow_up ?? null);
  listChoices.setUnanswered(unanswered);
  listChoices.setOnPlan(on_plan ?? null);
  if (from !== null || until !== null) {
    listChoices.when = 'days';
    listChoices.from = from === null ? '' : localDay(from);
    listChoices.to = until === null ? '' : localDay(until - 1);
  }
  listChoices.keep();
  void navigate('/near-misses');
};
