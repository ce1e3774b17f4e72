/**
 * A photo's last mile, whatever it hangs on: upload, hang the upload on, read back; begun anew where the upload is over (failures A11,
 * A12). One machine, whose checkpoint alone says where to go on after a crash: what the window's entry notes of it is a hint. What a place is, is
 * said in delivery-places.ts; what the machine stands on (`Steps`) is given, so that the window's tests run this very machine.
 */
import { ulid } from 'ulid';
import type { Delivery, PhotoTarget } from '../../contract/host.ts';
import { fail, notCarriedOut, ok, type Problem, type Result } from '../../contract/problem.ts';
import type { Delivered } from './checkpoint.ts';
import { type Hung, placeOf, type PlaceSteps } from './delivery-places.ts';

export interface DeliverySteps extends PlaceSteps {
  /** Every byte is on the server when this answers the upload's uuid. */
  upload(): Promise<Result<string>>;
  /** Forgets the upload; the bytes stay on this laptop. */
  beginAnew(): Promise<void>;
  /** How far the last try got; null: nowhere, or it was another account's. */
  had(): Promise<Delivered | null>;
  /** On the disk when it answers. */
  keep(delivered: Delivered): Promise<void>;
  /** The upload is being hung on. */
  attaching(): void;
}

export interface DeliveryJob {
  readonly to: PhotoTarget;
  /** The idempotency key of what hangs it on. Another one than before is another attempt by a person. */
  readonly key: string;
  /** Nobody knows how far an earlier try got. */
  readonly unsure: boolean;
}

/** How often an upload that the server no longer has is begun again within one delivery. */
const RESTARTS = 3;

const samePlace = (one: PhotoTarget, other: PhotoTarget): boolean =>
  one.kind === other.kind && one.id === other.id;

/**
 * What an earlier try left. Where it may have hung the photo on, it is gone on with there, also when the setting names another
 * place by now.
 */
const takeUp = (had: Delivered | null, { to, key }: DeliveryJob): Delivered => {
  const fresh = { given: key, key, to, upload_uuid: null, attachment_id: null };
  if (had === null) return { ...fresh, hung: 'no' };
  if (had.given !== key) return { ...fresh, hung: had.hung === 'maybe' ? 'maybe' : 'no' };
  if (had.hung === 'no') return { ...fresh, key: had.key, hung: 'no' };
  return samePlace(had.to, to) ? { ...had, to } : had;
};

const refused = (problem: Problem): boolean => problem.kind === 'refused';

/** Hangs the photo on, with a new upload under a new key where the one it had is over. Null: it takes no photos. */
const hangOn = async (steps: DeliverySteps, begun: Delivered): Promise<Result<Hung | null>> => {
  const place = placeOf(steps, begun.to);
  let now = begun;
  for (let restarts = 0; ; restarts += 1) {
    const sent = await steps.upload();
    if (!sent.ok) return sent;
    steps.attaching();
    now = { ...now, hung: 'maybe', upload_uuid: sent.value };
    await steps.keep(now);
    const answer = await place.hang(sent.value, now.key);
    if (answer.ok) {
      const { value: hung } = answer;
      const attachment_id = hung?.attachment_id ?? null;
      await steps.keep({ ...now, attachment_id, hung: hung === null ? 'no' : 'yes' });
      return ok(hung);
    }
    const { problem } = answer;
    // Another laptop may have sent it under the same key, from an upload of its own; only its bytes tell.
    const found = place.refusal_may_mean_there && refused(problem) ? await place.find() : null;
    if (found?.ok && found.value !== null) {
      await steps.keep({ ...now, hung: 'yes', upload_uuid: found.value.upload_uuid });
      return found;
    }
    const over = 'upload_is_over' in answer && answer.upload_is_over;
    if (notCarriedOut(problem)) now = { ...now, hung: 'no' };
    // The new key is noted before the upload goes: a key belongs to one body.
    if (over) now = { ...now, key: ulid(), upload_uuid: null };
    await steps.keep(now);
    if (!over || restarts >= RESTARTS) return fail(problem);
    await steps.beginAnew();
  }
};

/** What an earlier try hung on, where it is known or can be found. */
const hungBefore = async (
  steps: DeliverySteps,
  job: DeliveryJob,
  begun: Delivered,
): Promise<Result<Hung | null>> => {
  const { upload_uuid, attachment_id, hung } = begun;
  if (hung === 'yes') return ok({ upload_uuid, attachment_id });
  const place = placeOf(steps, begun.to);
  return job.unsure || (hung === 'maybe' && place.look_after_a_lost_answer)
    ? place.find()
    : ok(null);
};

/** Called again after any crash it goes on; answers once the server's copy was read back and is equal. */
export const deliver = async (
  steps: DeliverySteps,
  job: DeliveryJob,
): Promise<Result<Delivery>> => {
  const begun = takeUp(await steps.had(), job);
  const before = await hungBefore(steps, job, begun);
  if (!before.ok) return before;
  const hung = before.value === null ? await hangOn(steps, begun) : before;
  if (!hung.ok) return hung;
  if (hung.value === null) return ok({ outcome: 'takes_no_photos' });
  const { upload_uuid, near_miss = null, attachment = null } = hung.value;
  const receipt = await placeOf(steps, begun.to).check(hung.value);
  if (!receipt.ok) return receipt;
  return ok({ outcome: 'delivered', upload_uuid, near_miss, attachment, receipt: receipt.value });
};
