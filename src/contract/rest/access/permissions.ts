/**
 * [ours] Who may call which endpoint: the only table of permissions (decisions §12.2). The service enforces it, the OpenAPI
 * document shows it as `x-permission`, refusals quote it, and a test compares it with decisions.md. An endpoint without a rule
 * does not compile. `--plain` has no levels: there every token may do everything.
 */
import { companyRecordKindNames, type CompanyRecordKind } from '../company-records.ts';
import type { EndpointName } from '../index.ts';
import { levels, type Level } from './levels.ts';

/**
 * The records that an allowed call may concern. `any`: all that the caller sees. `own`: those that the caller created.
 * `own_photos`: photos and captions of the caller's own reports. `own_or_answers`: own reports, and the answers to all reports
 * that name the caller in "Follow-up by" or whose project's shift the caller has taken over.
 */
export const conditionWords = {
  any: 'yes',
  own: 'own',
  own_photos: 'photos of own',
  own_or_answers: 'own; answers to others',
} as const;
export type Condition = keyof typeof conditionWords;

export type Permission = Readonly<Partial<Record<Level, Condition>>>;

export const rules = {
  everyone: { read_only: 'any', reporter: 'any', standard: 'any', admin: 'any' },
  see_reports: { read_only: 'any', reporter: 'own', standard: 'any', admin: 'any' },
  see_company: { read_only: 'any', standard: 'any', admin: 'any' },
  file: { reporter: 'any', standard: 'any', admin: 'any' },
  update_report: { reporter: 'own_photos', standard: 'own_or_answers', admin: 'any' },
  comment: { reporter: 'own', standard: 'any', admin: 'any' },
  remove_comment: { reporter: 'own', standard: 'own', admin: 'any' },
  add_work: { standard: 'any', admin: 'any' },
  change_work: { standard: 'own', admin: 'any' },
  administer: { admin: 'any' },
} as const satisfies Readonly<Record<string, Permission>>;
export type RuleName = keyof typeof rules;

/** What each rule covers, as decisions §12.2 says it. */
export const ruleWords: Readonly<Record<RuleName, string>> = {
  everyone: 'sees the catalog, the company, plans, the own projects and account',
  see_reports: 'sees near misses, the recycle bin and incidents',
  see_company: 'sees insurances, attachments, memberships, company data, users and shifts',
  file: 'files near misses and uploads photos',
  update_report: 'changes a near miss',
  comment: 'comments on near misses',
  remove_comment: 'removes comments',
  add_work: 'opens incidents, attaches files, takes over a shift',
  change_work: 'recycles, restores and deletes, changes incidents',
  administer:
    'writes all else: insurances, memberships, company data, plans, users, codes, accounts, webhooks',
};

type Verb = 'list' | 'show' | 'create' | 'update' | 'import';

const verbRules = {
  list: 'see_company',
  show: 'see_company',
  create: 'administer',
  update: 'administer',
  import: 'administer',
} as const satisfies Record<Verb, RuleName>;

const companyRecordRules = Object.fromEntries(
  companyRecordKindNames.flatMap((kind) =>
    Object.entries(verbRules).map(([verb, rule]) => [`${kind}.${verb}`, rule]),
  ),
) as Record<`${CompanyRecordKind}.${Verb}`, RuleName>;

const webhookRules = {
  'webhook_hooks.list': 'administer',
  'webhook_hooks.create': 'administer',
  'webhook_hooks.show': 'administer',
  'webhook_hooks.update': 'administer',
  'webhook_hooks.delete': 'administer',
  'webhook_triggers.list': 'administer',
  'webhook_triggers.create': 'administer',
  'webhook_triggers.delete': 'administer',
  'webhook_deliveries.list': 'administer',
  'webhook_resources.list': 'administer',
  'webhook_signing_secrets.create': 'administer',
} as const satisfies Record<string, RuleName>;
type WebhookEndpoint = keyof typeof webhookRules;

/** Both prefixes of webhooks reach the same resources. */
const vapidRules = Object.fromEntries(
  Object.entries(webhookRules).map(([name, rule]) => [`vapid_${name}`, rule]),
) as Record<`vapid_${WebhookEndpoint}`, RuleName>;

