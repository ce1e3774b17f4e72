/**
 * Photo and video files with a structure drawn by fast-check: the parts of each format in any order, with lengths, counts and
 * offsets that are correct or lie. For the readers in `src/renderer/photos/formats`. Runs in a browser and in Node.
 */
import fc from 'fast-check';

const bytes = (...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array<ArrayBuffer> => {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
};
const u16 = (value: number) => [(value >> 8) & 255, value & 255];
const u32 = (value: number) => [...u16(value >>> 16), ...u16(value & 0xffff)];
const le32 = (value: number) => u32(value).reverse();
const ascii = (text: string) => [...text].map((letter) => letter.charCodeAt(0));

const some = (max = 40) => fc.uint8Array({ maxLength: max });
/** A number as a hostile file might have it: small, at a boundary, or arbitrary. */
const edgy = (max: number) =>
  fc.oneof(
    fc.nat(8),
    fc.constantFrom(max, max - 1, max >>> 1, 0),
    fc.nat(Math.min(max, 0x7fffffff)),
  );
/** A length that is usually right. */
const length = (right: number, max: number) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(right) }, { weight: 1, arbitrary: edgy(max) });

const tiff = fc
  .record({
    little: fc.boolean(),
    at: fc.oneof({ weight: 5, arbitrary: fc.constant(8) }, { weight: 1, arbitrary: edgy(0xffff) }),
    count: fc.option(edgy(0xffff), { nil: null }),
    fields: fc.array(
      fc.record({
        tag: fc.oneof(
          fc.constantFrom(0x112, 0x8769, 0x8825, 0xa005, 0x9003, 1, 2, 4),
          edgy(0xffff),
        ),
        type: fc.nat(14),
        amount: edgy(0xffffffff),
        value: edgy(0xffffffff),
      }),
      { maxLength: 12 },
    ),
    rest: some(200),
  })
  .map(({ little, at, count, fields, rest }) => {
    const n16 = (value: number) => (little ? u16(value).reverse() : u16(value));
    const n32 = (value: number) => (little ? le32(value) : u32(value));
    return bytes(
      ascii(little ? 'II' : 'MM'),
      n16(42),
      n32(at),
      n16(count ?? fields.length),
      ...fields.map(({ tag, type, amount, value }) => [
        ...n16(tag),
        ...n16(type),
        ...n32(amount),
        ...n32(value),
      ]),
      n32(0),
      rest,
    );
  });

const segment = fc
  .record({
    marker: fc.oneof(
      fc.constantFrom(
        0xc0,
        0xc2,
        0xc4,
        0xdb,
        0xe0,
        0xe1,
        0xe2,
        0xee,
        0xfe,
        0xda,
        0xd9,
        0xd0,
        0xff,
        0,
      ),
      fc.nat(255),
    ),
    body: fc.oneof(
      some(),
      tiff.map((block) => bytes(ascii('Exif\0\0'), block)),
    ),
    frame: fc.tuple(edgy(0xffff), edgy(0xffff)),
    lie: fc.oneof(
      { weight: 8, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: edgy(0xffff) },
    ),
    junk: fc.oneof(
      { weight: 5, arbitrary: fc.constant(new Uint8Array()) },
      { weight: 1, arbitrary: some(6) },
    ),
  })
  .map(({ marker, body, frame, lie, junk }) => {
    const isFrame = marker >= 0xc0 && marker <= 0xc2;
    const content = isFrame ? bytes([8, ...u16(frame[0]), ...u16(frame[1]), 3], body) : body;
    return bytes([0xff, marker], u16(lie ?? content.length + 2), content, junk);
  });
const jpeg = fc
  .array(segment, { maxLength: 30 })
  .map((segments) => bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0], ...segments));

const chunk = (types: readonly string[]) =>
  fc
    .record({
      type: fc.oneof(fc.constantFrom(...types), fc.string({ minLength: 4, maxLength: 4 })),
      body: fc.oneof(some(), tiff),
    })
    .chain(({ type, body }) =>
      length(body.length, 0xffffffff).map((said) => ({ type, body, said })),
    );
const png = fc
  .array(chunk(['IHDR', 'IDAT', 'eXIf', 'tEXt', 'acTL', 'IEND', 'iTXt']), { maxLength: 30 })
  .map((chunks) =>
    bytes(
      [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10],
      ...chunks.map(({ type, body, said }) => bytes(u32(said), ascii(type), body, [0, 0, 0, 0])),
    ),
  );
const webp = fc
  .tuple(
    edgy(0xffffffff),
    fc.array(chunk(['VP8 ', 'VP8L', 'VP8X', 'EXIF', 'XMP ', 'ANMF', 'ICCP']), { maxLength: 30 }),
  )
  .map(([size, chunks]) =>
    bytes(
      ascii('RIFF'),
      le32(size),
      ascii('WEBP'),
      ...chunks.map(({ type, body, said }) =>
        bytes(ascii(type), le32(said), body, body.length % 2 ? [0] : []),
      ),
    ),
  );

