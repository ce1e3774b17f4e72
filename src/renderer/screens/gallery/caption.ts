/** Pure: what is said below a photo at full size: its bytes, when it was taken, where it stands. */
import type { PhotoView } from '../../data/photos.ts';
import { words } from '../../words/words.ts';

const t = words.gallery;

export const standing = ({ local }: PhotoView): string => {
  if (local === null) return t.on_server;
  return local.state === 'delivered' ? t.is_delivered : t.is_waiting;
};

export const noteOf = (photo: PhotoView): string => {
  const { local, remote } = photo;
  const size = local?.size ?? remote?.size ?? null;
  // The camera's wall clock as it wrote it, in whatever zone the reader is.
  const taken = local?.taken_at ? new Date(local.taken_at.local).getTime() : Number.NaN;
  return [
    ...(size === null ? [] : [t.size(size)]),
    ...(Number.isNaN(taken) ? [] : [t.taken(taken)]),
    standing(photo),
  ].join(' · ');
};
