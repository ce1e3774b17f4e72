/**
 * Delivers a photo to any target: upload, attach, read back; restarts if the upload has expired (failures A11, A12).
 * Only its checkpoint decides where to resume after a crash; the window's operation is a hint. Targets are defined in
 * delivery-places.ts. The environment (`Steps`) is injected, so that the window's tests run this same state machine.
 */
import { ulid } from 'ulid';
import type { Delivery, PhotoTarget } from '../../contract/host.ts';
import { fail, notCarriedOut, ok, type Problem, type Result } from '../../contract/problem.ts';
import type { Delivered } from './checkpoint.ts';
import { type Attached, placeOf, type PlaceSteps } from './delivery-places.ts';

export interface DeliverySteps extends PlaceSteps {
  /** Resolves to the upload's uuid once every byte is on the server. */
  upload(): Promise<Result<string>>;
  /** Forgets the upload; the bytes stay on this laptop. */
  beginAnew(): Promise<void>;
  /** The progress of the last attempt; null if there is none, or if it was another account's. */
  had(): Promise<Delivered | null>;
  /** Resolves once durable. */
  keep(delivered: Delivered): Promise<void>;
  /** Called when the upload is about to be attached. */
  attaching(): void;
}

export interface DeliveryJob {
  readonly to: PhotoTarget;
  /** The idempotency key of the attach request. A new key means that a person tries again. */
  readonly key: string;
  /** True if the progress of an earlier attempt is unknown. */
  readonly outcome_unknown: boolean;
}

/** How often an expired upload restarts within one delivery. */
const RESTARTS = 3;

const samePlace = (one: PhotoTarget, other: PhotoTarget): boolean =>
  one.kind === other.kind && one.id === other.id;

/**
 * Resumes the previous attempt. If it may already have attached the photo, its target is kept, even if the setting now
 * names another.
 */
const takeUp = (had: Delivered | null, { to, key }: DeliveryJob): Delivered => {
  const fresh = { given: key, key, to, upload_uuid: null, attachment_id: null };
  if (had === null) return { ...fresh, attached: 'no' };
  if (had.given !== key) return { ...fresh, attached: had.attached === 'maybe' ? 'maybe' : 'no' };
  if (had.attached === 'no') return { ...fresh, key: had.key, attached: 'no' };
  return samePlace(had.to, to) ? { ...had, to } : had;
};

const refused = (problem: Problem): boolean => problem.kind === 'refused';

/**
 * Attaches the photo. Restarts with a new upload and key if the upload has expired. Null: the target takes no photos.
 */
const attach = async (steps: DeliverySteps, begun: Delivered): Promise<Result<Attached | null>> => {
  const place = placeOf(steps, begun.to);
  let now = begun;
  for (let restarts = 0; ; restarts += 1) {
    const sent = await steps.upload();
    if (!sent.ok) return sent;
    steps.attaching();
    now = { ...now, attached: 'maybe', upload_uuid: sent.value };
    await steps.keep(now);
    const answer = await place.attach(sent.value, now.key);
    if (answer.ok) {
      const { value: attached } = answer;
      const attachment_id = attached?.attachment_id ?? null;
      await steps.keep({ ...now, attachment_id, attached: attached === null ? 'no' : 'yes' });
      return ok(attached);
    }
    const { problem } = answer;
    // Another laptop may have sent it under the same key from another upload; only the bytes show it.
    const found = place.refusal_may_mean_there && refused(problem) ? await place.find() : null;
    if (found?.ok && found.value !== null) {
      await steps.keep({ ...now, attached: 'yes', upload_uuid: found.value.upload_uuid });
      return found;
    }
    const over = 'upload_is_over' in answer && answer.upload_is_over;
    if (notCarriedOut(problem)) now = { ...now, attached: 'no' };
    // The new key is recorded before the upload is dropped, because a key belongs to one body.
    if (over) now = { ...now, key: ulid(), upload_uuid: null };
    await steps.keep(now);
    if (!over || restarts >= RESTARTS) return fail(problem);
    await steps.beginAnew();
  }
};

/** The attachment of an earlier attempt, if known or found. */
const findAttached = async (
  steps: DeliverySteps,
  job: DeliveryJob,
  begun: Delivered,
): Promise<Result<Attached | null>> => {
  const { upload_uuid, attachment_id, attached } = begun;
  if (attached === 'yes') return ok({ upload_uuid, attachment_id });
  const place = placeOf(steps, begun.to);
  return job.outcome_unknown || (attached === 'maybe' && place.look_after_a_lost_answer)
    ? place.find()
    : ok(null);
};

/** Delivers a photo and resumes after a crash. Resolves once the server's copy was read back and is equal. */
export const deliver = async (
  steps: DeliverySteps,
  job: DeliveryJob,
): Promise<Result<Delivery>> => {
  const begun = takeUp(await steps.had(), job);
  const before = await findAttached(steps, job, begun);
  if (!before.ok) return before;
  const attached = before.value === null ? await attach(steps, begun) : before;
  if (!attached.ok) return attached;
  if (attached.value === null) return ok({ outcome: 'takes_no_photos' });
  const { upload_uuid, near_miss = null, attachment = null } = attached.value;
  const receipt = await placeOf(steps, begun.to).check(attached.value);
  if (!receipt.ok) return receipt;
  return ok({ outcome: 'delivered', upload_uuid, near_miss, attachment, receipt: receipt.value });
};
