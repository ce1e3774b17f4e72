/**
 * Decides which actions to offer at the user's level, by the contract's table (decisions §12.2). Works offline. A
 * server without levels allows everything, and every server judges each write itself.
 */
import { conditionOf, type Condition } from '../../../contract/rest/access/permissions.ts';
import type { EndpointName } from '../../../contract/rest/index.ts';
import type { NearMissRow } from '../../data/db/db.ts';
import { app } from '../app.svelte.ts';

const conditionHere = (name: EndpointName): Condition | undefined => {
  const level = app.session.view?.level ?? null;
  return level === null ? 'any' : conditionOf(name, level);
};

/** True if the level may call the endpoint, at least for some records. */
export const may = (name: EndpointName): boolean => conditionHere(name) !== undefined;

/** True for an admin on a server that has levels. A company on this laptop alone has no other users. */
export const managesUsers = (): boolean => {
  const { level = null, kind = null } = app.session.view ?? {};
  return level !== null && kind !== 'local_company' && may('company_users.create');
};

/** True for the id of the signed-in user. */
export const isMe = (id: number | null | undefined): boolean =>
  typeof id === 'number' && id === app.session.view?.user?.id;

/** True if the level may call the endpoint for a record of this author. */
export const mayFor = (name: EndpointName, author: number | null | undefined): boolean => {
  const condition = conditionHere(name);
  return condition === 'any' || (condition === 'own' && isMe(author));
};

/** True for a report of this user. One that was never sent counts, because its author uses this laptop too. */
const isOwn = ({ server }: NearMissRow): boolean => server === null || isMe(server.created_by?.id);

/** True if the level may call the endpoint, such as a deletion, for this report. */
export const mayForReport = (name: EndpointName, row: NearMissRow): boolean =>
  row.server === null || mayFor(name, row.server.created_by?.id);

/** The parts of a report that may be changed. `answers`: follow-up, captions and more photos. `photos`: captions and more photos. */
export type Changeable = 'all' | 'answers' | 'photos' | 'none';

export const changeableOf = (row: NearMissRow): Changeable => {
  // The server refuses changes of what it has anonymised (decisions §20.3).
  if (row.server?.anonymised_at) return 'none';
  const condition = conditionHere('near_misses.update');
  if (row.server === null || condition === 'any') return 'all';
  if (condition === 'own_or_answers') return isOwn(row) ? 'all' : 'answers';
  return condition === 'own_photos' && isOwn(row) ? 'photos' : 'none';
};
