/**
 * X25519 (RFC 7748), with which the phone agrees on a secret with the key on the poster. A page without TLS has no WebCrypto. Each
 * key of the phone is drawn for one conversation, so the time that a computation takes tells nothing that is used twice; the
 * laptop's key lasts, and the laptop computes with Node's own implementation.
 */
const P = 2n ** 255n - 19n;
const A24 = 121_665n;
const BYTES = 32;

const number = (bytes: Uint8Array): bigint => {
  let sum = 0n;
  for (let at = BYTES - 1; at >= 0; at -= 1) sum = (sum << 8n) + BigInt(bytes[at] ?? 0);
  return sum;
};

const bytesOf = (value: bigint): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(BYTES);
  for (let at = 0, left = value; at < BYTES; at += 1, left >>= 8n) bytes[at] = Number(left & 255n);
  return bytes;
};

const mod = (value: bigint): bigint => {
  const left = value % P;
  return left < 0n ? left + P : left;
};

/** By Fermat: the exponent is P - 2. */
const inverse = (value: bigint): bigint => {
  let product = 1n;
  for (let base = value, left = P - 2n; left > 0n; left >>= 1n, base = mod(base * base))
    if ((left & 1n) === 1n) product = mod(product * base);
  return product;
};

const clamped = (key: Uint8Array): bigint => {
  const bytes = key.slice(0, BYTES);
  bytes[0] = (bytes[0] ?? 0) & 248;
  bytes[31] = ((bytes[31] ?? 0) & 127) | 64;
  return number(bytes);
};

/**
 * The shared secret, 32 bytes. @param key 32 random bytes @param point the other side's public key; absent: the base point, which
 * gives one's own public key
 */
export const x25519 = (
  key: Uint8Array,
  point: Uint8Array = bytesOf(9n),
): Uint8Array<ArrayBuffer> => {
  const scalar = clamped(key);
  // The highest bit of a point is ignored.
  const x1 = mod(number(point) & ((1n << 255n) - 1n));
  let [x2, z2, x3, z3] = [1n, 0n, x1, 1n];
  for (let at = 254n; at >= 0n; at -= 1n) {
    const bit = (scalar >> at) & 1n;
    if (bit === 1n) [x2, z2, x3, z3] = [x3, z3, x2, z2];
    const [a, b, c, d] = [x2 + z2, x2 - z2, x3 + z3, x3 - z3];
    const [aa, bb] = [mod(a * a), mod(b * b)];
    const [da, cb, e] = [mod(d * a), mod(c * b), aa - bb];
    x3 = mod((da + cb) ** 2n);
    z3 = mod(x1 * (da - cb) ** 2n);
    x2 = mod(aa * bb);
    z2 = mod(e * (aa + A24 * e));
    if (bit === 1n) [x2, z2, x3, z3] = [x3, z3, x2, z2];
  }
  return bytesOf(mod(x2 * inverse(z2)));
};
