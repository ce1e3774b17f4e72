/** Makes JPEGs in the browser, where sharp is not available, and writes a phone's EXIF block byte by byte. */

interface Exif {
  /** Fractions, which no camera writes, are written as RATIONAL. */
  readonly orientation?: number;
  /** `2026:03:04 05:06:07` */
  readonly taken?: string;
  /** `+02:00` */
  readonly offset?: string;
  readonly gps?: boolean;
}

interface Field {
  readonly tag: number;
  /** 2 ASCII, 3 SHORT, 4 LONG, 5 RATIONAL */
  readonly type: 2 | 3 | 4 | 5;
  readonly count: number;
  readonly data: number[];
}

const u16 = (value: number): number[] => [value >> 8, value & 0xff];
const u32 = (value: number): number[] => [...u16(value >>> 16), ...u16(value & 0xffff)];
const ascii = (tag: number, text: string): Field => {
  const data = [...new TextEncoder().encode(text), 0];
  return { tag, type: 2, count: data.length, data };
};
const rationals = (tag: number, values: readonly number[]): Field => {
  const data = values.flatMap((value) => [...u32(value), ...u32(1)]);
  return { tag, type: 5, count: values.length, data };
};

const orientationOf = (value: number): Field => {
  const tag = 0x112;
  return Number.isInteger(value)
    ? { tag, type: 3, count: 1, data: u16(value) }
    : { tag, type: 5, count: 1, data: [...u32(2 * value), ...u32(2)] };
};

/** An IFD at offset `at` of the TIFF block: its operations, then the values that do not fit into them. */
const ifd = (fields: readonly Field[], at: number): number[] => {
  const head: number[] = u16(fields.length);
  const tail: number[] = [];
  const tailAt = at + 2 + fields.length * 12 + 4;
  for (const { tag, type, count, data } of fields) {
    head.push(...u16(tag), ...u16(type), ...u32(count));
    if (data.length <= 4) head.push(...data, ...Array<number>(4 - data.length).fill(0));
    else {
      head.push(...u32(tailAt + tail.length));
      tail.push(...data);
      if (tail.length % 2 === 1) tail.push(0);
    }
  }
  return [...head, ...u32(0), ...tail];
};

const exifBlock = ({ orientation = 1, taken, offset, gps }: Exif): number[] => {
  const inner: Field[] = [];
  if (taken !== undefined) inner.push(ascii(0x9003, taken));
  if (offset !== undefined) inner.push(ascii(0x9011, offset));
  const place: Field[] = gps
    ? [
        ascii(1, 'N'),
        rationals(2, [52, 31, 12]),
        ascii(3, 'E'),
        rationals(4, [13, 24, 18]),
        rationals(7, [3, 6, 7]),
        ascii(29, '2026:03:04'),
      ]
    : [];
  const root = (exifAt: number, gpsAt: number): Field[] => [
    orientationOf(orientation),
    { tag: 0x8769, type: 4, count: 1, data: u32(exifAt) },
    { tag: 0x8825, type: 4, count: 1, data: u32(gpsAt) },
  ];
  const exifAt = 8 + ifd(root(0, 0), 8).length;
  const exif = ifd(inner, exifAt);
  const gpsAt = exifAt + exif.length;
  const tiff = [0x4d, 0x4d, 0, 42, ...u32(8), ...ifd(root(exifAt, gpsAt), 8), ...exif];
  return [...new TextEncoder().encode('Exif'), 0, 0, ...tiff, ...ifd(place, gpsAt)];
};

/** Red above blue, so that a rotation is visible. */
export const jpegWith = async (width: number, height: number, exif?: Exif): Promise<File> => {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('no canvas');
  context.fillStyle = 'red';
  context.fillRect(0, 0, width, height / 2);
  context.fillStyle = 'blue';
  context.fillRect(0, height / 2, width, height / 2);
  const plain = new Uint8Array(
    await (await canvas.convertToBlob({ type: 'image/jpeg' })).arrayBuffer(),
  );
  if (exif === undefined) return new File([plain], 'plain.jpg', { type: 'image/jpeg' });
  const block = exifBlock(exif);
  const segment = new Uint8Array([0xff, 0xe1, ...u16(block.length + 2), ...block]);
  return new File([plain.slice(0, 2), segment, plain.slice(2)], 'camera.jpg', {
    type: 'image/jpeg',
  });
};
