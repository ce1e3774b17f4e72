/** Pure: which photo an entry that takes one off its record means. */
import type { NearMissAttachment } from '../../contract/rest/attachments.ts';
import type { PhotoRemoval } from './answers.ts';
import { overOf } from './entry.ts';
import type { OutboxEntry } from './stored.ts';

interface Known {
  readonly attachment_id: number | null;
  readonly upload_uuid: string | null;
  readonly sha256: string;
}

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
