/** Builds small EXIF blocks for tests: the camera's directory and the GPS directory. */
export type Field = readonly [tag: number, type: number, count: number, value: readonly number[]];
/** ASCII. */
export const textField = (tag: number, value: string): Field => [
  tag,
  2,
  value.length + 1,
  [...new TextEncoder().encode(value), 0],
];
const be32 = (value: number) => [
  value >>> 24,
  (value >> 16) & 255,
  (value >> 8) & 255,
  value & 255,
];
/** Integers as RATIONAL. */
export const wholeField = (tag: number, ...values: readonly number[]): Field => [
  tag,
  5,
  values.length,
  values.flatMap((value) => [...be32(value), ...be32(1)]),
];
/** A big-endian EXIF block: both directories follow the root directory. */
export const exifOf = (exif: readonly Field[], gps: readonly Field[]): Uint8Array<ArrayBuffer> => {
  const sizeOf = (fields: readonly Field[]) =>
    6 + fields.reduce((sum, [, , , value]) => sum + 12 + (value.length > 4 ? value.length : 0), 0);
  const directory = (at: number, fields: readonly Field[]): number[] => {
    let tail = at + 6 + fields.length * 12;
    const values: number[] = [];
    const entries = fields.flatMap(([tag, type, count, value]) => {
      const head = [tag >> 8, tag & 255, 0, type, ...be32(count)];
      if (value.length <= 4) return [...head, ...value, ...Array<number>(4 - value.length).fill(0)];
      values.push(...value);
      tail += value.length;
      return [...head, ...be32(tail - value.length)];
    });
    return [0, fields.length, ...entries, 0, 0, 0, 0, ...values];
  };
  const exifAt = 8 + 30;
  const gpsAt = exifAt + sizeOf(exif);
  const root = directory(8, [
    [0x8769, 4, 1, be32(exifAt)],
    [0x8825, 4, 1, be32(gpsAt)],
  ]);
  return Uint8Array.from([
    0x4d,
    0x4d,
    0,
    42,
    0,
    0,
    0,
    8,
    ...root,
    ...directory(exifAt, exif),
    ...directory(gpsAt, gps),
  ]);
};
