/** Details below a photo at full size: its size, when it was taken, its delivery state. Reads runes. */
import type { PhotoView } from '../../data/photos/photos.ts';
import { app } from '../../state/app.svelte.ts';
import { words } from '../../words/company-words.ts';

const t = words.gallery;

export const standing = ({ local }: PhotoView): string => {
  if (app.delivery === 'local') return words.detail.receipt_waiting;
  if (local === null) return t.on_server;
  return local.state === 'delivered' ? t.is_delivered : t.is_waiting;
};

export const noteOf = (photo: PhotoView): string => {
  const { local, remote } = photo;
  const size = local?.size ?? remote?.size ?? null;
  // The camera's wall clock, shown as written whatever the reader's time zone.
  const taken = local?.taken_at ? new Date(local.taken_at.local).getTime() : Number.NaN;
  return [
    ...(size === null ? [] : [t.size(size)]),
    ...(Number.isNaN(taken) ? [] : [t.taken(taken)]),
    standing(photo),
  ].join(' · ');
};
