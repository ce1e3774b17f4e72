/**
 * `photo.send`: upload, associate, read back. Each step is a checkpoint, so that a restart goes on from it. Only after
 * the server's size and sha256 were found equal is the photo delivered. An upload that expired is begun again from the
 * original (failures A11, A12); under a new idempotency key, because the body names another upload. A server that knows
 * no photos on near misses gets them where the connection's setting says (photo-elsewhere.ts).
 */
import { ulid } from 'ulid';
import { fail, ok, type Result } from '../../../contract/problem.ts';
import type { NearMiss } from '../../../contract/rest/near-misses.ts';
import type { PhotoNotes, PhotoToSend as Payload } from '../../entries/photo.ts';
import { type Operation, putServerCopy, type SendContext } from './operation.ts';
import { sendElsewhere, type SentPhoto, takesNoPhotos } from './photo-elsewhere.ts';
import { RESTARTS, uploaded, uploadIsOver, uploadOf } from './photo-upload.ts';
import { uploadThere } from './photo-there.ts';

interface Associated {
  readonly upload_uuid: string;
  readonly server: NearMiss | null;
  /** The server took the change and said nothing of photos: it knows none on near misses (decisions §3.7 is ours). */
  readonly ignored: boolean;
}

/** Uploads where needed and hangs the upload on the record, with a new upload where the server no longer has it. */
const associate = async (
  payload: Payload,
  id: number,
  context: SendContext<PhotoNotes>,
): Promise<Result<Associated>> => {
  const { host, entry } = context;
  const kept = entry.checkpoint;
  let uuid = uploadOf(context);
  if (uuid !== null && kept.step === 'associated')
    return ok({ upload_uuid: uuid, server: null, ignored: false });
  if (uuid === null && kept.exported === true) {
    const there = await uploadThere(payload, id, context);
    if (!there.ok) return there;
    if (there.value !== null) return ok({ upload_uuid: there.value, server: null, ignored: false });
  }
  let key = kept.associate_key ?? payload.associate_key;
  for (let restarts = 0; ; restarts += 1) {
    const sent: Result<string> = await uploaded(payload, context, uuid);
    if (!sent.ok) return sent;
    uuid = sent.value;
    const answer = await host.request('near_misses.update', {
      params: { project_id: payload.project_id, id },
      body: { near_miss: { upload_uuids: [uuid] } },
      idempotency_key: key,
    });
    if (answer.ok) {
      const server = answer.value.data;
      const ignored = server.attachments === undefined;
      if (!ignored) await context.checkpoint({ step: 'associated' });
      return ok({ upload_uuid: uuid, server, ignored });
    }
    if (answer.problem.kind === 'refused') {
      const there = await uploadThere(payload, id, context);
      if (there.ok && there.value !== null)
        return ok({ upload_uuid: there.value, server: null, ignored: false });
    }
    if (!uploadIsOver(answer.problem) || restarts >= RESTARTS) return answer;
    const again = await host.call('photos.restart', { photo_id: payload.photo.photo_id });
    if (!again.ok) return again;
    uuid = null;
    key = ulid();
    await context.checkpoint({ step: null, upload_uuid: null, associate_key: key });
  }
};

export const photoSendOperation: Operation<'photo.send', SentPhoto> = {
  async send(payload, context) {
    const id = await context.serverId(payload.key, null);
    if (id === null) return fail({ kind: 'gone', status: 404, messages: [] });
    if (await takesNoPhotos(payload, context)) return sendElsewhere(payload, id, context);
    const associated = await associate(payload, id, context);
    if (!associated.ok) return associated;
    if (associated.value.ignored) return sendElsewhere(payload, id, context);
    const { upload_uuid, server } = associated.value;
    const receipt = await context.host.call('photos.verify', {
      photo_id: payload.photo.photo_id,
      project_id: payload.project_id,
      near_miss_id: id,
      upload_uuid,
      original: payload.photo.original?.photo_id,
      account: context.entry.account,
    });
    return receipt.ok ? ok({ upload_uuid, server, receipt: receipt.value }) : receipt;
  },

  async settle({ key, photo }, { upload_uuid, server, receipt }, { db, seen_at }) {
    await db.photos.update(photo.photo_id, {
      state: 'delivered',
      problem: null,
      upload_uuid,
      receipt,
      attachment_id: receipt.place === undefined ? receipt.attachment_id : null,
    });
    const row = await db.near_misses.get(key);
    if (row !== undefined && server !== null) await putServerCopy(db, row, server, seen_at);
    return [];
  },
};
