/** Saves a file of an entry, from this laptop or from the server, to the user's downloads. */
import type { Problem } from '../../../../contract/problem.ts';
import { attachmentBlob, type TmAttachmentView } from '../../../data/company/time-and-material.ts';
import { saveBlob } from '../../../parts/save.ts';
import { app } from '../../../state/app.svelte.ts';
import { toasts } from '../../../state/toasts.svelte.ts';
import { problemLine } from '../../../words/problems.ts';
import { words } from '../../../words/company-words.ts';

/** Why a file cannot be read. Offline, a delivered file may already have been removed from this laptop. */
export const whyNotHere = ({ row }: TmAttachmentView, problem: Problem): string =>
  app.online === false && row.state === 'delivered' ? words.tm.not_here : problemLine(problem);

export const saveAttachment = async (view: TmAttachmentView): Promise<void> => {
  const answer = await attachmentBlob(app.deps, view.row, 'full');
  if (answer.ok) saveBlob(answer.value, view.row.filename);
  else toasts.show('bad', whyNotHere(view, answer.problem));
};
