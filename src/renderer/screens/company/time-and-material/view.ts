/** Pure: the state of a file in a word, and whether the viewer can show it. */
import type { TmAttachmentRow } from '../../../data/db/db.ts';
import type { TmAttachmentView } from '../../../data/company/time-and-material.ts';
import type { PhotoProgress } from '../../../state/app.svelte.ts';
import { words } from '../../../words/company-words.ts';
import { type StateSaid, stateWord } from '../../common/state-word.ts';

/** True if the viewer can show it. Other files can only be saved. */
export const isPicture = ({ content_type }: Pick<TmAttachmentRow, 'content_type'>): boolean =>
  /^(image\/(jpeg|png|webp|gif|bmp|avif|hei[cf])|video\/(mp4|quicktime))$/.test(content_type ?? '');

export const standingOf = (
  { row, entry, undeleted }: TmAttachmentView,
  progress: Readonly<Record<string, PhotoProgress>>,
): StateSaid => {
  if (undeleted !== null) return stateWord('parked', undeleted.problem);
  if (entry === null)
    return row.receipt
      ? { tone: 'ok', word: words.tm.checked }
      : { tone: 'plain', word: words.tm.on_server };
  const going = progress[row.key];
  return entry.state === 'sending' && going && going.size > 0
    ? { tone: 'info', word: words.detail.photo_sending(going.sent / going.size) }
    : stateWord(entry.state, entry.last_problem);
};
