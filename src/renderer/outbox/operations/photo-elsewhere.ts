/**
 * Photos on a server that takes none on near misses (decisions §3.7 is ours). They go where the connection's setting says:
 * to a time-and-material entry, whose attachments the reference has, and are read back from there; or, named by their
 * upload's uuid, into a custom field, which the reference has as text and nothing more. With no place set they wait here.
 */
import type { PhotoReceipt } from '../../../contract/host.ts';
import { type PhotoPlace, photoPlace, photoPlaceKey } from '../../../contract/settings.ts';
import { fail, ok, type Result } from '../../../contract/problem.ts';
import type { NearMiss } from '../../../contract/rest/near-misses.ts';
import { fieldsOfServer } from '../../data/near-miss-rows.ts';
import { notDone } from './look-for-record.ts';
import type { PhotoNotes } from '../../entries/photo.ts';
import type { SendContext } from './operation.ts';
import { RESTARTS, uploaded, uploadIsOver, uploadOf } from './photo-upload.ts';
import { keepsKeys } from './plain-server.ts';

type Context = SendContext<PhotoNotes>;

interface Job {
  readonly key: string;
  readonly company_id: number;
  readonly project_id: number;
  readonly photo: {
    readonly photo_id: string;
    readonly filename: string;
    readonly size: number;
    readonly sha256: string;
    /** What it was made from: kept and dropped together. */
    readonly original?: { readonly photo_id: string } | undefined;
  };
}

export interface SentPhoto {
  readonly upload_uuid: string;
  /** The near miss as the server answered it, where it did. */
  readonly server: NearMiss | null;
  readonly receipt: PhotoReceipt;
}

type Entry = Extract<PhotoPlace, { kind: 'time_and_material_entry' }>;
type Field = Extract<PhotoPlace, { kind: 'custom_field' }>;

/** Where an earlier try of this photo went, null where none did: a changed setting does not send it twice. */
const begunAt = ({ entry }: Pick<Context, 'entry'>): PhotoPlace | null =>
  photoPlace.safeParse(entry.checkpoint.place).data ?? null;

/** Is it known, before a byte is sent, that the record cannot carry it? */
export const takesNoPhotos = async (
  { key, project_id }: Job,
  context: Context,
): Promise<boolean> => {
  if (begunAt(context) !== null) return true;
  if (context.entry.checkpoint.step === 'associated') return false;
  if ((await keepsKeys(context, project_id)) !== false) return false;
  const row = await context.db.near_misses.get(key);
  return row?.server?.attachments === undefined;
};

const placeOf = async ({ project_id }: Job, context: Context): Promise<Result<Entry | Field>> => {
  const settings = await context.host.call('settings.get', {});
  if (!settings.ok) return settings;
  const name = photoPlaceKey(context.entry.account, project_id);
  const place = begunAt(context) ?? settings.value.photo_places[name];
  if (place === undefined || place.kind === 'laptop')
    return fail({ kind: 'no_photo_place', chosen: place !== undefined });
  return ok(place);
};

/** Attachments that are other photos of this laptop. */
const othersOf = async ({ db }: Pick<SendContext, 'db'>, photo_id: string): Promise<number[]> => {
  const others: number[] = [];
  await db.photos.each(({ receipt, ...photo }) => {
    if (photo.photo_id !== photo_id && receipt?.place?.kind === 'time_and_material_entry')
      others.push(receipt.attachment_id ?? 0);
  });
  return others.filter((id) => id > 0).slice(-10_000);
};

const readBack = async (
  { photo, project_id }: Job,
  place: Entry,
  attachment_id: number | null,
  context: Context,
): Promise<Result<PhotoReceipt | null>> => {
  const answer = await context.host.call('photos.verify_attachment', {
    photo_id: photo.photo_id,
    project_id,
    attachment_id,
    time_and_material_entry_id: place.id,
    except: attachment_id === null ? await othersOf(context, photo.photo_id) : [],
    original: photo.original?.photo_id,
    account: context.entry.account,
  });
  return answer.ok ? ok(answer.value.receipt) : answer;
};

/** What an earlier try attached: told by its answer, or, where that was lost, found by name and bytes. */
const attachedBefore = async (
  job: Job,
  place: Entry,
  context: Context,
): Promise<Result<PhotoReceipt | null>> => {
  const kept = context.entry.checkpoint;
  const known = kept.attachment_id;
  if (typeof known === 'number') return readBack(job, place, known, context);
  // Of a rebuilt or imported entry nobody knows how far it got.
  const unknown = [kept.attaching, kept.restored, kept.exported].includes(true);
  return unknown ? readBack(job, place, null, context) : ok(null);
};

