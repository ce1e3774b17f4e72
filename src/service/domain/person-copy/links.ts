/**
 * [ours] Every column that names a person by an id, and what a copy for this person shows of the row (decisions §22.2). A new column of
 * this kind belongs here or in `notShown`: test/service/retention/person-copies.test.ts fails without it.
 */
import { textFields } from '../../../contract/rest/near-miss-fields.ts';
import type { LinkedTable } from '../../store/erasure/linked.ts';

export interface Link extends LinkedTable {
  /** What the relation names. */
  readonly of: 'user' | 'person' | 'party';
  /** The column with the id of the record; null: it has none that others may know. */
  readonly id: string | null;
  /** The column with the id of the near miss that the row belongs to. */
  readonly near_miss?: string;
  /** The column with the id of the incident that the row belongs to. */
  readonly incident?: string;
  /** Columns of `columns` to show; the others only order and name the row. */
  readonly shown: readonly string[];
}

type More = Partial<Pick<Link, 'id' | 'at' | 'near_miss' | 'incident' | 'company' | 'of'>>;

const link = (
  table: Link['table'],
  relation: string,
  shown: readonly string[],
  more: More = {},
): Link => {
  const { id = 'id', at = 'created_at', near_miss, incident, of = 'user', company } = more;
  const keys = [id, at, near_miss, incident, relation].filter((name) => typeof name === 'string');
  return {
    table,
    relation,
    of,
    id,
    at,
    shown,
    columns: [...new Set([...keys, ...shown])],
    ...(near_miss === undefined ? {} : { near_miss }),
    ...(incident === undefined ? {} : { incident }),
    ...(company === undefined ? {} : { company }),
  };
};

const report = { near_miss: 'id' };
const texts = ['description_plain_text', ...textFields, 'custom_fields'];

export const links: readonly Link[] = [
  link('users', 'id', ['name', 'login'], { company: 'none' }),
  link('company_users', 'user_id', ['level', 'active', 'project_ids'], { id: null, at: 'since' }),
  link('people', 'id', ['name', 'login', 'active'], { of: 'person' }),
  link('parties', 'id', ['name', 'active'], { of: 'party' }),
  link('project_memberships', 'party_id', ['project_id'], { of: 'party' }),
  link('tokens', 'user_id', ['name', 'level', 'expires_at', 'last_used_at'], {
    id: null,
    company: 'nullable',
  }),
  link('enrolment_codes', 'user_id', ['expires_at']),
  link(
    'mail_preferences',
    'user_id',
    ['language', 'assigned', 'due', 'done', 'severe', 'weekly', 'comments'],
    {
      id: null,
      at: 'user_id',
    },
  ),
  link('mails', 'user_id', ['kind', 'due', 'ended_at', 'outcome'], { near_miss: 'near_miss_id' }),
  link('near_misses', 'created_by', [...texts, 'created_with', 'deleted_at'], report),
  link('near_misses', 'affected_person_id', texts, { ...report, of: 'person' }),
  link('near_misses', 'affected_party_id', texts, { ...report, of: 'party' }),
  link('near_miss_history', 'user_id', ['action', 'changes', 'client'], {
    id: null,
    at: 'at',
    near_miss: 'near_miss_id',
  }),
  link('near_miss_comments', 'created_by', ['text', 'removed_at'], { near_miss: 'near_miss_id' }),
  link('near_miss_comments', 'removed_by', ['removed_at'], { near_miss: 'near_miss_id' }),
  link('legal_holds', 'user_id', ['reason'], { id: null, near_miss: 'near_miss_id' }),
  link('shifts', 'user_id', ['project_id', 'ends_at']),
  link('incidents', 'created_by', ['number', 'title', 'description', 'location'], {
    incident: 'id',
  }),
  link('incident_people', 'person_id', ['incident_id'], {
    id: null,
    at: 'incident_id',
    incident: 'incident_id',
    of: 'person',
  }),
  link('plan_revisions', 'created_by', ['plan_id', 'label']),
  link('uploads', 'owner_id', ['response_filename', 'size', 'status'], { id: null }),
  link('time_and_material_entry_attachments', 'created_by', ['filename']),
  link('webhook_hooks', 'created_by', ['namespace']),
  link('admin_acts', 'user_id', ['act']),
  link('admin_acts', 'about_user_id', ['act']),
];

/** Columns that name somebody by an id and are not shown, each with the reason. */
export const notShown: Readonly<Record<string, string>> = {
  'enrolment_codes.created_by':
    'says only that an admin made a code; the log of admins’ acts says it too',
  'service_account_secrets.user_id': 'a program, not a person',
  'idempotency_keys.user_id': 'repeats responses about records that are shown, and expires',
  'events.user_id': 'repeats that a record was changed; the record and its history are shown',
  'mails.by_user_id': 'a mail to somebody else',
  'incident_losses.user_id': 'an incident that the person no longer sees',
  'erasures.user_id': 'shown as the admin’s act',
};
