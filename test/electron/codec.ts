/**
 * Encodes values between page and harness as JSON, with byte arrays and `undefined` marked, because a Playwright binding
 * carries text. A value that structured clone would carry and this cannot is rejected by name, never changed silently.
 */

interface Bytes {
  readonly $bytes: string;
}
const isBytes = (value: unknown): value is Bytes =>
  typeof value === 'object' && value !== null && typeof (value as Bytes).$bytes === 'string';

export const encode = (value: unknown): string => {
  const walk = (one: unknown): unknown => {
    if (one === undefined) return { $undefined: true };
    if (one instanceof Uint8Array)
      return { $bytes: Buffer.from(one.buffer, one.byteOffset, one.byteLength).toString('base64') };
    if (Array.isArray(one)) return one.map(walk);
    if (one === null || typeof one !== 'object') return one;
    const prototype: unknown = Object.getPrototypeOf(one);
    if (prototype !== Object.prototype && prototype !== null)
      throw new Error(`the stand-in's line carries no ${one.constructor.name}`);
    return Object.fromEntries(Object.entries(one).map(([key, part]) => [key, walk(part)]));
  };
  return JSON.stringify(walk(value));
};

export const decode = (text: string): unknown => {
  const walk = (one: unknown): unknown => {
    if (isBytes(one)) return new Uint8Array(Buffer.from(one.$bytes, 'base64'));
    if (Array.isArray(one)) return one.map(walk);
    if (one === null || typeof one !== 'object') return one;
    if ('$undefined' in one) return undefined;
    return Object.fromEntries(Object.entries(one).map(([key, part]) => [key, walk(part)]));
  };
  return walk(JSON.parse(text));
};
