/**
 * Sends comments on a near miss (decisions §18). If the server may have forgotten the key of an earlier attempt, the comment of that
 * attempt is looked for first.
 */
import { fail, ok, type Result } from '../../../contract/problem.ts';
import type { NearMissComment } from '../../../contract/rest/history/near-miss-comments.ts';
import { everyRow } from '../../../contract/rest/protocol/every-page.ts';
import { putDelivered } from '../../data/comments/kept-comments.ts';
import type { CommentNotes } from '../../operations/comment.ts';
import { believeRecord } from './believe-record.ts';
import { findMade } from './find-made.ts';
import { noRows, type Handler, type SendContext } from './handler.ts';
import { noteRecycled } from './near-miss.ts';
import { mayBeDouble } from './plain-server.ts';

const PER_PAGE = 200;

/** The comment that an earlier attempt wrote; null if there is none. */
const findWritten = async (
  params: { readonly project_id: number; readonly id: number },
  text: string,
  context: SendContext<CommentNotes>,
): Promise<Result<NearMissComment | null>> => {
  const { host, db, operation } = context;
  const session = await host.call('session.get', {});
  if (!session.ok) return session;
  const me = session.value.user?.id;
  const all = await everyRow(PER_PAGE, (query) =>
    host.request('near_miss_comments.list', { params, query }),
  );
  if (!all.ok) return all;
  const mine = all.value.filter((one) => one.text !== null && one.created_by.id === me);
  const others = new Set((await db.comments.get(operation.lane))?.delivered);
  return ok(findMade(mine, { sent: { text }, name: 'text', others }, context));
};

const deliver = async (
  params: { readonly project_id: number; readonly id: number },
  text: string,
  context: SendContext<CommentNotes>,
): Promise<Result<NearMissComment>> => {
  const double = await mayBeDouble(context, params.project_id);
  if (!double.ok) return double;
  const written = double.value ? await findWritten(params, text, context) : ok(null);
  if (!written.ok) return written;
  if (written.value !== null) return ok(written.value);
  const answer = await context.host.request('near_miss_comments.create', {
    params,
    body: { comment: { text } },
    idempotency_key: context.operation.id,
  });
  return answer.ok ? believeRecord(context, { text }, answer.value.data, ['text']) : answer;
};

export const nearMissCommentOperation: Handler<'near_miss.comment', NearMissComment> = {
  rows: noRows,

  async send({ key, project_id, server_id, text }, context) {
    const id = await context.serverId(key, server_id);
    if (id === null) return fail({ kind: 'gone', status: 404, messages: [] });
    const params = { project_id, id };
    const sent = await deliver(params, text, context);
    if (!sent.ok && sent.problem.kind === 'gone') await noteRecycled(params, context);
    return sent;
  },

  async settle({ key }, comment, { db, operation }) {
    await putDelivered(db, { key, account: operation.account }, comment);
    return [];
  },
};
