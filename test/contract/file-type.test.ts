/** The type of a file by its first bytes. Formats with similar beginnings are distinguished, and a refused format is named. */
import { expect, it } from 'vitest';
import { fileType, notAPhoto } from '../../src/contract/file-type.ts';

const head = (...parts: readonly (string | number)[]): Uint8Array => {
  const bytes = new Uint8Array(64);
  bytes.set(
    parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : [part])),
  );
  return bytes;
};
const ftyp = (brand: string, ...compatible: readonly string[]): Uint8Array =>
  head(0, 0, 0, 16 + 4 * compatible.length, 'ftyp', brand, 0, 0, 0, 0, ...compatible);

it.each([
  ['image/avif', ftyp('avif')],
  ['image/avif', ftyp('mif1', 'miaf', 'avif')],
  ['image/heif', ftyp('mif1', 'heic')],
  ['image/gif', head('GIF89a')],
  ['image/tiff', head('II', 42, 0)],
  ['image/tiff', head('MM', 0, 42)],
  ['image/bmp', head('BM', 0, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0)],
])('failures S11: %s is recognised by its bytes', (type, bytes) => {
  expect(fileType(bytes)).toBe(type);
});

it('failures S11: what only begins alike is none of them', () => {
  expect(fileType(head('BM is short for'))).toBeNull();
  expect(fileType(head('II', 42, 0, 16, 0, 0, 0, 'CR'))).toBeNull();
  expect(fileType(ftyp('mif3'))).toBeNull();
  expect(notAPhoto(ftyp('mif3'))).toBe('file_short_heif');
});
