/** [ours] Erases a name from accounts, people, parties and all other records, each in one transaction (decisions §21.2). */
import { sortKey } from '../../../contract/text/fold.ts';
import { findUser, renameUser, updateCompanyUser } from '../../store/access/company-users.ts';
import { deleteCodesBy, deleteCodesOf } from '../../store/access/enrolment-codes.ts';
import { readProjectIds } from '../../store/access/project-ids.ts';
import { endTokensOf, levelOf } from '../../store/access/tokens.ts';
import * as records from '../../store/company-records.ts';
import type { Db } from '../../store/engine/db.ts';
import { namesChanged } from '../../store/engine/denormalized-names.ts';
import { isPseudonymTaken, type ItemRow } from '../../store/erasure/erasures.ts';
import { renameFile } from '../../store/erasure/files.ts';
import {
  incidentNumbers,
  listTokenNames,
  renameErased,
  renameToken,
  touchNaming,
} from '../../store/erasure/people.ts';
import { findTextRow, writeTexts, type TextRow } from '../../store/erasure/texts.ts';
import { touchListing, updateIncident } from '../../store/near-misses/incidents.ts';
import { findStoredFile, findUpload } from '../../store/uploads.ts';
import { userNames } from '../../store/users.ts';
import { recordKind } from '../company/company-record-kinds.ts';
import { followNames } from '../company/company-records.ts';
import { recordIncident } from '../near-misses/incidents.ts';
import { REMOVED } from '../retention/anonymised.ts';
import { refreshSearchTexts } from '../search-text.ts';
import { isCompanyRecord, places, type Place } from './places.ts';
import { replacedInText } from './finder.ts';
import type { Task } from './task.ts';

export type Outcome = string;

const DONE = 'done';
const GONE = 'gone';

/** `Person 7F3K` as a login that nobody signs in with. */
const loginOf = ({ pseudonym }: Task, id: string): string =>
  `${pseudonym.toLowerCase().replace(' ', '-')}-${id}`;

/**
 * The account ends: its tokens, codes and mails go, and every list shows the pseudonym. If another erasure was quicker, its pseudonym stays,
 * because the texts have it.
 */
const eraseUser = async (tx: Db, task: Task, user_id: number, at: number): Promise<Outcome> => {
  const { company_id, now, pseudonym } = task;
  const row = await findUser(tx, company_id, user_id);
  if (!row || (await isPseudonymTaken(tx, company_id, row.name))) return GONE;
  const project_ids = readProjectIds(row.project_ids);
  const standing = { level: levelOf(row.level), project_ids, active: false };
  const member = { company_id, user_id, now };
  await updateCompanyUser(tx, member, standing, undefined);
  // The codes first: a request that uses one at the same time has then committed its token.
  await deleteCodesOf(tx, company_id, user_id);
  await deleteCodesBy(tx, company_id, user_id);
  await endTokensOf(tx, member);
  await renameErased(tx, member, pseudonym, loginOf(task, String(user_id)));
  await namesChanged(tx, company_id, at);
  await touchNaming(tx, company_id, { user_id }, at);
  return DONE;
};

/** Writes a changed record of the company, and what shows its name. */
const changeRecord = async (
  tx: Db,
  { company_id, now }: Task,
  name: Parameters<typeof recordKind>[0],
  had: records.RecordRow,
  values: TextRow,
  at: number,
): Promise<void> => {
  const kind = recordKind(name);
  const own = values[kind.name];
  const row: records.RecordRow = {
    ...had,
    ...values,
    ...(typeof own === 'string' ? { [records.foldedColumn(kind)]: sortKey(own) } : {}),
    version: had.version + 1,
    updated_at: at,
  };
  await records.updateRecord(tx, kind, row);
  const access = { level: 'admin' as const, project_ids: null };
  await followNames({ db: tx, company_id, access, now }, kind, [had.id]);
};

const erasePerson = async (
  tx: Db,
  task: Task,
  name: 'people' | 'parties',
  id: number,
  at: number,
): Promise<Outcome> => {
  const { company_id, pseudonym, finder } = task;
  const had = await records.findRecord(tx, recordKind(name), company_id, id);
  if (!had || (await isPseudonymTaken(tx, company_id, String(had['name'])))) return GONE;
  const isNamed = (value: unknown): boolean =>
    typeof value === 'string' && finder.find(value) !== null;
  await changeRecord(
    tx,
    task,
    name,
    had,
    {
      name: pseudonym,
      ...(isNamed(had.origin_id) ? { origin_id: null } : {}),
      ...(name === 'people' && had['login'] !== '' ? { login: loginOf(task, `p${id}`) } : {}),
    },
    at,
  );
  if (name === 'people') await touchListing(tx, company_id, [id], at);
  await touchNaming(
    tx,
    company_id,
    name === 'people' ? { affected_person_id: id } : { affected_party_id: id },
    at,
  );
  return DONE;
};

