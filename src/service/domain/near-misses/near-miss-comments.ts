/**
 * [ours] Comments on a near miss (decisions §18). A comment is a change of the near miss: it moves `updated_at`, and history and events
 * report it, so that nobody needs a second list to follow. The history holds its id, never its text, so a removed text is gone.
 */
import {
  COMMENTS_MAX,
  type NearMissComment,
} from '../../../contract/rest/history/near-miss-comments.ts';
import { stampChange } from '../../store/engine/change-clock.ts';
import * as store from '../../store/near-misses/near-miss-comments.ts';
import * as lists from '../../store/near-misses/near-miss-lists.ts';
import { updateNearMiss } from '../../store/near-misses/near-misses.ts';
import { requireOwn, seesOwnOnly } from '../access/access.ts';
import { recordsOf, type FilesContext } from '../context.ts';
import { recordCommentMails } from '../mail/comment-mails.ts';
import { requireNames } from '../retention/anonymised.ts';
import { requireNotHeld } from '../retention/legal-holds.ts';
import { pageOf, type Page, type Paged } from '../page.ts';
import { invalid, notFound } from '../problem.ts';
import { recordHistory } from './near-miss-history.ts';
import { wireTime, wireTimeOrNull } from './near-miss-view.ts';

const record = recordsOf('Near Misses');

const view = (row: store.ShownComment): NearMissComment => ({
  id: row.id,
  text: row.text,
  created_at: wireTime(row.created_at),
  created_by: { id: row.created_by, name: row.author_name, login: row.author_login },
  removed_at: wireTimeOrNull(row.removed_at),
  removed_by:
    row.removed_by === null
      ? null
      : { id: row.removed_by, name: row.remover_name ?? '', login: row.remover_login ?? '' },
});

/** @param recycled null: a recycled near miss too. @throws Refusal 404 */
const requireVisible = async (
  context: FilesContext,
  near_miss_id: number,
  recycled: false | null,
): Promise<lists.NearMissRow> => {
  const { db, company_id, project_id, user_id, access } = context;
  const scope = { company_id, project_id, user_id, recycled, own: seesOwnOnly(access) };
  const row = await lists.findNearMiss(db, scope, near_miss_id);
  if (!row) throw notFound();
  return row;
};

/** Newest first. @throws Refusal 404 */
export const listComments = async (
  context: FilesContext,
  near_miss_id: number,
  paged: Paged,
): Promise<Page<NearMissComment>> => {
  const { db, company_id } = context;
  await requireVisible(context, near_miss_id, null);
  const where = { company_id, near_miss_id };
  return pageOf(paged, {
    count: () => store.countComments(db, where),
    rows: (slice) => store.listComments(db, where, slice),
    view: (rows) => rows.map(view),
  });
};

/** Counts the comment in the near miss, and reports the change. */
const reportChange = async (
  context: FilesContext,
  row: lists.NearMissRow,
  updated_at: number,
  change: { readonly from: number | null; readonly to: number | null },
): Promise<void> => {
  const { db, company_id, project_id } = context;
  const comment_count = row.comment_count + (change.to === null ? -1 : 1);
  const where = { company_id, project_id, id: row.id };
  await updateNearMiss(db, where, { comment_count, updated_at });
  const changes = [{ field: 'comments', ...change }];
  await recordHistory(context, row.id, updated_at, 'updated', changes);
  await record(context, row.id, 'update');
};

const shown = async (
  { db }: FilesContext,
  where: store.Where,
  id: number,
): Promise<NearMissComment> => {
  const row = await store.findComment(db, where, id);
  if (!row) throw notFound();
  return view(row);
};

/** @throws Refusal 404, 409, 422 */
export const createComment = async (
  context: FilesContext,
  near_miss_id: number,
  text: string,
): Promise<NearMissComment> => {
  const { db, company_id, user_id, now } = context;
  const where = { company_id, near_miss_id };
  // The company's lock comes with the stamp, so concurrent comments are counted one after another. The stamp is also the time of
  // the comment: `now` is from before the body came, and would order comments otherwise than their ids.
  const updated_at = await stampChange(db, company_id, now);
  const row = await requireVisible(context, near_miss_id, false);
  requireNames(row);
  if ((await store.countComments(db, where)) >= COMMENTS_MAX)
    throw invalid({ comment: [`a near miss has at most ${COMMENTS_MAX} comments`] });
  const earlier = await store.listCommenters(db, where);
  const comment = { company_id, near_miss_id, text, created_by: user_id, created_at: updated_at };
  const id = await store.insertComment(db, comment);
  await reportChange(context, row, updated_at, { from: null, to: id });
  await recordCommentMails(context, row, { id, earlier });
  return shown(context, where, id);
};

/** Removes the text and leaves who wrote it. Removing it again changes nothing. @throws Refusal 403, 404, 409 */
export const removeComment = async (
  context: FilesContext,
  near_miss_id: number,
  id: number,
): Promise<NearMissComment> => {
  const { db, company_id, user_id, now } = context;
  const where = { company_id, near_miss_id };
  const updated_at = await stampChange(db, company_id, now);
  const row = await requireVisible(context, near_miss_id, false);
  const found = await store.findComment(db, where, id);
  if (!found) throw notFound();
  requireOwn(context, 'remove_comment', [found.created_by]);
  if (found.removed_at !== null) return view(found);
  await requireNotHeld(db, where, 'remove_comment');
  await store.removeComment(db, where, id, { removed_by: user_id, removed_at: updated_at });
  await reportChange(context, row, updated_at, { from: id, to: null });
  return shown(context, where, id);
};
