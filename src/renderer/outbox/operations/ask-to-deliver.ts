/**
 * What the two operations that send bytes share: the host delivers (`photos.deliver`), and notes how far it is; the entry notes
 * only whether more than bytes may have left this laptop, because then it cannot be taken back as if it had never been sent.
 */
import type { Delivery, PhotoTarget } from '../../../contract/host.ts';
import { fail, type Result } from '../../../contract/problem.ts';
import type { PhotoPlace } from '../../../contract/settings.ts';
import type { SendingNotes } from '../../entries/photo.ts';
import type { SendContext } from './operation.ts';

interface Job {
  readonly company_id: number;
  readonly project_id: number;
  readonly photo: { readonly photo_id: string };
  /** What it was made from: kept and dropped together. */
  readonly original?: { readonly photo_id: string } | undefined;
  /** The idempotency key of what hangs it on. */
  readonly associate_key: string;
}

/** After a try that failed: how far it is, for people and for what may be taken back. */
const note = async (
  { photo }: Job,
  { host, checkpoint }: SendContext<SendingNotes>,
): Promise<void> => {
  const asked = await host.call('photos.delivery', { photo_id: photo.photo_id });
  // Nobody knows: it counts as perhaps hung on, as it was noted before.
  if (!asked.ok) return;
  const { uploaded, hung } = asked.value;
  if (hung === 'no') await checkpoint({ uploaded, step: null, place: null });
  else await checkpoint({ uploaded, step: hung === 'yes' ? 'hung' : 'hanging' });
};

interface Standing {
  /** Nobody knows how far an earlier try got. */
  readonly unsure: boolean;
  /** Where it goes, where that is not its record: noted, so that a changed setting does not send it twice. */
  readonly place: PhotoPlace | null;
}

export const delivered = async (
  job: Job,
  to: PhotoTarget,
  context: SendContext<SendingNotes>,
  { unsure, place }: Standing,
): Promise<Result<Delivery>> => {
  const { host, db, entry, checkpoint } = context;
  // Paused after it was claimed and before it began.
  if ((await db.entries.get(entry.id))?.photo_pace === 'paused') return fail({ kind: 'cancelled' });
  await checkpoint(place === null ? { step: 'delivering' } : { step: 'delivering', place });
  const sent = await host.call('photos.deliver', {
    photo_id: job.photo.photo_id,
    company_id: job.company_id,
    project_id: job.project_id,
    to,
    key: entry.checkpoint.associate_key ?? job.associate_key,
    unsure,
    original: job.original?.photo_id,
    account: entry.account,
  });
  if (!sent.ok) await note(job, context);
  else if (sent.value.outcome === 'takes_no_photos')
    await checkpoint({ uploaded: true, step: null, place: null });
  return sent;
};

/** An older version noted such steps in the entry; how far that came, the host was not told. */
export const begunByOlder = ({ attaching, attachment_id }: SendingNotes): boolean =>
  attaching === true || typeof attachment_id === 'number';
