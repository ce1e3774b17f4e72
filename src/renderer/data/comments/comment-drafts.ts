/**
 * Unfinished comments (decisions §18). A comment that leaves the queue because its report becomes a draft again is kept here, so that
 * its text is not lost: the report offers it once it is saved again.
 */
import { nearMiss } from '../../operations/queued.ts';
import type { Deps, OutboxOperation, SpotterDb } from '../db/db.ts';

export const readCommentDraft = async ({ db }: Pick<Deps, 'db'>, key: string): Promise<string> =>
  (await db.comment_drafts.get(key))?.text ?? '';

/** An empty text ends the draft. */
export const keepCommentDraft = async (
  { db }: Pick<Deps, 'db'>,
  key: string,
  text: string,
): Promise<void> => {
  if (text.trim() === '') await db.comment_drafts.delete(key);
  else await db.comment_drafts.put({ key, text });
};

/**
 * Makes one draft of the unfinished and the queued comments on a near miss. Inside a transaction that drops the operations.
 * @param lane the operations of the near miss, oldest first
 * @param to the key under which the near miss is saved again
 */
export const draftQueuedComments = async (
  db: SpotterDb,
  lane: readonly OutboxOperation[],
  { key, to }: { readonly key: string; readonly to: string },
): Promise<void> => {
  const queued = nearMiss.comment.in(lane).map(({ payload }) => payload.text);
  const text = [...queued, await readCommentDraft({ db }, key)].filter(Boolean).join('\n\n');
  await keepCommentDraft({ db }, to, text);
};
