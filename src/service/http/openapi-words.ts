/** What the OpenAPI document says in words, for what its schemas cannot say. */

/** What a reader of the document is told of each tag. */
export const tagWords: Readonly<Record<string, string>> = {
  'Near misses': 'Near misses of a project, and their recycle bin',
  Incidents: 'What near misses belong to',
  Catalog: 'Everything a form offers',
  'Company data':
    'What a company keeps itself: people, vendors, equipment, documents, custom fields',
  Me: 'Who the token belongs to',
  Uploads: 'Files on their way to a record',
  Webhooks: 'Who is told of changes',
  extension: 'Additions to the reference',
};

/** What concerns every operation. */
export const introduction = `Near misses, incidents and uploads of construction projects. Operations tagged \`extension\` are additions to the reference.

- **Requests.** Every one has \`Authorization: Bearer <token>\` and \`Service-Company-Id\`; every body is JSON. Unknown fields are ignored.
- **Errors.** \`{"errors": ["text"]}\` for a request as a whole, \`{"errors": {"field": ["message"]}}\` with dotted names for a 422. What the caller
  may not see is a 404, like what does not exist. \`X-Request-Id\` is on every answer.
- **Lists.** \`Per-Page\` and \`Total\` count, \`Link\` leads to the other pages. A list of ids is written \`filters[x][]=1&filters[x][]=2\`,
  \`filters[x]=1,2\` or repeated.
- **Custom fields.** A near miss is written with \`custom_field_<id>\` beside its other fields; its values are texts.
- **Files.** Create an upload, then either post its \`fields\` unaltered and the \`file\` last to its \`url\` (\`multipart/form-data\`, within an hour),
  or, where it was created with \`segments\`, \`PUT\` the bytes of each to its \`url\` with its \`headers\` and no token, and complete the upload with the
  \`etag\`s that were answered. Then name the upload in a record. Addresses of files are signed and end.
- **Sent twice.** With an \`Idempotency-Key\` a request is carried out once; the answer is kept for 30 days and has \`Idempotency-Replayed: true\`
  when it is given again.
- **How often.** \`X-Rate-Limit-Limit\`, \`-Remaining\` and \`-Reset\` say it; a 429 says \`Retry-After\`.
`;
