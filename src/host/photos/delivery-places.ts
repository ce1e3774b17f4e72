/**
 * The targets of a photo: a near miss [ours] (decisions §3.7), a time-and-material entry, or a custom field that names
 * the upload. Each target defines how to attach an upload, how to find an attached one, and how to read it back. The
 * reference has only the entry; a custom field is plain text there.
 */
import type { PhotoReceipt, PhotoTarget } from '../../contract/host.ts';
import { fail, ok, type Problem, type Result } from '../../contract/problem.ts';
import type { EntryAttachment } from '../../contract/rest/attachments.ts';
import type { EndpointName, Reply, RequestInput } from '../../contract/rest/index.ts';
import type { NearMiss } from '../../contract/rest/near-misses.ts';

export interface PlaceSteps {
  readonly photo: {
    readonly photo_id: string;
    readonly filename: string;
    readonly size: number;
    readonly sha256: string;
  };
  readonly company_id: number;
  readonly project_id: number;
  request<N extends EndpointName>(
    name: N,
    input: RequestInput<N>,
  ): Promise<Result<Pick<Reply<N>, 'data'>>>;
  /** Near miss: reads back the attachment of this upload and compares it. */
  readBack(near_miss_id: number, upload_uuid: string | null): Promise<Result<PhotoReceipt>>;
  /**
   * Time-and-material entry: reads back this attachment, or, if it is null, one with the same name and bytes that is
   * not in `not`. Null if there is none.
   */
  readBackEntry(
    entry_id: number,
    attachment_id: number | null,
    not: readonly number[],
  ): Promise<Result<PhotoReceipt | null>>;
  /** Milliseconds since the epoch, corrected by the server's clock. */
  now(): number;
}

/** An attached photo. */
export interface Attached {
  readonly upload_uuid: string | null;
  readonly attachment_id: number | null;
  /** The answer to the attach request. */
  readonly near_miss?: NearMiss;
  readonly attachment?: EntryAttachment;
  /** Set if the photo was found by its bytes, which are the proof. */
  readonly receipt?: PhotoReceipt;
}

/** `upload_is_over`: the upload has expired; a new one may succeed. */
type Answer =
  | Result<Attached | null>
  | { readonly ok: false; readonly problem: Problem; readonly upload_is_over: boolean };

export interface Place {
  /** Null: the server accepted the change but takes no photos. */
  attach(upload_uuid: string, key: string): Promise<Answer>;
  /** The photo, if it is attached already. */
  find(): Promise<Result<Attached | null>>;
  check(attached: Attached): Promise<Result<PhotoReceipt>>;
  /** True if a second attempt may attach it twice on a server without idempotency keys. */
  readonly look_after_a_lost_answer: boolean;
  readonly refusal_may_mean_there: boolean;
}

const byFields = (problem: Problem): Answer => ({
  ok: false,
  problem,
  upload_is_over:
    problem.kind === 'refused' &&
    Object.keys(problem.fields).some((name) => name.split('.').includes('upload_uuids')),
});

const gone = (message: string): Result<never> =>
  fail({ kind: 'gone', status: 404, messages: [message] });

type To<K extends PhotoTarget['kind']> = Extract<PhotoTarget, { kind: K }>;

const onNearMiss = (steps: PlaceSteps, { id, not_uploads }: To<'near_miss'>): Place => {
  const params = { project_id: steps.project_id, id };
  const { photo } = steps;
  return {
    look_after_a_lost_answer: false,
    refusal_may_mean_there: true,
    async attach(upload_uuid, idempotency_key) {
      const body = { near_miss: { upload_uuids: [upload_uuid] } };
      const answer = await steps.request('near_misses.update', { params, body, idempotency_key });
      if (!answer.ok) return byFields(answer.problem);
      const { data: near_miss } = answer.value;
      if (near_miss.attachments === undefined) return ok(null);
      return ok({ upload_uuid, attachment_id: null, near_miss });
    },
    async find() {
      const shown = await steps.request('near_misses.show', { params });
      if (!shown.ok) return shown;
      const same = shown.value.data.attachments?.find(
        (one) =>
          one.sha256 === photo.sha256 &&
          one.size === photo.size &&
          typeof one.upload_uuid === 'string' &&
          !not_uploads.includes(one.upload_uuid),
      );
      return ok(same ? { upload_uuid: same.upload_uuid ?? null, attachment_id: null } : null);
    },
    check: ({ upload_uuid }) => steps.readBack(id, upload_uuid),
  };
};

