/**
 * Sends and removes photos of a near miss.
 * `photo.send`: the host delivers the photo, and it counts only if the bytes read back are equal. Photos on near misses
 * are our extension (decisions §3.7). For a server without it, the connection's setting names the target: a
 * time-and-material entry, whose attachments the reference has, or a custom field. Without a target the photos wait.
 * `photo.remove` removes a photo from a record: by its id, its upload or its bytes.
 */
import type { PhotoReceipt, PhotoTarget } from '../../../contract/host.ts';
import type { NearMiss } from '../../../contract/rest/near-misses.ts';
import { type PhotoPlace, photoPlace, photoPlaceKey } from '../../../contract/settings.ts';
import { fail, ok, type Result } from '../../../contract/problem.ts';
import type { PhotoRow } from '../../data/db/db.ts';
import { discardBytes } from '../../data/photos/discard-bytes.ts';
import { photoRowOf } from '../../data/model/photo-rows.ts';
import type { PhotoToRemove, PhotoToSend, SendingNotes } from '../../operations/photo.ts';
import { knownOf, removes } from '../../operations/photo-removals.ts';
import { delivered } from './ask-to-deliver.ts';
import { noRows, type Handler, putServerCopy, type SendContext } from './handler.ts';
import { keepsKeys } from './plain-server.ts';
import { removal } from './removal.ts';

type Sending = SendContext<SendingNotes>;
type Place = Exclude<PhotoPlace, { kind: 'laptop' }>;

interface SentPhoto {
  readonly upload_uuid: string | null;
  /** The near miss, if the server returned it. */
  readonly server: NearMiss | null;
  readonly receipt: PhotoReceipt;
}

/**
 * The target other than its record that an earlier attempt used; null if none. A changed setting must not send it
 * twice.
 */
const begunAt = ({ operation }: Pick<Sending, 'operation'>): PhotoPlace | null =>
  photoPlace.safeParse(operation.checkpoint.place).data ?? null;

/** True if it is known before sending that the record cannot carry photos. */
const takesNoPhotos = async (
  { key, project_id }: PhotoToSend,
  context: Sending,
): Promise<boolean> => {
  if (begunAt(context) !== null) return true;
  if ((await keepsKeys(context, project_id)) !== false) return false;
  const row = await context.db.near_misses.get(key);
  return row?.server?.attachments === undefined;
};

const placeElsewhere = async (
  { project_id }: PhotoToSend,
  context: Sending,
): Promise<Result<Place>> => {
  const settings = await context.host.call('settings.get', {});
  if (!settings.ok) return settings;
  const name = photoPlaceKey(context.operation.account, project_id);
  const place = begunAt(context) ?? settings.value.photo_places[name];
  if (place === undefined || place.kind === 'laptop')
    return fail({ kind: 'no_photo_place', chosen: place !== undefined });
  return ok(place);
};

/** Uploads of other photos of this record; their bytes may be equal. */
const otherUploads = async (
  { key, photo }: PhotoToSend,
  { db }: Pick<Sending, 'db'>,
): Promise<string[]> => {
  const photos = await db.photos.where('near_miss_key').equals(key).toArray();
  const others = photos.filter(({ photo_id }) => photo_id !== photo.photo_id);
  return others.flatMap(({ upload_uuid }) => upload_uuid ?? []).slice(-10_000);
};

/** Attachments that belong to other photos of this laptop. Read only if an earlier attempt may have to be found. */
const otherAttachments = async (
  { photo }: PhotoToSend,
  { db, operation }: Pick<Sending, 'db' | 'operation'>,
  outcomeUnknown: boolean,
): Promise<number[]> => {
  if (!outcomeUnknown && operation.attempts <= 1) return [];
  const others: number[] = [];
  await db.photos.each(({ photo_id, receipt }) => {
    if (photo_id !== photo.photo_id && receipt?.place?.kind === 'time_and_material_entry')
      others.push(receipt.attachment_id ?? 0);
  });
  return others.filter((id) => id > 0).slice(-10_000);
};