const box = (type: string, body: Uint8Array, said = body.length + 8) =>
  bytes(u32(said), ascii(type), body);
const boxed = (types: readonly string[], inner: fc.Arbitrary<Uint8Array>) =>
  fc
    .tuple(fc.oneof(fc.constantFrom(...types), fc.string({ minLength: 4, maxLength: 4 })), inner)
    .chain(([type, body]) =>
      length(body.length + 8, 0xffffffff).map((said) => box(type, body, said)),
    );
const boxes = (types: readonly string[], inner: fc.Arbitrary<Uint8Array>, max = 6) =>
  fc.array(boxed(types, inner), { maxLength: max }).map((all) => bytes(...all));

const iloc = fc
  .record({
    version: fc.nat(3),
    sizes: fc.tuple(...Array.from({ length: 4 }, () => fc.constantFrom(0, 4, 8, 2, 15))),
    count: edgy(0xffff),
    extents: edgy(0xffff),
    rest: some(400),
  })
  .map(({ version, sizes: [offset = 0, size = 0, base = 0, index = 0], count, extents, rest }) => {
    const item = (id: number) =>
      bytes(u16(id), version === 0 ? [] : u16(0), u16(0), new Uint8Array(base), u16(extents));
    return box(
      'iloc',
      bytes(
        [version, 0, 0, 0, (offset << 4) | size, (base << 4) | index],
        version < 2 ? u16(count) : u32(count),
        item(1),
        item(2),
        rest,
      ),
    );
  });
const infe = fc
  .tuple(fc.nat(3), edgy(0xffff), fc.constantFrom('Exif', 'mime', 'hvc1', 'grid', 'xxxx'))
  .map(([version, id, type]) =>
    box('infe', bytes([version, 0, 0, 0], u16(id), u16(0), ascii(type), [0])),
  );
const iinf = fc
  .tuple(edgy(0xffff), fc.array(infe, { maxLength: 40 }))
  .map(([count, all]) => box('iinf', bytes([0, 0, 0, 0], u16(count), ...all)));
const iprp = fc
  .array(fc.tuple(edgy(0xffffffff), edgy(0xffffffff)), { maxLength: 3 })
  .map((all) =>
    box(
      'iprp',
      box('ipco', bytes(...all.map(([w, h]) => box('ispe', bytes([0, 0, 0, 0], u32(w), u32(h)))))),
    ),
  );
const heic = fc
  .tuple(
    iinf,
    iloc,
    iprp,
    boxes(['idat', 'uuid', 'xml ', 'pitm'], some()),
    boxes(['mdat', 'free', 'uuid', 'moov'], some(300)),
  )
  .map(([info, places, properties, more, rest]) =>
    bytes(
      box('ftyp', bytes(ascii('heic'), u32(0), ascii('mif1'))),
      box('meta', bytes([0, 0, 0, 0], info, places, properties, more)),
      rest,
    ),
  );

const table = (type: string) =>
  fc
    .tuple(edgy(0xffffffff), edgy(0xffffffff), fc.array(edgy(0xffffffff), { maxLength: 40 }))
    .map(([a, b, all]) => box(type, bytes([0, 0, 0, 0], u32(a), u32(b), ...all.map(u32))));
const stbl = fc
  .tuple(table('stsz'), table('stsc'), fc.oneof(table('stco'), table('co64')))
  .map((all) => box('stbl', bytes(...all)));
const trak = fc
  .tuple(
    fc.constantFrom('vide', 'meta', 'gpsd', 'soun'),
    stbl,
    boxes(['udta', 'tkhd', 'edts'], some()),
  )
  .map(([handler, tables, more]) =>
    box(
      'trak',
      bytes(
        box('mdia', bytes(box('hdlr', bytes(u32(0), u32(0), ascii(handler))), box('minf', tables))),
        more,
      ),
    ),
  );
const movie = (brand: string) =>
  fc
    .tuple(
      fc.array(trak, { maxLength: 4 }),
      boxes(
        ['mvhd', 'udta', 'meta', 'cmov', 'free'],
        fc.oneof(some(200), boxes(['udta', '\u00a9xyz'], some())),
      ),
      boxes(['mdat', 'free', 'moof', 'uuid'], some(300)),
    )
    .map(([tracks, more, rest]) =>
      bytes(box('ftyp', bytes(ascii(brand), u32(0))), box('moov', bytes(...tracks, more)), rest),
    );

const subBlocks = fc
  .array(some(255), { maxLength: 4 })
  .map((all) => bytes(...all.map((one) => bytes([one.length], one)), [0]));
