/**
 * Signatures of our own: what the service hands out and later takes back without a token (segment addresses, form
 * fields, addresses to read from) carries an HMAC over everything it says, and is compared in constant time.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export type SignedValues = Readonly<Record<string, string | number | null>>;

export interface Signer {
  /** Hex. `purpose` keeps a signature made for one thing from serving as another. */
  sign(purpose: string, values: SignedValues): string;
  verify(purpose: string, values: SignedValues, signature: string): boolean;
}

/** Equal or not, in a time that does not tell where they differ. */
export const sameText = (a: string, b: string): boolean => {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
};

export const createSigner = (secret: Uint8Array): Signer => {
  const sign: Signer['sign'] = (purpose, values) =>
    createHmac('sha256', secret)
      .update(
        JSON.stringify([purpose, Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))]),
      )
      .digest('hex');
  return {
    sign,
    verify: (purpose, values, signature) => sameText(sign(purpose, values), signature),
  };
};