const onEntry = (steps: PlaceSteps, to: To<'time_and_material_entry'>): Place => {
  const { id: entry_id, not_attachments } = to;
  return {
    look_after_a_lost_answer: true,
    refusal_may_mean_there: false,
    async attach(upload_uuid, idempotency_key) {
      const answer = await steps.request('time_and_material_entry_attachments.create', {
        params: { project_id: steps.project_id },
        body: {
          time_and_material_entry_id: entry_id,
          time_and_material_entry_attachment: { upload_uuids: [upload_uuid] },
        },
        idempotency_key,
      });
      if (!answer.ok) return byFields(answer.problem);
      const { created: _all, ...attachment } = answer.value.data;
      return ok({ upload_uuid, attachment_id: attachment.id, attachment });
    },
    async find() {
      const found = await steps.readBackEntry(entry_id, null, not_attachments);
      if (!found.ok) return found;
      const { value: receipt } = found;
      return ok(receipt && { upload_uuid: null, attachment_id: receipt.attachment_id, receipt });
    },
    async check({ attachment_id, receipt }) {
      if (receipt !== undefined) return ok(receipt);
      const read = await steps.readBackEntry(entry_id, attachment_id, []);
      if (!read.ok) return read;
      return read.value === null ? gone('the entry has no such photo') : ok(read.value);
    },
  };
};

/**
 * The upload cannot be read back through a custom field, so the proof is that the server holds it and the record names
 * it.
 */
const inField = (steps: PlaceSteps, to: To<'custom_field'>): Place => {
  const { photo, company_id, project_id } = steps;
  const { id, near_miss_id } = to;
  const params = { project_id, id: near_miss_id };
  const field = `custom_field_${id}`;
  const textIn = ({ custom_fields }: NearMiss): string =>
    String(custom_fields?.[field]?.value ?? '');
  return {
    look_after_a_lost_answer: false,
    refusal_may_mean_there: false,
    async attach(upload_uuid) {
      const input = { params: { company_id, uuid: upload_uuid } };
      const there = await steps.request('uploads.show', input);
      // The server deletes an unattached upload after a week.
      if (!there.ok) return { ...there, upload_is_over: there.problem.kind === 'gone' };
      const shown = await steps.request('near_misses.show', { params });
      if (!shown.ok) return shown;
      const had = textIn(shown.value.data);
      const attached = { upload_uuid, attachment_id: null };
      // It is named already; nothing is written, so that a repeated attempt is harmless.
      if (had.includes(upload_uuid)) return ok({ ...attached, near_miss: shown.value.data });
      const near_miss = { [field]: had === '' ? upload_uuid : `${had} ${upload_uuid}` };
      const answer = await steps.request('near_misses.update', { params, body: { near_miss } });
      if (!answer.ok) return answer;
      if (textIn(answer.value.data).includes(upload_uuid))
        return ok({ ...attached, near_miss: answer.value.data });
      const fields = { [`near_miss.${field}`]: ['was not kept by the server'] };
      return fail({ kind: 'refused', status: 422, messages: [], fields });
    },
    find: () => Promise.resolve(ok(null)),
    check: () =>
      Promise.resolve(
        ok({
          photo_id: photo.photo_id,
          filename: photo.filename,
          size: photo.size,
          sha256: photo.sha256,
          attachment_id: null,
          place: { kind: 'custom_field', id },
          checked: 'named',
          checked_at: steps.now(),
        }),
      ),
  };
};

export const placeOf = (steps: PlaceSteps, to: PhotoTarget): Place => {
  switch (to.kind) {
    case 'near_miss':
      return onNearMiss(steps, to);
    case 'time_and_material_entry':
      return onEntry(steps, to);
    case 'custom_field':
      return inField(steps, to);
  }
};
