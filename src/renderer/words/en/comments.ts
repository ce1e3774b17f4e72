/** Comments on a near miss. */
import { count, f } from './say.ts';

export const comments = {
  title: 'Comments',
  none: 'No comments yet.',
  earlier: (n: number) =>
    count(n, {
      one: '# earlier comment is only on the server.',
      other: '# earlier comments are only on the server.',
    }),
  as_of: (at: number) => `As of ${f.moment(at)}. Spotter reads new comments when it is online.`,
  write: 'Write a comment',
  write_hint: 'Everybody who sees this report can read it. Ctrl+Enter sends it.',
  send: 'Send comment',
  room: (n: number) => count(n, { one: '# character left', other: '# characters left' }),
  too_long: (n: number) =>
    `${count(n, { one: '# character', other: '# characters' })} too many. Shorten the comment to send it.`,
  waiting: 'Waiting to be sent',
  parked: 'Not sent. See “Waiting”.',
  written: 'Comment saved.',
  take_back: 'Take back',
  taken_back: 'Comment taken back.',
  remove: (who: string, at: string) => `Remove the comment by ${who}, ${at}`,
  remove_title: 'Remove this comment?',
  remove_text:
    'Its text is deleted for everybody and cannot be restored. Who wrote it and who removed it stays.',
  remove_go: 'Remove comment',
  removed_by: (who: string) => `Removed by ${who}`,
};
