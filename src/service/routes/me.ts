/** [ours] /me (decisions §4.3). */
import { showMe } from '../domain/me.ts';
import type { HandlersOf } from './handler.ts';

export const meHandlers: HandlersOf<'me.show'> = {
  'me.show': ({ db, user }) => showMe(db, user),
};
