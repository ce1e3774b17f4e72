/** [ours] The public keys by which the service's signatures are verified (decisions §19.1). They are read without sign-in. */
import { z } from 'zod';
import { dateTime, endpoint } from '../protocol/endpoint.ts';

const signingKey = z.object({
  /** The first 16 hex digits of the SHA-256 of the key in DER. */
  id: z.string(),
  /** Ed25519, SPKI in PEM. */
  public_key: z.string(),
  from: dateTime,
  /** When another key replaced it. Null: it signs now. */
  until: dateTime.nullable(),
});
export type SigningKey = z.infer<typeof signingKey>;

export const signingKeyEndpoints = {
  'signing_keys.list': endpoint({
    method: 'GET',
    path: '/rest/v1.0/signing_keys',
    params: {},
    reply: z.array(signingKey),
    needsToken: false,
    needsCompany: false,
    extension: true,
    tag: 'Evidence',
    summary: 'List all public keys by which evidence was ever signed',
  }),
};
