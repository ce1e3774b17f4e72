/** Unfinished work: drafts and unsaved changes of all projects. */
import { count } from './say.ts';

export const not_finished = {
  title: 'Not finished',
  text: 'Safe on this laptop. Nobody else sees it until you save it.',
  in_bin: 'Its near miss is in the recycle bin. Restore it to continue.',
  bin: 'Recycle bin',
  discard_title: 'Discard your changes?',
  discard_text: 'The near miss stays as it was before your changes.',
  discarded: 'Changes discarded.',
  /** Shown in the question before a sign-out. */
  stays: (n: number) =>
    count(n, {
      one: '# draft stays on this laptop, for you alone.',
      other: '# drafts stay on this laptop, for you alone.',
    }),
};
