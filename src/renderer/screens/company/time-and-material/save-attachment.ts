/** The bytes of a file of an entry, from this laptop or from the server: into the person's downloads, or why they cannot be had. */
import type { Problem } from '../../../../contract/problem.ts';
import { attachmentBlob, type TmAttachmentView } from '../../../data/company/time-and-material.ts';
import { saveBlob } from '../../../parts/save.ts';
import { app } from '../../../state/app.svelte.ts';
import { toasts } from '../../../state/toasts.svelte.ts';
import { problemLine } from '../../../words/problems.ts';
import { words } from '../../../words/wing-words.ts';

/** Offline, what was delivered may not be kept here any more. */
export const whyNotHere = ({ row }: TmAttachmentView, problem: Problem): string =>
  app.online === false && row.state === 'delivered' ? words.tm.not_here : problemLine(problem);

export const saveAttachment = async (view: TmAttachmentView): Promise<void> => {
  const answer = await attachmentBlob(app.deps, view.row, 'full');
  if (answer.ok) saveBlob(answer.value, view.row.filename);
  else toasts.show('bad', whyNotHere(view, answer.problem));
};