const gifBlock = fc.oneof(
  fc
    .tuple(edgy(0xffff), edgy(0xffff), fc.nat(255), subBlocks)
    .map(([w, h, flags, data]) =>
      bytes([0x2c, 0, 0, 0, 0], u16(w).reverse(), u16(h).reverse(), [flags, 8], data),
    ),
  fc.tuple(fc.nat(255), subBlocks).map(([label, data]) => bytes([0x21, label], data)),
);
const gif = fc
  .tuple(edgy(0xffff), fc.nat(255), fc.array(gifBlock, { maxLength: 20 }))
  .map(([side, flags, blocks]) =>
    bytes(ascii('GIF89a'), u16(side), u16(side), [flags, 0, 0], ...blocks, [0x3b]),
  );
const bmp = fc
  .record({
    size: fc.constantFrom(12, 40, 52, 56, 108, 124),
    from: edgy(0xffffffff),
    side: edgy(0xffff),
    bits: fc.constantFrom(1, 4, 8, 16, 24, 32, 0xffff),
    coded: fc.nat(6),
    rest: some(200),
  })
  .map(({ size, from, side, bits, coded, rest }) =>
    bytes(
      [...ascii('BM'), ...le32(0), ...le32(0), ...le32(from), ...le32(size)],
      [...le32(side), ...le32(side), 1, 0, ...u16(bits).reverse(), ...le32(coded)],
      rest,
    ),
  );

/** A valid structure with some bytes changed or its end cut off. */
const spoiled = (whole: fc.Arbitrary<Uint8Array<ArrayBuffer>>) =>
  fc
    .tuple(whole, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }), fc.nat(4), fc.nat())
    .map(([given, changes, cut, at]) => {
      const out = given.slice();
      for (const [where, value] of changes)
        if (out.length > 12) out[12 + (where % (out.length - 12))] = value;
      return cut === 0 ? out.slice(0, at % (out.length + 1)) : out;
    });

export const hostilePhotos = {
  jpeg: spoiled(jpeg),
  png: spoiled(png),
  webp: spoiled(webp),
  heic: spoiled(heic),
  tiff: spoiled(tiff),
  gif: spoiled(gif),
  bmp: spoiled(bmp),
  mp4: spoiled(movie('isom')),
  mov: spoiled(movie('qt  ')),
} as const;

/** Files that once froze the window, filled the memory or got past the guard. */
export const knownHostile = {
  /** `iloc` whose extents have no bytes: each item declares 65,535 of them. */
  heicOfNowhere: (items: number): Uint8Array<ArrayBuffer> => {
    const all = Array.from({ length: items }, (_one, at) => at + 1);
    return bytes(
      box('ftyp', bytes(ascii('heic'), u32(0), ascii('mif1'))),
      box(
        'meta',
        bytes(
          [0, 0, 0, 0],
          box('iinf', bytes([0, 0, 0, 0], u16(0))),
          box(
            'iloc',
            bytes([0, 0, 0, 0, 0, 0], u16(items), ...all.map((id) => [...u16(id), 0, 0, 255, 255])),
          ),
        ),
      ),
    );
  },
  /** Items that all refer to the same bytes of the file, `times` over. */
  heicOfTheSame: (items: number, size: number): Uint8Array<ArrayBuffer> => {
    const all = Array.from({ length: items }, (_one, at) => at + 1);
    const head = box('ftyp', bytes(ascii('heic'), u32(0), ascii('mif1')));
    const iinfBox = box(
      'iinf',
      bytes(
        [0, 0, 0, 0],
        u16(items),
        ...all.map((id) => box('infe', bytes([2, 0, 0, 0], u16(id), u16(0), ascii('mime'), [0]))),
      ),
    );
    const ilocBox = box(
      'iloc',
      bytes(
        [0, 0, 0, 0, 0x44, 0],
        u16(items),
        ...all.map((id) => [...u16(id), 0, 0, 0, 1, ...u32(0), ...u32(size)]),
      ),
    );
    return bytes(
      head,
      box('meta', bytes([0, 0, 0, 0], iinfBox, ilocBox)),
      box('mdat', new Uint8Array(size)),
    );
  },
  /** A JPEG with three junk bytes before the segment with its size. */
  withJunk: (jpegFile: Uint8Array): Uint8Array<ArrayBuffer> =>
    bytes(jpegFile.subarray(0, 2), [0xff, 0xfe, 0, 4, 1, 2], [1, 2, 3], jpegFile.subarray(2)),
  /** Nothing but start-of-scan markers. */
  jpegOfScans: (scans: number): Uint8Array<ArrayBuffer> => {
    const out = bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0], new Uint8Array(6 * scans));
    for (let at = 8; at < out.length; at += 6) out.set([0xff, 0xda, 0, 2, 1, 1], at);
    return out;
  },
} as const;