export const ruleOf: Readonly<Record<EndpointName, RuleName>> = {
  'near_misses.list': 'see_reports',
  'near_misses.create': 'file',
  'near_misses.show': 'see_reports',
  'near_misses.update': 'update_report',
  'near_misses.delete': 'change_work',
  'recycled_near_misses.list': 'see_reports',
  'recycled_near_misses.show': 'see_reports',
  'recycled_near_misses.restore': 'change_work',
  'near_miss_attachments.delete': 'change_work',
  'near_miss_history.list': 'see_reports',
  'near_miss_history.redact': 'administer',
  'near_miss_comments.list': 'see_reports',
  'near_miss_comments.create': 'comment',
  'near_miss_comments.delete': 'remove_comment',
  'near_miss_evidence.create': 'administer',
  'signing_keys.list': 'everyone',
  'admin_acts.list': 'administer',
  'retention.show': 'administer',
  'retention.update': 'administer',
  'retention.preview': 'administer',
  'erasures.preview': 'administer',
  'erasures.create': 'administer',
  'erasures.list': 'administer',
  'erasures.show': 'administer',
  'person_copies.create': 'administer',
  'legal_hold.show': 'administer',
  'legal_hold.put': 'administer',
  'legal_hold.delete': 'administer',
  'incidents.list': 'see_reports',
  'incidents.create': 'add_work',
  'incidents.show': 'see_reports',
  'incidents.update': 'change_work',
  'incidents.import': 'administer',
  'catalog.show': 'everyone',
  'company.show': 'everyone',
  'company.update': 'administer',
  ...companyRecordRules,
  'insurances.list': 'see_company',
  'insurances.create': 'administer',
  'insurances.sync': 'administer',
  'insurances.show': 'see_company',
  'insurances.update': 'administer',
  'insurances.delete': 'administer',
  'time_and_material_entry_attachments.list': 'see_company',
  'time_and_material_entry_attachments.create': 'add_work',
  'time_and_material_entry_attachments.bulk_destroy': 'change_work',
  'time_and_material_entry_attachments.show': 'see_company',
  'time_and_material_entry_attachments.delete': 'change_work',
  'project_memberships.list': 'see_company',
  'project_memberships.create': 'administer',
  'project_memberships.delete': 'administer',
  'project_memberships.bulk_add': 'administer',
  'project_memberships.bulk_remove': 'administer',
  'plans.list': 'everyone',
  'plans.create': 'administer',
  'plans.show': 'everyone',
  'plans.update': 'administer',
  'plans.delete': 'administer',
  'plan_revisions.create': 'administer',
  // Each operation is judged by its own endpoint. Who files nothing has nothing to send in a batch.
  'batch.send': 'file',
  'me.show': 'everyone',
  'companies.list': 'everyone',
  'visible_projects.list': 'everyone',
  'visible_projects.show': 'everyone',
  'uploads.create': 'file',
  'uploads.show': 'file',
  'uploads.update': 'file',
  'project_uploads.create': 'file',
  ...webhookRules,
  ...vapidRules,
  'company_users.list': 'see_company',
  'company_users.create': 'administer',
  'company_users.show': 'see_company',
  'company_users.update': 'administer',
  'my_tokens.list': 'everyone',
  'my_tokens.create': 'everyone',
  'my_tokens.delete': 'everyone',
  'user_tokens.list': 'administer',
  'user_tokens.delete': 'administer',
  'enrolment_codes.list': 'administer',
  'enrolment_codes.create': 'administer',
  'enrolment_codes.delete': 'administer',
  'enrolments.create': 'everyone',
  'sign_ins.offer': 'everyone',
  'sign_ins.create': 'everyone',
  'tokens.introspect': 'everyone',
  'service_accounts.list': 'administer',
  'service_accounts.create': 'administer',
  'service_accounts.delete': 'administer',
  'service_account_secrets.create': 'administer',
  'shifts.list': 'see_company',
  'shifts.create': 'add_work',
  'mail_preferences.show': 'everyone',
  'mail_preferences.update': 'everyone',
  'mails.list': 'administer',
};

/** Undefined: the level may not call the endpoint. */
export const conditionOf = (name: EndpointName, level: Level): Condition | undefined =>
  (rules[ruleOf[name]] as Permission)[level];

/** `x-permission` of the OpenAPI document. */
export const permissionOf = (name: EndpointName): Readonly<Record<Level, Condition | 'none'>> =>
  Object.fromEntries(levels.map((level) => [level, conditionOf(name, level) ?? 'none'])) as Record<
    Level,
    Condition | 'none'
  >;

export const levelWords: Readonly<Record<Level, string>> = {
  read_only: 'read only',
  reporter: 'reporter',
  standard: 'standard',
  admin: 'admin',
};

/** The sentence of a 403: the level may not call this endpoint at all. */
export const refusalOf = (name: EndpointName, summary: string, level: Level): string => {
  const allowed = levels.filter((one) => conditionOf(name, one) !== undefined);
  const takes = allowed.map((one) => levelWords[one]).join(' or ');
  return `Your level in this company is "${levelWords[level]}", which does not allow this (${summary}). It takes ${takes}: an admin of the company can change your level.`;
};

/** The sentence of a 403 whose reason is the record: the level may call the endpoint for other records. */
export const conditionRefusals: Readonly<Record<Exclude<Condition, 'any'>, string>> = {
  own: 'You may change only what you created. An admin of the company may change this record.',
  own_photos:
    'You may add photos and captions to your own reports, and change nothing else of a report that was sent.',
  own_or_answers:
    'Somebody else created this report. Change its follow-up, captions and photos when "Follow-up by" names you or after you took over the shift of the project; an admin of the company may change the rest.',
};
