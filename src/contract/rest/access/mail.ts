/** [ours] What a user is mailed about, and the mails that a company's users got (decisions §16). */
import { z } from 'zod';
import { languages } from '../../languages.ts';
import { answeredAs } from '../protocol/answered.ts';
import { dateTime, endpoint, id, pathId } from '../protocol/endpoint.ts';
import { pagingQuery } from '../protocol/paging.ts';

export const mailKinds = [
  'assigned',
  'due_tomorrow',
  'overdue',
  'answered',
  'done',
  'severe',
  'commented',
  'weekly',
] as const;
export type MailKind = (typeof mailKinds)[number];
/** The kinds that concern one near miss. */
export type RecordMailKind = Exclude<MailKind, 'weekly'>;

/** The choices of a user, and what holds until the user chooses. */
export const mailDefaults = {
  language: 'en',
  /** Named in "Follow-up by". */
  assigned: true,
  /** A follow-up that names the user is due tomorrow, or overdue. */
  due: true,
  /** A near miss that the user reported is answered, or its follow-up is done. */
  done: true,
  /** A near miss has the highest potential severity. */
  severe: false,
  /** A comment on a near miss that the user reported, is to follow up, or commented on. */
  comments: true,
  /** The figures of the last week, once a week. */
  weekly: false,
} as const satisfies MailPreferences;

const preferences = z.object({
  language: z.enum(languages, `must be one of ${languages.join(', ')}`),
  assigned: z.boolean('must be true or false'),
  due: z.boolean('must be true or false'),
  done: z.boolean('must be true or false'),
  severe: z.boolean('must be true or false'),
  weekly: z.boolean('must be true or false'),
  comments: z.boolean('must be true or false'),
});
export type MailPreferences = z.infer<typeof preferences>;

const mailPreferences = preferences.extend({
  /** Absent from a service without comments. */
  comments: answeredAs(z.boolean(), z.boolean().optional()),
  /** False if this service sends no mail. Choices are stored all the same and take effect when it does. */
  offered: z.boolean(),
  /** False: the login of the user is no mail address, so nothing can be sent there. */
  reachable: z.boolean(),
});
export type ShownMailPreferences = z.infer<typeof mailPreferences>;

const mailPreferencesUpdate = preferences.partial();

const mail = z.object({
  id,
  user: z.object({ id, name: z.string(), login: z.string() }),
  kind: z.enum(mailKinds),
  created_at: dateTime,
  ended_at: dateTime.nullable(),
  /** `withdrawn`: before it was sent, the user lost sight of the record, wanted no such mail, or the follow-up was done. */
  outcome: z.enum(['waiting', 'sent', 'refused', 'given_up', 'withdrawn']),
  failures: z.number().int(),
  /** The error of the last failed attempt. */
  error: z.string().nullable(),
});
export type Mail = z.infer<typeof mail>;

const tag = 'Mail';

export const mailEndpoints = {
  'mail_preferences.show': endpoint({
    method: 'GET',
    path: '/rest/v1.0/me/mail',
    params: {},
    reply: mailPreferences,
    extension: true,
    tag,
    summary: 'Show what the user is mailed about in the company',
  }),
  'mail_preferences.update': endpoint({
    method: 'PATCH',
    path: '/rest/v1.0/me/mail',
    params: {},
    body: z.object({ mail: mailPreferencesUpdate }),
    reply: mailPreferences,
    extension: true,
    tag,
    summary: 'Choose what the user is mailed about in the company',
  }),
  'mails.list': endpoint({
    method: 'GET',
    path: '/rest/v1.0/companies/{company_id}/mails',
    params: { company_id: pathId },
    query: z.object(pagingQuery),
    reply: z.array(mail),
    paging: 'link',
    extension: true,
    tag,
    summary: 'List the mails to users of the company',
  }),
};
