/**
 * Creates and checks the fields of the form post (decisions §5.1, §5.5). They resemble S3's, but a client must only
 * send them back unaltered. `policy` is readable and covered by the signature. Returned fields are compared with
 * freshly generated ones, so a changed, missing or extra field is refused.
 */
import { sameText, type Signer } from './signing.ts';

export interface FormPolicy {
  readonly uuid: string;
  readonly owner_id: number;
  readonly company_id: number;
  /** Milliseconds since the epoch; the post must start before. */
  readonly expires_at: number;
  readonly max_size: number;
  readonly filename: string;
  readonly content_type: string | null;
}

export const formFields = (
  signer: Signer,
  policy: FormPolicy,
): Readonly<Record<string, string>> => {
  const expiration = new Date(policy.expires_at).toISOString();
  const key = `companies/${policy.company_id}/uploads/${policy.uuid}`;
  const document = {
    expiration,
    conditions: [
      { key },
      { 'x-amz-meta-owner': String(policy.owner_id) },
      { 'x-amz-meta-filename': policy.filename },
      { 'x-amz-meta-content-type': policy.content_type },
      ['content-length-range', 0, policy.max_size],
    ],
  };
  const encoded = Buffer.from(JSON.stringify(document)).toString('base64');
  return {
    key,
    'x-amz-algorithm': 'SPOTTER-HMAC-SHA256',
    'x-amz-date': expiration,
    policy: encoded,
    'x-amz-signature': signer.sign('form', { policy: encoded, key }),
  };
};

/**
 * The first problem of the returned fields, or null. Compares every field regardless of the others, to keep the time
 * constant.
 */
export const fieldsProblem = (
  expected: Readonly<Record<string, string>>,
  got: ReadonlyMap<string, string>,
): string | null => {
  const problems: string[] = [];
  for (const [name, value] of Object.entries(expected)) {
    const sent = got.get(name);
    if (sent === undefined)
      problems.push(`Field ${name} is missing before the file: every field comes first`);
    else if (!sameText(value, sent)) problems.push(`Field ${name} was changed`);
  }
  const extra = [...got.keys()].some((name) => !Object.hasOwn(expected, name));
  if (extra) problems.push('A field was added that is not part of the policy');
  return problems[0] ?? null;
};
