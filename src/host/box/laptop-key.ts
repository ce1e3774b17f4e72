/**
 * The laptop's X25519 keys for the report box. The public key is on the posters, so a phone can seal a report that nobody else who
 * read the poster can open. Node's own implementation is used, because this private key is used for months.
 */
import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';

/** What stands before the 32 bytes of a key in its DER forms (RFC 8410). */
const PRIVATE_HEAD = Buffer.from('302e020100300506032b656e04220420', 'hex');
const PUBLIC_HEAD = Buffer.from('302a300506032b656e032100', 'hex');

export interface LaptopKey {
  /** 32 bytes. */
  readonly private_key: Buffer;
  readonly public_key: Buffer;
}

const open = (private_key: Uint8Array): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([PRIVATE_HEAD, private_key]),
    format: 'der',
    type: 'pkcs8',
  });

const publicOf = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(PUBLIC_HEAD.length);

export const drawKey = (): LaptopKey => {
  const { privateKey } = generateKeyPairSync('x25519');
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  return { private_key: der.subarray(PRIVATE_HEAD.length), public_key: publicOf(privateKey) };
};

export const readKey = (private_key: Uint8Array): LaptopKey => ({
  private_key: Buffer.from(private_key),
  public_key: publicOf(open(private_key)),
});

/** The secret shared with the owner of a public key of 32 bytes. Null for a key that gives no secret (a point of small order). */
export const agree = ({ private_key }: LaptopKey, other: Uint8Array): Buffer | null => {
  try {
    const publicKey = createPublicKey({
      key: Buffer.concat([PUBLIC_HEAD, other]),
      format: 'der',
      type: 'spki',
    });
    return diffieHellman({ privateKey: open(private_key), publicKey });
  } catch {
    return null;
  }
};
