/** The prose of the OpenAPI document. */

export const tagWords: Readonly<Record<string, string>> = {
  'Near misses': 'Near misses of a project, and their recycle bin',
  Incidents: 'What near misses belong to',
  Catalog: 'Everything a form offers',
  'Company data':
    'What a company keeps itself: people, vendors, equipment, documents, custom fields',
  Me: 'Who the token belongs to',
  Workplaces: 'The companies and projects that the token may see',
  Users: 'Who belongs to the company: levels and projects',
  Tokens: 'Access of laptops and programs',
  Enrolment: 'Codes that set up a laptop, once each',
  'Service accounts': 'Programs with a client id and a secret',
  Shifts: 'Who took over the shift of a project',
  Uploads: 'Files on their way to a record',
  Evidence: 'Signed packs of near misses, the keys that verify them, and who administered what',
  Retention: 'How long reports are kept, and which of them a legal hold keeps',
  Webhooks: 'Who is told of changes',
  Batch: 'Many writes in one request',
};

/** Descriptions of path parameters that are not the record's id. */
export const pathWords: Readonly<Record<string, string>> = {
  company_id: 'The company of Service-Company-Id',
  project_id: 'A project of the company',
  vendor_id: 'A vendor of the project',
  user_id: 'A user of the company',
  attachment_id: 'A photo of the near miss',
  entry_id: 'An entry of the history; the creation (0) has none',
  hook_id: 'A hook of the namespace',
  target_id: 'The hook that the trigger belongs to',
  uuid: 'The uuid that the create answered',
};

export const queryWords: Readonly<Record<string, string>> = {
  page: 'Which page, from 1. One past the end is empty.',
  per_page: 'How many records a page has',
  sort: 'By which field, upward; with `-` in front downward. Ties go by id.',
  incident_id: 'Near misses of this incident; for one near miss: a 404 where it belongs to another',
  company_id:
    'Hooks of the company; never together with project_id. Of projects: the company of Service-Company-Id',
  project_id: 'Hooks of one project; never together with company_id',
  namespace: 'The namespace of the hook',
  party_id: 'The party of the membership: another one is a 404',
  filter: 'The same as `filters`',
  created_at: 'When the record was created',
  updated_at:
    'Extension: when the record was last changed, in the order in which changes were committed',
  after_id:
    'Extension: with sort=updated_at, of the records at the start of filters[updated_at] only those with a higher id',
  include_deleted:
    'Extension: with sort=updated_at, also shows recycled records, and the id and time of records that are gone or no longer visible',
  managed_equipment_id: 'Records that have this id',
  query: 'Records with this text, without regard to case and accents',
  active: 'Records that are in use, or retired',
  origin_id: 'The record that another system knows by this id',
  status: 'Deliveries that came through, or did not',
  years: 'Years after the event; 0: never. Without it: what the company has chosen',
  bin_days: 'Days in the recycle bin; 0: never. Without it: what the company has chosen',
};

/** Describes the security scheme of service accounts. RFC 6749 and RFC 7009 describe its endpoints. */
export const accountWords =
  'A service account exchanges its client id and secret at /oauth/token (grant_type client_credentials, RFC 6749) for a bearer of 90 minutes, and ends it at /oauth/revoke (RFC 7009).';

/** The document's introduction, which covers every operation. */
export const introduction = `Near misses, incidents and uploads of construction projects. Operations and fields marked \`x-extension\` are additions to the reference.

- **Requests.** Every one has \`Authorization: Bearer <token>\` and \`Service-Company-Id\`; every body is JSON. Unknown fields are ignored.
- **Errors.** \`{"errors": ["text"]}\` for a request as a whole, \`{"errors": {"field": ["message"]}}\` with dotted names for a 422. What the caller
  may not see is a 404, like what does not exist. \`X-Request-Id\` is on every answer.
- **Lists.** \`Per-Page\` and \`Total\` count, \`Link\` leads to the other pages. A list of ids is written \`filters[x][]=1&filters[x][]=2\`,
  \`filters[x]=1,2\` or repeated.
- **Custom fields.** A near miss is written with \`custom_field_<id>\` beside its other fields; its values are texts.
- **Levels.** A user is \`read_only\`, \`reporter\`, \`standard\` or \`admin\` in a company, in all projects or some; a token may have less.
  \`x-permission\` says what each level may call: \`any\`, \`own\` (what the user created), or \`none\`, a 403.
- **Machines.** A program with a service account exchanges its client id and secret at \`/oauth/token\` for a bearer, which is used like a token.
- **Files.** Create an upload, then either post its \`fields\` unaltered and the \`file\` last to its \`url\` (\`multipart/form-data\`, within an hour),
  or, where it was created with \`segments\`, \`PUT\` the bytes of each to its \`url\` with its \`headers\` and no token, and complete the upload with the
  \`etag\`s that were answered. Then name the upload in a record. Addresses of files are signed and end.
- **Sent twice.** With an \`Idempotency-Key\` a request is carried out once; the answer is kept for 30 days and has \`Idempotency-Replayed: true\`
  when it is given again.
- **Who may ask.** Programs, with a token, and pages of the origins that the operator lists (\`--allowed-origins\`): without that option no answer
  has CORS headers. A parameter that no operation has is ignored; an unknown \`filters[…]\` is a 422.
- **How often.** \`X-Rate-Limit-Limit\`, \`-Remaining\` and \`-Reset\` say it; a 429 says \`Retry-After\`.
`;
