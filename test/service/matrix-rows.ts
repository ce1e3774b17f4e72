/**
 * One row for every route of the contract: how its owner calls it for the victim's records, and what a user of another place
 * gets. A route without a row fails matrix.test.ts.
 */
import { randomUUID } from 'node:crypto';
import {
  companyRecordKindNames,
  companyRecordKinds,
  type CompanyRecordKind,
} from '../../src/contract/rest/company-records.ts';
import { anyEndpoint, type EndpointName } from '../../src/contract/rest/index.ts';
import type { webhookEndpoints } from '../../src/contract/rest/webhooks.ts';
import type { Answer, Client } from '../support/service.ts';
import {
  completion,
  hookBody,
  triggerBody,
  victimOf,
  type Victim,
  type World,
} from './matrix-world.ts';

export interface Row {
  /** Path parameters besides company and project. */
  readonly params?: (victim: Victim) => Readonly<Record<string, number | string>>;
  readonly query?: (victim: Victim) => string;
  /** A body that succeeds for the owner and references the victim's records wherever possible. */
  readonly body?: (victim: Victim) => unknown;
  /**
   * The status if company and project are the asker's and the records are the victim's: 404 if the path names one, 422 if the
   * body does, 403 if the query names the victim's company, 409 if the body is about a state of the victim's company, else a success that
   * neither shows nor changes the victim's data.
   */
  readonly elsewhere: 200 | 201 | 207 | 403 | 404 | 409 | 422;
  /** The status for a colleague who uses an upload of another owner. */
  readonly colleague?: 404 | 422;
}

const nearMiss = (victim: Victim) => ({ id: victim.near_miss });
const recycled = (victim: Victim) => ({ id: victim.recycled });
const vendor = (victim: Victim) => ({ vendor_id: victim.vendor });
const insurance = (victim: Victim) => ({ vendor_id: victim.vendor, id: victim.insurance });
const attachment = (victim: Victim) => ({ id: victim.attachment });
const plan = (victim: Victim) => ({ id: victim.plan });
const upload = (victim: Victim) => ({ uuid: victim.upload });

const inNamespace = () => 'namespace=matrix';
const hook = { params: (victim: Victim) => ({ id: victim.hook }), query: inNamespace };
const ofHook = { params: (victim: Victim) => ({ hook_id: victim.hook }), query: inNamespace };
const triggersOfHook = {
  params: (victim: Victim) => ({ target_id: victim.hook }),
  query: inNamespace,
};

/** Both prefixes reach the same routes (decisions §9.1). Their scope is in query and body, not in the path. */
const webhookRows: Readonly<Record<keyof typeof webhookEndpoints, Row>> = {
  'webhook_hooks.list': {
    query: (victim) => `project_id=${victim.project}&namespace=matrix`,
    elsewhere: 404,
  },
  'webhook_hooks.create': {
    body: (victim) => hookBody(victim.project),
    elsewhere: 404,
  },
  'webhook_hooks.show': { ...hook, elsewhere: 404 },
  'webhook_hooks.update': {
    ...hook,
    body: () => ({ hook: { api_version: 'v2' } }),
    elsewhere: 404,
  },
  'webhook_hooks.delete': { ...hook, elsewhere: 404 },
  'webhook_triggers.list': { ...triggersOfHook, elsewhere: 404 },
  'webhook_triggers.create': {
    ...triggersOfHook,
    body: () => ({ ...triggerBody, trigger: { ...triggerBody.trigger, event_type: 'update' } }),
    elsewhere: 404,
  },
  'webhook_triggers.delete': {
    params: (victim) => ({ id: victim.trigger }),
    query: inNamespace,
    elsewhere: 404,
  },
  'webhook_deliveries.list': { ...ofHook, elsewhere: 404 },
  'webhook_resources.list': { elsewhere: 200 },
};

const signingSecret: Row = { ...ofHook, body: () => ({}), elsewhere: 404 };

const vapidRows = Object.fromEntries(
  Object.entries(webhookRows).map(([name, row]) => [`vapid_${name}`, row]),
);

