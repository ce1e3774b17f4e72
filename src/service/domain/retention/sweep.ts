/**
 * [ours] Anonymises near misses and empties the recycle bin, as companies chose (decisions §20.3, §20.4). Each record is one transaction
 * of its company, in which everything is judged again, so a kill in between, another process, a new choice and a legal hold are safe.
 */
import type { Logger } from 'pino';
import type { Retention } from '../../../contract/rest/retention/retention.ts';
import { stampChange } from '../../store/engine/change-clock.ts';
import type { Db, Store } from '../../store/engine/db.ts';
import {
  buryForAuthor,
  buryNearMiss,
  forgetAuthorLists,
} from '../../store/near-misses/deleted-near-misses.ts';
import { redactEntries } from '../../store/near-misses/near-miss-history.ts';
import { findForSweep, type NearMissRow } from '../../store/near-misses/near-miss-lists.ts';
import * as store from '../../store/near-misses/near-misses.ts';
import { findCandidate, type Candidate } from '../../store/retention/due-near-misses.ts';
import { companiesWithRetention, findRetention } from '../../store/retention/settings.ts';
import { removeTraces, serviceUser } from '../../store/retention/traces.ts';
import { readDefinitions } from '../catalog.ts';
import { recordsOf } from '../context.ts';
import { recordAct } from '../evidence/admin-acts.ts';
import { recordHistory } from '../near-misses/near-miss-history.ts';
import { searchText } from '../search-text.ts';
import { withoutPeople } from './anonymised.ts';
import { DAY_MS, dueOf, whenFieldOf, type Due } from './due.ts';
import { dueNearMisses } from './settings.ts';

export interface SweepParts {
  readonly store: Store;
  readonly log: Logger;
  readonly now: () => number;
  readonly stopping: () => boolean;
}

/** What a pass did. */
export interface Swept {
  readonly anonymised: number;
  readonly deleted: number;
}

/** Records of a company in one pass: other writes wait for each. */
const PASS = 1000;

/** Days that a reader may be away and still learn which reports of an author are no longer shown as own ones. */
const AUTHOR_DAYS = 90;

const recordNearMiss = recordsOf('Near Misses');

interface Subject {
  readonly tx: Db;
  readonly company_id: number;
  readonly row: NearMissRow;
  readonly at: number;
  readonly now: number;
  readonly nobody: number;
}

/** @returns what the log of administrative acts says of it */
const detailsOf = ({ row }: Subject) => ({
  project_id: row.project_id,
  near_miss_id: row.id,
  number: `${row.incident_number}-${row.number}`,
});

const tombOf = ({ company_id, row }: Subject) => ({
  company_id,
  project_id: row.project_id,
  id: row.id,
  incident_id: row.incident_id,
  hidden: row.incident_private === 1,
  author_id: row.author_id,
});

const byService = ({ tx, company_id, row, now, nobody }: Subject) => ({
  db: tx,
  company_id,
  project_id: row.project_id,
  user_id: nobody,
  client: null,
  now,
});

const anonymise = async (subject: Subject): Promise<void> => {
  const { tx, company_id, row, at, now, nobody } = subject;
  const which = { company_id, project_id: row.project_id, id: row.id };
  const definitions = await readDefinitions(tx, { company_id, project_id: row.project_id });
  const next = withoutPeople(row, definitions, at);
  await buryForAuthor(tx, tombOf(subject), at);
  const stored = store.storedOf({
    ...next,
    company_id,
    created_by: nobody,
    created_with: null,
    search: searchText(next),
  });
  await store.anonymiseNearMiss(tx, which, stored);
  const redacted = await redactEntries(tx, { company_id, near_miss_id: row.id });
  await recordHistory(
    byService(subject),
    row.id,
    at,
    'anonymised',
    redacted.map((from) => ({ field: 'history', from, to: null })),
  );
  await removeTraces(tx, which, nobody);
  await recordNearMiss(byService(subject), row.id, 'update');
  const actor = { company_id, user_id: null, now };
  await recordAct(tx, actor, { act: 'near_miss_anonymised', details: detailsOf(subject) });
};

const remove = async (subject: Subject): Promise<void> => {
  const { tx, company_id, row, at, now, nobody } = subject;
  const which = { company_id, project_id: row.project_id, id: row.id };
  await removeTraces(tx, which, nobody);
  await store.deleteNearMiss(tx, which);
  await buryNearMiss(tx, tombOf(subject), at);
  const actor = { company_id, user_id: null, now };
  await recordAct(tx, actor, { act: 'near_miss_deleted', details: detailsOf(subject) });
};

/** Judges again in the transaction. Null: it is not due any more. */
const doOne = async (
  tx: Db,
  company_id: number,
  { id, project_id }: Candidate,
  now: number,
): Promise<Due['act'] | null> => {
  // First, because it takes the lock of the company.
  const at = await stampChange(tx, company_id, now);
  const retention: Retention | undefined = await findRetention(tx, company_id);
  const where = { company_id, project_id };
  const found = await findCandidate(tx, where, id);
  if (!retention || !found || found.held_at !== null) return null;
  const due = dueOf(found, retention, whenFieldOf(await readDefinitions(tx, where)));
  const row = await findForSweep(tx, company_id, id);
  if (due === null || due.at > now || !row) return null;
  const subject = { tx, company_id, row, at, now, nobody: await serviceUser(tx, now) };
  await (due.act === 'delete' ? remove(subject) : anonymise(subject));
  return due.act;
};

const sweepCompany = async (
  { store: db, log, now, stopping }: SweepParts,
  company_id: number,
): Promise<Swept> => {
  const swept = { anonymise: 0, delete: 0 };
  const moment = now();
  const retention = await findRetention(db.read, company_id);
  if (!retention) return { anonymised: 0, deleted: 0 };
  let left = PASS;
  for await (const part of dueNearMisses(db.long, company_id, retention, moment, 0)) {
    for (const { row } of part.filter((one) => one.row.held_at === null).slice(0, left)) {
      if (stopping()) break;
      left -= 1;
      try {
        const act = await db.write((tx) => doOne(tx, company_id, row, moment), company_id);
        if (act !== null) swept[act] += 1;
      } catch (error) {
        // The next pass tries again. One record must not keep the others.
        log.error({ err: error, near_miss: row.id }, 'a near miss could not be swept');
      }
    }
    if (left <= 0 || stopping()) break;
  }
  await db.write(
    (tx) => forgetAuthorLists(tx, company_id, moment - AUTHOR_DAYS * DAY_MS),
    company_id,
  );
  return { anonymised: swept.anonymise, deleted: swept.delete };
};

/** One pass over all companies. Several processes may run it at once. */
export const sweepRetention = async (parts: SweepParts): Promise<Swept> => {
  let [anonymised, deleted] = [0, 0];
  for (const company_id of await companiesWithRetention(parts.store.read)) {
    if (parts.stopping()) break;
    const swept = await sweepCompany(parts, company_id);
    anonymised += swept.anonymised;
    deleted += swept.deleted;
    if (swept.anonymised + swept.deleted > 0)
      parts.log.info({ company_id, ...swept }, 'reports swept');
  }
  return { anonymised, deleted };
};
