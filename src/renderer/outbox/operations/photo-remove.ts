/**
 * `photo.remove` ([ours] decisions §3.7): takes a photo off a record that the server has. The attachment is known by its
 * id, by the upload it came from, or by its bytes; one that is not there (any more) is what was wanted. The payload does
 * not name the photo's id, so that the spool may let the original go.
 */
import type { NearMissAttachment } from '../../../contract/rest/attachments.ts';
import { fail, ok, type Result } from '../../../contract/problem.ts';
import type { OutboxEntry, PhotoRow } from '../../data/db.ts';
import { discardBytes } from '../../data/discard-bytes.ts';
import type { PhotoRemoval } from '../../entries/answers.ts';
import { overOf } from '../../entries/entry.ts';
import type { PhotoToRemove } from '../../entries/photo.ts';
import { type Operation, putServerCopy, type SendContext } from './operation.ts';

type Known = Pick<PhotoRow, 'attachment_id' | 'upload_uuid' | 'sha256'>;

/** Is this the photo to be removed? */
export const removes = (removal: PhotoRemoval, photo: Known): boolean => {
  if (removal.attachment_id !== null && photo.attachment_id !== null)
    return removal.attachment_id === photo.attachment_id;
  if (removal.upload_uuid !== null && photo.upload_uuid !== null)
    return removal.upload_uuid === photo.upload_uuid;
  return removal.sha256 !== null && removal.sha256 === photo.sha256;
};

export const knownOf = (remote: NearMissAttachment): Known => ({
  attachment_id: remote.id,
  upload_uuid: remote.upload_uuid ?? null,
  sha256: remote.sha256 ?? '',
});

/** The removals of a lane. */
export const removalsIn = (lane: readonly OutboxEntry[]): readonly PhotoRemoval[] =>
  lane.flatMap((entry) => {
    const over = overOf(entry);
    return over?.puts === 'no_photo' ? over.removal : [];
  });

const localOf = (
  { db }: Pick<SendContext, 'db'>,
  payload: PhotoToRemove,
): Promise<PhotoRow | undefined> =>
  db.photos
    .where('near_miss_key')
    .equals(payload.key)
    .and((photo) => removes(payload, photo))
    .first();

/** The attachment's id on the server; null where it is not there. */
const attachmentOf = async (
  payload: PhotoToRemove,
  id: number,
  context: SendContext,
): Promise<Result<number | null>> => {
  const local = await localOf(context, payload);
  const known = payload.attachment_id ?? local?.attachment_id ?? null;
  if (known !== null) return ok(known);
  const shown = await context.host.request('near_misses.show', {
    params: { project_id: payload.project_id, id },
  });
  if (!shown.ok) return shown.problem.kind === 'gone' ? ok(null) : shown;
  const found = shown.value.data.attachments?.find((one) => removes(payload, knownOf(one)));
  return ok(found?.id ?? null);
};

export const photoRemoveOperation: Operation<'photo.remove', number | null> = {
  async send(payload, context) {
    const { host, entry } = context;
    const id = await context.serverId(payload.key, payload.server_id);
    if (id === null) return fail({ kind: 'gone', status: 404, messages: [] });
    const attachment = await attachmentOf(payload, id, context);
    if (!attachment.ok) return attachment;
    if (attachment.value !== null) {
      const answer = await host.request('near_miss_attachments.delete', {
        params: { project_id: payload.project_id, id, attachment_id: attachment.value },
        idempotency_key: entry.id,
      });
      if (!answer.ok && answer.problem.kind !== 'gone') return answer;
    }
    const local = await localOf(context, payload);
    if (local !== undefined) await discardBytes({ host }, local);
    return ok(attachment.value);
  },

  async settle(payload, attachment_id, { db, seen_at }) {
    const local = await localOf({ db }, payload);
    if (local !== undefined) await db.photos.delete(local.photo_id);
    const row = await db.near_misses.get(payload.key);
    if (row?.server?.attachments)
      await putServerCopy(
        db,
        row,
        {
          ...row.server,
          attachments: row.server.attachments.filter(({ id }) => id !== attachment_id),
        },
        seen_at,
      );
    return [];
  },
};