/** Company data is found by company and id alone: every member of the company may change all of it. */
const rowsOfKind = (kind: CompanyRecordKind): Readonly<Record<string, Row>> => {
  const one = companyRecordKinds[kind].one;
  const own = kind === 'custom_field_definitions' ? 'label' : 'name';
  const typed = kind === 'custom_field_definitions' ? { data_type: 'string' } : {};
  const id = (victim: Victim) => ({ id: victim.records[kind] });
  const isScoped = kind !== 'projects';
  const isDocument = kind === 'documents';
  return {
    [`${kind}.list`]: { elsewhere: 200 },
    [`${kind}.create`]: {
      body: (victim) => ({
        [one]: {
          [own]: 'x',
          ...typed,
          ...(isScoped ? { project_id: victim.project } : {}),
          ...(isDocument ? { folder_id: victim.folder, upload_uuid: victim.upload } : {}),
        },
      }),
      elsewhere: isScoped ? 422 : 201,
      ...(isDocument ? { colleague: 422 as const } : {}),
    },
    [`${kind}.show`]: { params: id, elsewhere: 404 },
    [`${kind}.update`]: { params: id, body: () => ({ [one]: { [own]: 'y' } }), elsewhere: 404 },
    [`${kind}.import`]: {
      body: (victim) => ({ rows: [{ id: victim.records[kind], [own]: 'z' }] }),
      elsewhere: 422,
    },
  };
};