const jobOf = (payload: PhotoToSend) => ({ ...payload, original: payload.photo.original });

/** Attaches the photo to its record. Null if the server takes no photos there. */
const toRecord = async (
  payload: PhotoToSend,
  id: number,
  context: Sending,
): Promise<Result<SentPhoto | null>> => {
  const not_uploads = await otherUploads(payload, context);
  const outcomeUnknown = context.operation.checkpoint.exported === true;
  const to: PhotoTarget = { kind: 'near_miss', id, not_uploads };
  const sent = await delivered(jobOf(payload), to, context, {
    outcome_unknown: outcomeUnknown,
    place: null,
  });
  if (!sent.ok) return sent;
  if (sent.value.outcome === 'takes_no_photos') return ok(null);
  const { upload_uuid, near_miss: server, receipt } = sent.value;
  return ok({ upload_uuid, server, receipt });
};

const elsewhere = async (
  payload: PhotoToSend,
  id: number,
  context: Sending,
): Promise<Result<SentPhoto>> => {
  const place = await placeElsewhere(payload, context);
  if (!place.ok) return place;
  const { checkpoint } = context.operation;
  // The progress of a rebuilt or imported operation is unknown.
  const outcomeUnknown = checkpoint.exported === true || checkpoint.restored === true;
  const to: PhotoTarget =
    place.value.kind === 'custom_field'
      ? { ...place.value, near_miss_id: id }
      : {
          ...place.value,
          not_attachments: await otherAttachments(payload, context, outcomeUnknown),
        };
  const sent = await delivered(jobOf(payload), to, context, {
    outcome_unknown: outcomeUnknown,
    place: place.value,
  });
  if (!sent.ok) return sent;
  if (sent.value.outcome === 'takes_no_photos')
    return fail({ kind: 'no_photo_place', chosen: true });
  const { upload_uuid, near_miss: server, receipt } = sent.value;
  return ok({ upload_uuid, server, receipt });
};

export const photoSendOperation: Handler<'photo.send', SentPhoto> = {
  rows({ account, lane, created_at, payload: { photo } }) {
    const owner = { account, near_miss_key: lane, draft_id: null, created_at };
    return [{ table: 'photos', key: photo.photo_id, row: photoRowOf(photo, owner) }];
  },

  async send(payload, context) {
    const id = await context.serverId(payload.key, null);
    if (id === null) return fail({ kind: 'gone', status: 404, messages: [] });
    const here = (await takesNoPhotos(payload, context))
      ? ok(null)
      : await toRecord(payload, id, context);
    if (!here.ok) return here;
    return here.value === null ? elsewhere(payload, id, context) : ok(here.value);
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

const localOf = (
  { db }: Pick<SendContext, 'db'>,
  payload: PhotoToRemove,
): Promise<PhotoRow | undefined> =>
  db.photos
    .where('near_miss_key')
    .equals(payload.key)
    .and((photo) => removes(payload, photo))
    .first();

/** The attachment's id on the server; null if it is not there. */
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

export const photoRemoveOperation: Handler<'photo.remove', number | null> = {
  rows: noRows,

  async send(payload, context) {
    const { host, operation } = context;
    const id = await context.serverId(payload.key, payload.server_id);
    if (id === null) return fail({ kind: 'gone', status: 404, messages: [] });
    const attachment = await attachmentOf(payload, id, context);
    if (!attachment.ok) return attachment;
    const removed = await removal(attachment.value, (attachment_id) =>
      host.request('near_miss_attachments.delete', {
        params: { project_id: payload.project_id, id, attachment_id },
        idempotency_key: operation.id,
      }),
    );
    if (!removed.ok) return removed;
    const local = await localOf(context, payload);
    if (local !== undefined) await discardBytes({ host }, local);
    return removed;
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
