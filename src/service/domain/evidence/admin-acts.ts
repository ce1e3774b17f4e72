/** [ours] Records and lists administrative acts (decisions §19.5). An act is recorded in its own transaction. */
import type { AdminAct, AdminActName } from '../../../contract/rest/evidence/admin-acts.ts';
import type { Db } from '../../store/engine/db.ts';
import * as store from '../../store/evidence/admin-acts.ts';
import { wireTime } from '../near-misses/near-miss-view.ts';
import { pageOf, type Page, type Paged } from '../page.ts';

/** Who acts, where and when. */
export interface Actor {
  readonly company_id: number;
  /** Null: a command at the server. */
  readonly user_id: number | null;
  readonly now: number;
}

export interface Act {
  readonly act: AdminActName;
  readonly about_user_id?: number;
  readonly details?: AdminAct['details'];
}

/** `tx`: the transaction of the act. */
export const recordAct = (
  tx: Db,
  { company_id, user_id, now }: Actor,
  { act, about_user_id, details = {} }: Act,
): Promise<void> =>
  store.insertAct(tx, {
    company_id,
    user_id,
    act,
    about_user_id: about_user_id ?? null,
    details: JSON.stringify(details),
    created_at: now,
  });

type Row = Awaited<ReturnType<typeof store.listActs>>[number];

const personOf = (id: number | null, name: string | null, login: string | null) =>
  id === null ? null : { id, name: name ?? '', login: login ?? '' };

const view = (row: Row): AdminAct => ({
  id: row.id,
  at: wireTime(row.created_at),
  user: personOf(row.user_id, row.user_name, row.user_login),
  act: row.act as AdminActName,
  about: personOf(row.about_user_id, row.about_name, row.about_login),
  details: JSON.parse(row.details) as AdminAct['details'],
});

/** Newest first. */
export const listActs = (db: Db, company_id: number, paged: Paged): Promise<Page<AdminAct>> =>
  pageOf(paged, {
    count: () => store.countActs(db, company_id),
    rows: (slice) => store.listActs(db, company_id, slice),
    view: (rows) => rows.map(view),
  });