export const rows: Partial<Record<EndpointName, Row>> = {
  ...(Object.assign({}, ...companyRecordKindNames.map(rowsOfKind)) as Record<string, Row>),
  ...webhookRows,
  ...vapidRows,
  'webhook_signing_secrets.create': signingSecret,
  'vapid_webhook_signing_secrets.create': signingSecret,
  // Each operation is refused by its own route: the batch as a whole is not.
  'batch.send': {
    body: (victim) => ({
      operations: [
        {
          method: 'PATCH',
          path: `/rest/v1.0/projects/${victim.project}/incidents/near_misses/${victim.near_miss}`,
          idempotency_key: 'matrix',
          body: { near_miss: { description: 'x' } },
        },
      ],
    }),
    elsewhere: 207,
  },
  'near_misses.list': { elsewhere: 200 },
  'near_misses.create': {
    body: (victim) => ({
      near_miss: { incident_id: victim.incident, upload_uuids: [victim.upload] },
    }),
    elsewhere: 422,
    colleague: 422,
  },
  'near_misses.show': { params: nearMiss, elsewhere: 404 },
  'near_misses.update': {
    params: nearMiss,
    body: (victim) => ({ near_miss: { description: 'x', upload_uuids: [victim.upload] } }),
    elsewhere: 404,
    colleague: 422,
  },
  'near_misses.delete': { params: nearMiss, elsewhere: 404 },
  'near_miss_history.list': { params: nearMiss, elsewhere: 404 },
  'near_miss_comments.list': { params: nearMiss, elsewhere: 404 },
  'near_miss_comments.create': {
    params: nearMiss,
    body: () => ({ comment: { text: 'x' } }),
    elsewhere: 404,
  },
  'near_miss_comments.delete': {
    params: (victim) => ({ id: victim.near_miss, comment_id: victim.comment }),
    elsewhere: 404,
  },
  'near_miss_history.redact': {
    params: (victim) => ({ id: victim.near_miss, entry_id: 1 }),
    elsewhere: 404,
  },
  'near_miss_evidence.create': { params: nearMiss, body: () => ({}), elsewhere: 404 },
  'signing_keys.list': { elsewhere: 200 },
  'admin_acts.list': { elsewhere: 200 },
  'retention.show': { elsewhere: 200 },
  'retention.update': { body: () => ({ retention: {} }), elsewhere: 200 },
  'retention.preview': { elsewhere: 200 },
  'erasures.preview': { body: () => ({ erasure: { name: 'Nobody Here' } }), elsewhere: 200 },
  'erasures.create': { body: (victim) => victim.erasure_body, elsewhere: 409 },
  'erasures.list': { elsewhere: 200 },
  'erasures.show': { params: (victim) => ({ id: victim.erasure }), elsewhere: 404 },
  'person_copies.create': {
    body: () => ({ person_copy: { name: 'Nobody Here' } }),
    elsewhere: 201,
  },
  'legal_hold.show': { params: nearMiss, elsewhere: 404 },
  'legal_hold.put': {
    params: nearMiss,
    body: () => ({ legal_hold: { reason: 'A claim' } }),
    elsewhere: 404,
  },
  'legal_hold.delete': { params: nearMiss, elsewhere: 404 },
  'near_miss_attachments.delete': {
    params: (victim) => ({ id: victim.near_miss, attachment_id: victim.near_miss_attachment }),
    elsewhere: 404,
  },
  'recycled_near_misses.list': { elsewhere: 200 },
  'recycled_near_misses.show': { params: recycled, elsewhere: 404 },
  'recycled_near_misses.restore': { params: recycled, body: () => ({}), elsewhere: 404 },
  'incidents.list': { elsewhere: 200 },
  'incidents.create': { body: () => ({ incident: { title: 'x' } }), elsewhere: 201 },
  'incidents.show': { params: (victim) => ({ id: victim.incident }), elsewhere: 404 },
  'incidents.update': {
    params: (victim) => ({ id: victim.incident }),
    body: () => ({ incident: { status: 'closed' } }),
    elsewhere: 404,
  },
  'incidents.import': {
    body: (victim) => ({ rows: [{ id: victim.incident, status: 'closed' }] }),
    elsewhere: 422,
  },
  'company.show': { elsewhere: 200 },
  'company.update': { body: () => ({ company: { name: 'Renamed' } }), elsewhere: 200 },
  'catalog.show': { elsewhere: 200 },
  'me.show': { elsewhere: 200 },
  'companies.list': { elsewhere: 200 },
  'company_users.list': { elsewhere: 200 },
  'company_users.create': {
    body: () => ({ user: { login: `user-${randomUUID()}@example.com`, name: 'x' } }),
    elsewhere: 201,
  },
  'company_users.show': { params: (victim) => ({ id: victim.user }), elsewhere: 404 },
  'company_users.update': {
    params: (victim) => ({ id: victim.user }),
    body: () => ({ user: { level: 'reporter' } }),
    elsewhere: 404,
  },
  'my_tokens.list': { elsewhere: 200 },
  'my_tokens.create': { body: () => ({ token: { name: 'x' } }), elsewhere: 201 },
  'my_tokens.delete': { params: (victim) => ({ id: victim.token }), elsewhere: 404 },
  'user_tokens.list': { params: (victim) => ({ user_id: victim.user }), elsewhere: 404 },
  'user_tokens.delete': {
    params: (victim) => ({ user_id: victim.user, id: victim.user_token }),
    elsewhere: 404,
  },
  'enrolment_codes.list': { elsewhere: 200 },
  'enrolment_codes.create': {
    body: (victim) => ({ enrolment_code: { user_id: victim.user } }),
    elsewhere: 422,
  },
  'enrolments.create': {
    body: (victim) => ({ enrolment: { code: victim.code_text } }),
    elsewhere: 201,
  },
  'sign_ins.offer': { elsewhere: 404 },
  'sign_ins.create': { body: () => ({ sign_in: { id_token: 'x', proof: 'y' } }), elsewhere: 404 },
  'tokens.introspect': { elsewhere: 200 },
  'service_accounts.list': { elsewhere: 200 },
  'service_accounts.create': {
    body: (victim) => ({
      service_account: { name: 'x', level: 'reporter', project_ids: [victim.project] },
    }),
    elsewhere: 422,
  },
  'service_accounts.delete': { params: (victim) => ({ id: victim.account }), elsewhere: 404 },
  'service_account_secrets.create': {
    params: (victim) => ({ id: victim.account }),
    body: () => ({}),
    elsewhere: 404,
  },
  'enrolment_codes.delete': { params: (victim) => ({ id: victim.code }), elsewhere: 404 },
  'shifts.list': { elsewhere: 200 },
  'shifts.create': { elsewhere: 201 },
  'mail_preferences.show': { elsewhere: 200 },
  'mail_preferences.update': { body: () => ({ mail: { severe: true } }), elsewhere: 200 },
  'mails.list': { elsewhere: 200 },
  'plans.list': { elsewhere: 200 },
  'plans.create': {
    body: (victim) => ({ plan: { name: 'x', upload_uuid: victim.drawing } }),
    elsewhere: 422,
    colleague: 422,
  },
  'plans.show': { params: plan, elsewhere: 404 },
  'plans.update': { params: plan, body: () => ({ plan: { name: 'x' } }), elsewhere: 404 },
  'plans.delete': { params: plan, elsewhere: 404 },
  'plan_revisions.create': {
    params: plan,
    body: (victim) => ({ revision: { upload_uuid: victim.drawing } }),
    elsewhere: 404,
    colleague: 422,
  },
  'visible_projects.list': {
    query: (victim) => `company_id=${victim.company}`,
    elsewhere: 403,
  },
  'visible_projects.show': { params: (victim) => ({ id: victim.project }), elsewhere: 404 },
  'uploads.create': { body: () => ({ response_filename: 'x' }), elsewhere: 201 },
  'uploads.show': { params: upload, elsewhere: 404, colleague: 404 },
  'uploads.update': { params: upload, body: () => completion, elsewhere: 404, colleague: 404 },
  'project_uploads.create': { body: () => ({ response_filename: 'x' }), elsewhere: 201 },
  'insurances.list': { params: vendor, elsewhere: 404 },
  'insurances.create': {
    params: vendor,
    body: () => ({ insurance: { name: 'x' } }),
    elsewhere: 404,
  },
  'insurances.sync': {
    params: vendor,
    body: (victim) => ({ updates: [{ id: victim.insurance, name: 'x' }] }),
    elsewhere: 404,
  },
  'insurances.show': { params: insurance, elsewhere: 404 },
  'insurances.update': {
    params: insurance,
    body: () => ({ insurance: { name: 'x' } }),
    elsewhere: 404,
  },
  'insurances.delete': { params: insurance, elsewhere: 404 },
  'time_and_material_entry_attachments.list': { elsewhere: 200 },
  'time_and_material_entry_attachments.create': {
    body: (victim) => ({
      time_and_material_entry_id: victim.entry,
      time_and_material_entry_attachment: {
        documents: [victim.document],
        folders: [victim.folder],
        upload_uuids: [victim.upload],
      },
    }),
    elsewhere: 422,
    colleague: 422,
  },
  'time_and_material_entry_attachments.bulk_destroy': {
    body: (victim) => ({
      time_and_material_entry_attachment: {
        time_and_material_entry_attachment_ids: [victim.attachment],
      },
    }),
    elsewhere: 422,
  },
  'time_and_material_entry_attachments.show': { params: attachment, elsewhere: 404 },
  'time_and_material_entry_attachments.delete': { params: attachment, elsewhere: 404 },
  'project_memberships.list': { elsewhere: 200 },
  'project_memberships.create': {
    body: (victim) => ({ project_membership: { party_id: victim.party } }),
    elsewhere: 422,
  },
  'project_memberships.delete': {
    params: (victim) => ({ id: victim.membership }),
    query: (victim) => `party_id=${victim.member}`,
    elsewhere: 404,
  },
  'project_memberships.bulk_add': {
    body: (victim) => ({ party_ids: [victim.party] }),
    elsewhere: 422,
  },
  'project_memberships.bulk_remove': {
    body: (victim) => ({ party_ids: [victim.member] }),
    elsewhere: 200,
  },
};

