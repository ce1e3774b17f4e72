/**
 * Shared by the two operations that send bytes. The host delivers (`photos.deliver`) and keeps the checkpoint. The
 * operation only records whether more than bytes may have been sent, because then it can no longer be cancelled without a
 * trace.
 */
import type { Delivery, PhotoTarget } from '../../../contract/host.ts';
import { fail, type Result } from '../../../contract/problem.ts';
import type { PhotoPlace } from '../../../contract/settings.ts';
import type { SendingNotes } from '../../operations/photo.ts';
import type { SendContext } from './handler.ts';

interface Job {
  readonly company_id: number;
  readonly project_id: number;
  readonly photo: { readonly photo_id: string };
  /** The original that the photo was edited from; both are kept and dropped together. */
  readonly original?: { readonly photo_id: string } | undefined;
  /** The idempotency key of the request that attaches the photo. */
  readonly associate_key: string;
}

/** After a failed attempt: records its progress, for display and for deciding whether it can be cancelled. */
const note = async (
  { photo }: Job,
  { host, checkpoint }: SendContext<SendingNotes>,
): Promise<void> => {
  const asked = await host.call('photos.delivery', { photo_id: photo.photo_id });
  // Unknown: keep the earlier checkpoint, which says that the photo may be attached.
  if (!asked.ok) return;
  const { uploaded, attached } = asked.value;
  if (attached === 'no') await checkpoint({ uploaded, step: null, place: null });
  else await checkpoint({ uploaded, step: attached === 'yes' ? 'attached' : 'attaching' });
};

interface Standing {
  /** True if the progress of an earlier attempt is unknown. */
  readonly outcome_unknown: boolean;
  /** The target, if it is not the photo's record. Recorded so that a changed setting does not send the photo twice. */
  readonly place: PhotoPlace | null;
}

export const delivered = async (
  job: Job,
  to: PhotoTarget,
  context: SendContext<SendingNotes>,
  { outcome_unknown, place }: Standing,
): Promise<Result<Delivery>> => {
  const { host, db, operation, checkpoint } = context;
  // Paused between the claim and the start.
  if ((await db.operations.get(operation.id))?.photo_pace === 'paused')
    return fail({ kind: 'cancelled' });
  await checkpoint(place === null ? { step: 'delivering' } : { step: 'delivering', place });
  const sent = await host.call('photos.deliver', {
    photo_id: job.photo.photo_id,
    company_id: job.company_id,
    project_id: job.project_id,
    to,
    key: operation.checkpoint.associate_key ?? job.associate_key,
    outcome_unknown,
    original: job.original?.photo_id,
    account: operation.account,
  });
  if (!sent.ok) await note(job, context);
  else if (sent.value.outcome === 'takes_no_photos')
    await checkpoint({ uploaded: true, step: null, place: null });
  return sent;
};