const nextText = (task: Task, { act, field }: ItemRow, place: Place, had: string): string | null =>
  (act === 'erase' && field !== 'options') || place.delicate
    ? (place.emptied[field] ?? null)
    : replacedInText(had, (one) =>
        task.finder.without(one, act === 'erase' ? REMOVED : task.pseudonym),
      );

const changeIncidentText = async (
  tx: Db,
  { company_id, user_id, now }: Task,
  id: number,
  values: TextRow,
  at: number,
): Promise<void> => {
  await updateIncident(tx, { company_id, id }, { ...values, updated_at: at });
  await refreshSearchTexts(tx, company_id, 'incident_id', [id]);
  await touchNaming(tx, company_id, { incident_id: id }, at);
  const known = await incidentNumbers(tx, { company_id, user_id }, [id]);
  const project_id = known.get(id)?.project_id ?? 0;
  await recordIncident(tx, { company_id, project_id, user_id }, id, 'update', now);
};

/** A text of a record in one of the tables of places.ts. */
const eraseInPlace = async (
  tx: Db,
  task: Task,
  item: ItemRow,
  place: Place,
  at: number,
): Promise<Outcome> => {
  const { company_id, finder } = task;
  const id = item.resource_id ?? 0;
  const had = await findTextRow(tx, company_id, place, { id });
  const value = had?.[item.field];
  if (typeof value !== 'string' || finder.find(value) === null) return GONE;
  const values = { [item.field]: nextText(task, item, place, value) };
  if (place.table === 'incidents') await changeIncidentText(tx, task, id, values, at);
  else if (isCompanyRecord(place.table)) {
    const row = await records.findRecord(tx, recordKind(place.table), company_id, id);
    if (!row) return GONE;
    await changeRecord(tx, task, place.table, row, values, at);
  } else
    await writeTexts(
      tx,
      company_id,
      place,
      { id },
      values,
      place.versioned ? { updated_at: at } : null,
    );
  return DONE;
};

const eraseFileName = async (tx: Db, task: Task, item: ItemRow, at: number): Promise<Outcome> => {
  const { company_id, finder, pseudonym } = task;
  const upload = item.part === '' ? undefined : await findUpload(tx, company_id, item.part);
  const stored_file_id = item.resource_id ?? upload?.stored_file_id ?? null;
  const file =
    stored_file_id === null ? undefined : await findStoredFile(tx, company_id, stored_file_id);
  const had = upload?.response_filename ?? file?.filename;
  if (had === undefined || finder.find(had) === null) return GONE;
  const filename =
    item.act === 'pseudonymise'
      ? finder.without(had, pseudonym)
      : `file${/\.[a-z0-9]{1,5}$/i.exec(had)?.[0] ?? ''}`;
  const upload_uuid = upload?.uuid ?? null;
  await renameFile(tx, { company_id, upload_uuid, stored_file_id }, filename, at);
  return DONE;
};

const eraseTokenNames = async (tx: Db, task: Task, { act }: ItemRow): Promise<Outcome> => {
  const named = (await listTokenNames(tx, task.company_id)).filter(
    ({ name }) => task.finder.find(name) !== null,
  );
  for (const { token_hash, name } of named)
    await renameToken(
      tx,
      token_hash,
      act === 'erase' ? REMOVED : task.finder.without(name, task.pseudonym),
    );
  return named.length === 0 ? GONE : DONE;
};

const eraseAccountName = async (tx: Db, task: Task, item: ItemRow): Promise<Outcome> => {
  const id = item.resource_id ?? 0;
  const had = (await userNames(tx, [id])).get(id);
  if (had === undefined || task.finder.find(had) === null) return GONE;
  const name = item.act === 'erase' ? REMOVED : task.finder.without(had, task.pseudonym);
  await renameUser(tx, id, name);
  return DONE;
};

/** @param at the stamp of the change */
export const eraseInRecord = (tx: Db, task: Task, item: ItemRow, at: number): Promise<Outcome> => {
  const id = item.resource_id ?? 0;
  switch (item.kind) {
    case 'user':
      return eraseUser(tx, task, id, at);
    case 'person':
      return erasePerson(tx, task, 'people', id, at);
    case 'party':
      return erasePerson(tx, task, 'parties', id, at);
    case 'file_name':
      return eraseFileName(tx, task, item, at);
    default: {
      if (item.resource === 'tokens') return eraseTokenNames(tx, task, item);
      if (item.resource === 'users') return eraseAccountName(tx, task, item);
      const place = places.find(({ table }) => table === item.resource);
      return place ? eraseInPlace(tx, task, item, place, at) : Promise.resolve(GONE);
    }
  }
};
