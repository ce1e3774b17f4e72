/** Pure: where a file of an entry stands, in a word, and whether it can be looked at. */
import type { TmAttachmentRow } from '../../data/db.ts';
import type { TmAttachmentView } from '../../data/time-and-material.ts';
import type { PhotoProgress } from '../../state/app.svelte.ts';
import { words } from '../../words/words.ts';
import type { Tone } from '../near-misses/view.ts';

/** One the viewer shows: everything else is saved. */
export const isPicture = ({ content_type }: Pick<TmAttachmentRow, 'content_type'>): boolean =>
  /^(image\/(jpeg|png|webp|gif|hei[cf])|video\/(mp4|quicktime))$/.test(content_type ?? '');

export const standingOf = (
  { row, entry, undeleted }: TmAttachmentView,
  progress: Readonly<Record<string, PhotoProgress>>,
): { readonly tone: Tone; readonly word: string } => {
  if (undeleted !== null)
    return undeleted.problem === null
      ? { tone: 'plain', word: words.state.set_aside }
      : { tone: 'bad', word: words.state.needs_you };
  if (entry === null)
    return row.receipt
      ? { tone: 'ok', word: words.tm.checked }
      : { tone: 'plain', word: words.tm.on_server };
  if (entry.state === 'parked')
    return entry.last_problem === null
      ? { tone: 'plain', word: words.state.set_aside }
      : { tone: 'bad', word: words.state.needs_you };
  if (entry.state === 'waiting') return { tone: 'wait', word: words.state.waiting };
  const going = progress[row.key];
  return going && going.size > 0
    ? { tone: 'info', word: words.detail.photo_sending(going.sent / going.size) }
    : { tone: 'info', word: words.state.sending };
};
