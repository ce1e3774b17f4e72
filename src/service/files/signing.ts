/**
 * HMAC signatures for everything the service issues and later accepts without a token: segment URLs, form fields and
 * URLs for reading. Comparison takes constant time.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

type SignedValues = Readonly<Record<string, string | number | null>>;

export interface Signer {
  /** Hex. `purpose` prevents the reuse of a signature for another purpose. */
  sign(purpose: string, values: SignedValues): string;
  verify(purpose: string, values: SignedValues, signature: string): boolean;
}

/** Constant-time comparison. */
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
