/** [ours] Comments on a near miss: plain text by people who see it (decisions §18). */
import { z } from 'zod';
import { dateTime, endpoint, id, pathId } from '../protocol/endpoint.ts';
import { pagingQuery } from '../protocol/paging.ts';

/** Characters of one comment. */
export const COMMENT_MAX = 4000;
/** Comments of one near miss, removed ones included. */
export const COMMENTS_MAX = 1000;

const author = z.object({ id, name: z.string(), login: z.string() });

const nearMissComment = z.object({
  id,
  /** Null: removed. */
  text: z.string().nullable(),
  created_at: dateTime,
  created_by: author,
  removed_at: dateTime.nullable(),
  removed_by: author.nullable(),
});
export type NearMissComment = z.infer<typeof nearMissComment>;

const commentCreate = z.object({
  text: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(COMMENT_MAX, `must have at most ${COMMENT_MAX} characters`),
});

const tag = 'Near misses';
const path = '/rest/v1.0/projects/{project_id}/incidents/near_misses/{id}/comments';

export const nearMissCommentEndpoints = {
  'near_miss_comments.list': endpoint({
    method: 'GET',
    path,
    params: { project_id: pathId, id: pathId },
    query: z.object(pagingQuery),
    reply: z.array(nearMissComment),
    paging: 'link',
    extension: true,
    tag,
    summary: 'List the comments on a near miss, newest first',
  }),
  'near_miss_comments.create': endpoint({
    method: 'POST',
    path,
    params: { project_id: pathId, id: pathId },
    body: z.object({ comment: commentCreate }),
    reply: nearMissComment,
    status: 201,
    extension: true,
    tag,
    summary: 'Comment on a near miss',
  }),
  'near_miss_comments.delete': endpoint({
    method: 'DELETE',
    path: `${path}/{comment_id}`,
    params: { project_id: pathId, id: pathId, comment_id: pathId },
    reply: nearMissComment,
    extension: true,
    tag,
    summary: 'Remove the text of a comment. Its author and time stay',
  }),
};