const attach = async (job: Job, place: Entry, context: Context): Promise<Result<SentPhoto>> => {
  const { host, checkpoint } = context;
  const before = await attachedBefore(job, place, context);
  if (!before.ok) return before;
  let uuid = uploadOf(context);
  if (before.value !== null)
    return ok({ upload_uuid: uuid ?? '', server: null, receipt: before.value });
  for (let restarts = 0; ; restarts += 1) {
    const sent: Result<string> = await uploaded(job, context, uuid);
    if (!sent.ok) return sent;
    uuid = sent.value;
    await checkpoint({ place, attaching: true });
    const answer = await host.request('time_and_material_entry_attachments.create', {
      params: { project_id: job.project_id },
      body: {
        time_and_material_entry_id: place.id,
        time_and_material_entry_attachment: { upload_uuids: [uuid] },
      },
      idempotency_key: context.entry.id,
    });
    if (answer.ok) {
      const { id } = answer.value.data;
      await checkpoint({ attaching: false, attachment_id: id });
      const receipt = await readBack(job, place, id, context);
      if (!receipt.ok) return receipt;
      if (receipt.value === null) return fail({ kind: 'gone', status: 404, messages: [] });
      return ok({ upload_uuid: uuid, server: null, receipt: receipt.value });
    }
    // It said no: the setting may be changed, and the next try goes there.
    if (notDone(answer.problem)) await checkpoint({ place: null, attaching: false });
    if (!uploadIsOver(answer.problem) || restarts >= RESTARTS) return answer;
    const again = await host.call('photos.restart', { photo_id: job.photo.photo_id });
    if (!again.ok) return again;
    uuid = null;
    await checkpoint({ step: null, upload_uuid: null });
  }
};

/** Adds the upload's uuid to the field's text; there already, nothing is written, so that a repeated try is harmless. */
const name = async (
  job: Job,
  id: number,
  { place, uuid }: { readonly place: Field; readonly uuid: string },
  { host }: SendContext,
): Promise<Result<NearMiss>> => {
  const params = { project_id: job.project_id, id };
  const field = `custom_field_${place.id}`;
  const textIn = (record: NearMiss): string =>
    String(fieldsOfServer(record).custom_fields[field] ?? '');
  const shown = await host.request('near_misses.show', { params });
  if (!shown.ok) return shown;
  const had = textIn(shown.value.data);
  if (had.includes(uuid)) return ok(shown.value.data);
  const answer = await host.request('near_misses.update', {
    params,
    body: { near_miss: { [field]: had === '' ? uuid : `${had} ${uuid}` } },
  });
  if (!answer.ok) return answer;
  if (textIn(answer.value.data).includes(uuid)) return ok(answer.value.data);
  const message = 'was not kept by the server';
  return fail({
    kind: 'refused',
    status: 422,
    messages: [],
    fields: { [`near_miss.${field}`]: [message] },
  });
};

const nameIt = async (
  job: Job,
  id: number,
  place: Field,
  context: Context,
): Promise<Result<SentPhoto>> => {
  const { host, clock } = context;
  const sent = await uploaded(job, context, uploadOf(context));
  if (!sent.ok) return sent;
  const uuid = sent.value;
  const there = await host.request('uploads.show', {
    params: { company_id: job.company_id, uuid },
  });
  if (!there.ok) {
    // Deleted by the server, a week after it was made: begun again by the next try.
    if (there.problem.kind === 'gone') {
      await host.call('photos.restart', { photo_id: job.photo.photo_id });
      await context.checkpoint({ step: null, upload_uuid: null });
    }
    return there;
  }
  await context.checkpoint({ place });
  const named = await name(job, id, { place, uuid }, context);
  if (!named.ok && notDone(named.problem)) await context.checkpoint({ place: null });
  if (!named.ok) return named;
  const { photo_id, filename, size, sha256 } = job.photo;
  return ok({
    upload_uuid: uuid,
    server: named.value,
    receipt: {
      photo_id,
      filename,
      size,
      sha256,
      attachment_id: null,
      place,
      checked: 'named',
      checked_at: clock.now(),
    },
  });
};

/** Sends the photo to its place. `no_photo_place`: there is none. */
export const sendElsewhere = async (
  job: Job,
  id: number,
  context: Context,
): Promise<Result<SentPhoto>> => {
  const place = await placeOf(job, context);
  if (!place.ok) return place;
  return place.value.kind === 'custom_field'
    ? nameIt(job, id, place.value, context)
    : attach(job, place.value, context);
};
