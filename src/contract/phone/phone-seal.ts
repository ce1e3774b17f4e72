/**
 * Encrypts messages between a phone and the laptop: XChaCha20-Poly1305 with keys that HKDF-SHA256 derives from the secret in the
 * code on the screen. A page without TLS has no WebCrypto, so both sides use the same audited library. Nonces are random, not
 * counted: a part may be sent twice with changed content, and a counted nonce would then repeat.
 */
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { bytesToHex, bytesToUtf8, hexToBytes, utf8ToBytes } from '@noble/ciphers/utils.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';

export { sha256 } from '@noble/hashes/sha2.js';
export { bytesToHex, hexToBytes } from '@noble/ciphers/utils.js';

type Bytes = Uint8Array<ArrayBuffer>;

/** Bytes of the secret or key in the code, and of the random value or key each side draws for a conversation. */
export const SECRET_BYTES = 32;
const NONCE_BYTES = 24;
const TAG_BYTES = 16;
const LENGTH_BYTES = 4;
/** Maximum bytes of a message's words. A list of all files with long names fits. */
const WORDS_MAX = 64 * 1024;

/** Bytes of a file in one message, and the maximum size of a whole message. */
export const PART_BYTES = 512 * 1024;
export const BOX_MAX = NONCE_BYTES + TAG_BYTES + LENGTH_BYTES + WORDS_MAX + PART_BYTES;

/** Limits for one code: files, bytes per file, bytes in total. */
export const PHONE_FILES_MAX = 60;
export const PHONE_FILE_MAX = 2 * 1024 ** 3;
export const PHONE_TOTAL_MAX = 4 * 1024 ** 3;

/** One key per kind of message, so a message of one kind cannot be replayed as another. */
export interface PhoneKeys {
  readonly to_laptop: Bytes;
  readonly to_phone: Bytes;
}

export interface Opened {
  readonly words: unknown;
  readonly bytes: Bytes;
}

const INFO = 'spotter phone 1';

const joined = (...parts: readonly Uint8Array[]): Bytes => {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

const keyOf = (secret: Uint8Array, salt: Uint8Array, info: string): Bytes =>
  new Uint8Array(hkdf(sha256, secret, salt, utf8ToBytes(`${INFO} ${info}`), 32));

/** Keys of the first message and its response. `from_phone`: 32 random bytes that the phone drew for this conversation. */
export const helloKeys = (secret: Uint8Array, from_phone: Uint8Array): PhoneKeys => ({
  to_laptop: keyOf(secret, from_phone, 'hello'),
  to_phone: keyOf(secret, from_phone, 'welcome'),
});

/**
 * Secret of a conversation with the report box after the hello (src/phone/report/box.md): `fixed` is agreed with the key on the
 * poster, `fresh` with a key of this conversation, so that a recording stays sealed when the poster's private key is known.
 */
export const freshSecret = (fixed: Uint8Array, fresh: Uint8Array): Uint8Array =>
  joined(fixed, fresh);

/**
 * Keys of all later messages, derived from both sides' random values, so a message of one conversation is invalid in every other.
 */
export const talkKeys = (
  secret: Uint8Array,
  from_phone: Uint8Array,
  from_laptop: Uint8Array,
): PhoneKeys => {
  const salt = joined(from_phone, from_laptop);
  return { to_laptop: keyOf(secret, salt, 'ask'), to_phone: keyOf(secret, salt, 'answer') };
};

/** Returns `nonce` followed by the encrypted words and bytes. @param nonce 24 random bytes, never reused */
export const seal = (
  key: Uint8Array,
  nonce: Uint8Array,
  words: unknown,
  bytes: Uint8Array = new Uint8Array(),
): Bytes => {
  const text = utf8ToBytes(JSON.stringify(words));
  const length = new Uint8Array(LENGTH_BYTES);
  new DataView(length.buffer).setUint32(0, text.length);
  const box = xchacha20poly1305(key, nonce, utf8ToBytes(INFO));
  return joined(nonce, box.encrypt(joined(length, text, bytes)));
};

/** Null if the message was not sealed with this key, is truncated, or was changed in transit. */
export const unseal = (key: Uint8Array, sealed: Uint8Array): Opened | null => {
  if (sealed.length < NONCE_BYTES + TAG_BYTES + LENGTH_BYTES || sealed.length > BOX_MAX)
    return null;
  try {
    const box = xchacha20poly1305(key, sealed.subarray(0, NONCE_BYTES), utf8ToBytes(INFO));
    const plain = new Uint8Array(box.decrypt(sealed.subarray(NONCE_BYTES)));
    const length = new DataView(plain.buffer, plain.byteOffset).getUint32(0);
    if (length > plain.length - LENGTH_BYTES) return null;
    const end = LENGTH_BYTES + length;
    const words: unknown = JSON.parse(bytesToUtf8(plain.subarray(LENGTH_BYTES, end)));
    return { words, bytes: plain.subarray(end) };
  } catch {
    return null;
  }
};

/** Draws a nonce from the given random source. */
export const drawNonce = (random: (bytes: number) => Uint8Array): Uint8Array => random(NONCE_BYTES);

/**
 * Reads the secret from the code's address. It follows `#`, because browsers never send that part. Null if it is not a secret.
 */
export const secretIn = (fragment: string): Bytes | null =>
  /^#[0-9a-f]{64}$/.test(fragment) ? new Uint8Array(hexToBytes(fragment.slice(1))) : null;
export const addressWith = (origin: string, secret: Uint8Array): string =>
  `${origin}/#${bytesToHex(secret)}`;
