/** Decides which photo a removal operation means. */
import type { NearMissAttachment } from '../../contract/rest/attachments.ts';
import type { PhotoRemoval } from './spec.ts';
import { optimisticPatchOf } from './operation.ts';
import type { OutboxOperation } from './stored.ts';

interface Known {
  readonly attachment_id: number | null;
  readonly upload_uuid: string | null;
  readonly sha256: string;
}

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

export const removalsIn = (lane: readonly OutboxOperation[]): readonly PhotoRemoval[] =>
  lane.flatMap((operation) => {
    const over = optimisticPatchOf(operation);
    return over?.puts === 'no_photo' ? over.removal : [];
  });