/** The victim's records that a row references. */
const namedBy = ({ params, query, body }: Row): ReadonlySet<keyof Victim> => {
  const named = new Set<keyof Victim>();
  const asked = new Proxy({} as Victim, {
    get: (_target, name) => {
      named.add(name as keyof Victim);
      return name === 'records' ? {} : 0;
    },
  });
  for (const part of [params, query, body]) part?.(asked);
  return named;
};

/** The victim for a route: if the route writes, fresh copies of the records it references. */
export const victimFor = (world: World, name: EndpointName, isPrivate = false): Promise<Victim> => {
  const row = rows[name];
  const writes = anyEndpoint(name).method !== 'GET';
  return victimOf(world, writes && row ? namedBy(row) : [], isPrivate);
};

/** The company and project in the path. */
export type Place = Pick<Client, 'company_id' | 'project_id'>;

/** Calls a route for the victim's records, as its row says. */
export const askRow = (
  name: EndpointName,
  row: Row,
  victim: Victim,
  by: Client,
  place: Place,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  const spec = anyEndpoint(name);
  const names: Readonly<Record<string, number | string>> = {
    company_id: place.company_id,
    project_id: place.project_id,
    ...row.params?.(victim),
  };
  const path = spec.path.replaceAll(/\{(\w+)\}/g, (_, key: string) => {
    const value = names[key];
    if (value === undefined) throw new Error(`the row of ${name} does not say ${key}`);
    return String(value);
  });
  const query = row.query ? `?${row.query(victim)}` : '';
  const body = row.body?.(victim);
  return by.ask(spec.method, path + query, {
    headers,
    ...(body === undefined ? {} : { body }),
  });
};
