/**
 * HEIC and videos: bytes in no box, second copies of boxes, bytes that no item or sample names, and texts inside known
 * boxes do not leave this laptop. The picture and the film stay as they are.
 */
import { describe, expect, it } from 'vitest';
import { inspect } from '../../../src/renderer/photos/formats/inspect.ts';
import {
  be16,
  be32,
  box,
  bytesOf,
  fullBox,
  grown,
  join,
  joined,
  latin1,
  latin1Of,
  leaving,
  SECRET,
  segment,
  sentOf,
  text,
} from '../../support/photo-parts.ts';
import { exifOf, textField } from '../../support/exif-block.ts';
import { fromFixture, make } from '../../support/renderer-photos.ts';

type Bytes = Uint8Array<ArrayBuffer>;
const secret = text(SECRET);
const zeros = (length: number): Bytes => new Uint8Array(length);
const hidden = box('udta', secret);

interface Item {
  readonly type?: string;
  readonly data: Bytes;
  /** The name and what follows it. */
  readonly name?: string;
  readonly isListed?: boolean;
}

/** A whole HEIC; its first item is the picture. */
const heicOf = (...items: readonly Item[]): File => {
  const listed = items.flatMap(({ type = 'hvc1', name = '\0', isListed = true }, index) =>
    isListed ? [fullBox('infe', 2, be16(index + 1), be16(0), text(type), latin1(name))] : [],
  );
  const sized = box('ipco', fullBox('ispe', 0, be32(64), be32(48)));
  const has = fullBox('ipma', 0, be32(1), be16(1), new Uint8Array([1, 1]));
  const meta = (base: number): Bytes => {
    let at = base;
    const places = items.map(({ data }, index) => {
      at += data.length;
      const place = [be16(index + 1), be16(0), be16(1), be32(at - data.length), be32(data.length)];
      return joined(...place);
    });
    return fullBox(
      'meta',
      0,
      fullBox('hdlr', 0, be32(0), text('pict'), zeros(13)),
      fullBox('pitm', 0, be16(1)),
      fullBox('iinf', 0, be16(listed.length), ...listed),
      fullBox('iloc', 0, be16(0x4400), be16(items.length), ...places),
      box('iprp', sized, has),
    );
  };
  const ftyp = box('ftyp', text('heic'), be32(0), text('mif1heic'));
  const base = ftyp.length + meta(0).length + 8;
  return join(ftyp, meta(base), box('mdat', ...items.map(({ data }) => data)));
};
const picture: Item = { data: new Uint8Array(40).fill(7) };
/** EXIF with a camera’s name only. */
const cleanExif = exifOf([textField(0xa434, 'A lens')], []);
const personalExif = exifOf([textField(0x9286, SECRET)], []);

/** `plain.heic` with more bytes in its list of items. Its one item moves. */
const plainWith = async (path: readonly string[], extra: Bytes): Promise<File> => {
  const bytes = grown(await bytesOf(await fromFixture('plain.heic')), ['meta', ...path], extra);
  const view = new DataView(bytes.buffer);
  for (let at = 87; at < 130; at += 1)
    if (view.getUint32(at) === 358) view.setUint32(at, 358 + extra.length);
  return join(bytes);
};

describe('HEIC: bytes outside boxes, and second boxes', () => {
  it.each([
    ['a box after eight zeros', () => joined(zeros(8), box('mpvd', secret))],
    ['a text after eight zeros', () => joined(zeros(8), secret)],
    ['seven bytes', () => text('Secret!')],
    ['a second list of items', () => fullBox('meta', 0, box('xml ', secret))],
    ['a second type', () => box('ftyp', secret)],
  ])('%s behind the picture goes, and the picture stays bit by bit', async (_name, extra) => {
    const plain = await bytesOf(await fromFixture('plain.heic'));
    const sent = await sentOf(join(plain, extra()));
    expect(await bytesOf(sent)).toEqual(plain);
  });

  it('a whole film after eight zeros goes', async () => {
    const plain = await bytesOf(await fromFixture('plain.heic'));
    const film = await bytesOf(await fromFixture('clip.mp4'));
    expect(await bytesOf(await sentOf(join(plain, zeros(8), film)))).toEqual(plain);
  });

  it.each(['iinf', 'iloc', 'iprp', 'pitm', 'hdlr', 'grpl', 'dinf'])(
    'a further %s in the list of items goes',
    async (type) => {
      const sent = await sentOf(await plainWith([], box(type, be32(0), secret)));
      expect(await latin1Of(sent)).not.toContain('Secret');
    },
  );

  it.each([
    ['a group of an unknown kind', [], box('grpl', box('zzzz', secret))],
    ['bytes after a group', [], box('grpl', fullBox('altr', 0, be32(9), be32(1), be32(1), secret))],
    ['a reference of an unknown kind', [], fullBox('iref', 0, box('zzzz', secret))],
    ['a box after eight zeros', [], joined(zeros(8), box('zzzz', secret))],
    ['a few bytes after the last box', [], text('Secret!')],
    ['bytes after the number of the picture', ['pitm'], secret],
    ['bytes after the places', ['iloc'], secret],
    ['an unknown auxiliary picture', ['iprp', 'ipco'], fullBox('auxC', 0, secret)],
    [
      'bytes after the kind of an auxiliary picture',
      ['iprp', 'ipco'],
      fullBox('auxC', 0, text('urn:mpeg:hevc:2015:auxid:2\0'), secret),
    ],
    ['a profile that is none', ['iprp', 'ipco'], box('colr', text('prof'), secret)],
    ['bytes after a size', ['iprp', 'ipco'], fullBox('ispe', 0, be32(1), be32(1), secret)],
    ['bytes after a decoder’s settings', ['iprp', 'ipco', 'hvcC'], secret],
    ['bytes after the properties of items', ['iprp', 'ipma'], secret],
  ])('%s in the list of items: goes, or the person is asked', async (_name, path, extra) => {
    expect(await leaving(await plainWith(path, extra))).not.toContain('Secret');
  });
});

it('known properties, groups and references of a HEIC stay', async () => {
  const depth = 'urn:mpeg:hevc:2015:auxid:2\0';
  for (const [path, extra] of [
    [['iprp', 'ipco'], fullBox('auxC', 0, text(depth))],
    [['iprp', 'ipco'], box('colr', text('nclx'), zeros(7))],
    [[], box('grpl', fullBox('altr', 0, be32(9), be32(2), be32(1), be32(2)))],
    [[], fullBox('iref', 0, box('cdsc', be16(2), be16(1), be16(1)))],
  ] as const)
    expect(await inspect(await plainWith(path, extra))).toMatchObject({
      stripped: { kind: 'clean' },
    });
});

describe('HEIC: items', () => {
  it('one with a picture only stays as it is', async () => {
    expect(await inspect(heicOf(picture))).toMatchObject({ stripped: { kind: 'clean' } });
    const exif = { type: 'Exif', data: joined(be32(6), latin1('Exif\0\0'), cleanExif) };
    expect(await inspect(heicOf(picture, exif))).toMatchObject({ stripped: { kind: 'clean' } });
  });

  it.each([
    ['an EXIF block with a place but without a type', { data: secret, isListed: false }],
    ['a name without an end', { ...picture, name: SECRET }],
    ['a text after the name', { ...picture, name: `\0${SECRET}` }],
    [
      'a text after the kind of a text',
      { type: 'mime', data: text('x'), name: `\0application/rdf+xml\0${SECRET}\0` },
    ],
    [
      'a text before clean EXIF',
      { type: 'Exif', data: joined(be32(SECRET.length), secret, cleanExif) },
    ],
  ] satisfies readonly (readonly [string, Item])[])('%s goes', async (_name, item) => {
    const file = heicOf(picture, item);
    const sent = await sentOf(file);
    expect(await latin1Of(file)).toContain('Secret');
    expect(await latin1Of(sent)).not.toContain('Secret');
    expect(await inspect(sent)).toMatchObject({ stripped: { kind: 'clean' } });
  });

  it('clean EXIF behind a text is still read after it moved', async () => {
    const data = joined(be32(SECRET.length), secret, cleanExif);
    const sent = await sentOf(heicOf(picture, { type: 'Exif', data }));
    const { exif } = await inspect(sent);
    expect(exif?.slice(0, cleanExif.length)).toEqual(cleanExif);
  });

  it('a JPEG as an item: one with its own EXIF is left to the person, a clean one stays', async () => {
    const jpeg = await bytesOf(await make({ format: 'jpeg', width: 64, height: 48 }));
    const exif = segment(0xe1, joined(latin1('Exif\0\0'), personalExif));
    const personal = joined(jpeg.slice(0, 2), exif, jpeg.slice(2));
    expect(await inspect(heicOf(picture, { type: 'jpeg', data: personal }))).toMatchObject({
      stripped: { kind: 'unsafe', reason: 'unknown_parts' },
    });
    expect(await inspect(heicOf(picture, { type: 'jpeg', data: jpeg }))).toMatchObject({
      stripped: { kind: 'clean' },
    });
  });
});

/** The first frame that a browser shows. */
const frameOf = async (film: Blob): Promise<Uint8ClampedArray> => {
  const element = document.createElement('video');
  element.src = URL.createObjectURL(film);
  await new Promise((resolve, reject) => {
    element.onloadeddata = resolve;
    element.onerror = () => reject(new Error(element.error?.message));
  });
  const context = new OffscreenCanvas(element.videoWidth, element.videoHeight).getContext('2d');
  context?.drawImage(element, 0, 0);
  return context?.getImageData(0, 0, 160, 120).data ?? new Uint8ClampedArray();
};

/** The bytes of `mdat` of a film, which hold its pictures and sound. */
const dataOf = async (film: Blob): Promise<string> => {
  const all = await latin1Of(film);
  return all.slice(28 + 8, 15_834);
};

const trak = ['moov', 'trak'];
const minf = [...trak, 'mdia', 'minf'];
const stbl = [...minf, 'stbl'];
/** A second place of a track’s data, with a path. */
const reference = (kind: string): Bytes =>
  box('dinf', fullBox('dref', 0, be32(1), fullBox(kind, 0, secret)));

describe('videos: known boxes', () => {
  it.each([
    ['a second movie', [], box('moov', hidden)],
    ['a second block of data', [], box('mdat', secret)],
    ['bytes after eight zeros', [], joined(zeros(8), hidden)],
    ['five bytes', [], text('Secre')],
    ...['styp', 'prft', 'sidx', 'ssix', 'ftyp'].map(
      (type) => [type, [], box(type, secret)] as const,
    ),
    ['a box after eight zeros in the movie', ['moov'], joined(zeros(8), hidden)],
    ...['iods', 'clip', 'ctab', 'prfl'].map((type) => [type, ['moov'], box(type, hidden)] as const),
    ['a box after eight zeros in a track', trak, joined(zeros(8), hidden)],
    ['a second `mdia`', trak, box('mdia', hidden)],
    ...['tref', 'tapt', 'load', 'clip', 'matt', 'txas', 'prfl', 'trgr'].map(
      (type) => [type, trak, box(type, hidden)] as const,
    ),
    ['a reference to a track that is a text', trak, box('tref', box('chap', secret))],
    ['a second `minf`', [...trak, 'mdia'], box('minf', secret)],
    ['elng', [...trak, 'mdia'], box('elng', secret)],
    ['the name of a handler', [...trak, 'mdia', 'hdlr'], secret],
    ['the name of a data handler', [...minf, 'hdlr'], secret],
    ['bytes after the head of a picture track', [...minf, 'vmhd'], secret],
    ...['gmhd', 'hmhd', 'nmhd', 'sthd', 'smhd'].map(
      (type) => [type, minf, box(type, be32(0), hidden)] as const,
    ),
    ['a second place of data', minf, reference('alis')],
    ['a path after "in this file"', [...minf, 'dinf', 'dref', 'url '], secret],
    ['a further place of data', [...minf, 'dinf', 'dref'], fullBox('alis', 0, secret)],
    ['bytes after a table', [...stbl, 'stsc'], secret],
    ['subs', stbl, box('subs', secret)],
    ['a group of samples of an unknown kind', stbl, fullBox('sgpd', 1, secret)],
    ['a further description', [...stbl, 'stsd'], box('zzzz', secret)],
    ['a box in a description', [...stbl, 'stsd', 'avc1'], hidden],
    [
      'bytes after a decoder’s settings',
      [...stbl, 'stsd', 'avc1', 'avcC'],
      joined(zeros(4), secret),
    ],
  ] satisfies readonly (readonly [string, readonly string[], Bytes])[])(
    '%s goes, and no byte of pictures and sound changes',
    async (_name, path, extra) => {
      const plain = await bytesOf(await fromFixture('clip.mov'));
      const file = path.length === 0 ? join(plain, extra) : join(grown(plain, path, extra));
      expect(await latin1Of(file)).toContain('Secre');
      const sent = await sentOf(file);
      expect(await latin1Of(sent)).not.toContain('Secre');
      expect(await dataOf(sent)).toBe(await dataOf(join(plain)));
      expect(await inspect(sent)).toMatchObject({ stripped: { kind: 'clean' } });
    },
  );

  it('a path after "in this file" goes, and the film shows the same picture', async () => {
    const plain = await bytesOf(await fromFixture('clip.mov'));
    const sent = await sentOf(join(grown(plain, [...minf, 'dinf', 'dref', 'url '], secret)));
    expect(await frameOf(sent)).toEqual(await frameOf(join(plain)));
  });

  it.each(['clip.mov', 'clip.mp4'])('%s shows the same picture', async (name) => {
    const file = await fromFixture(name);
    expect(await frameOf(await sentOf(file))).toEqual(await frameOf(file));
  });
});

describe('videos: what phones write and players read stays', () => {
  const entry = [...stbl, 'stsd', 'avc1'];
  it.each([
    ['the size of a picture', trak, box('tapt', fullBox('clef', 0, be32(160), be32(120)))],
    ['a reference to a timecode', trak, box('tref', box('tmcd', be32(3)))],
    [
      'the look of a timecode',
      minf,
      box(
        'gmhd',
        fullBox('gmin', 0, new Uint8Array(12).fill(1)),
        box('tmcd', fullBox('tcmi', 0, new Uint8Array(20).fill(1))),
      ),
    ],
    ['colours of QuickTime', entry, box('colr', text('nclc'), new Uint8Array(6).fill(1))],
    ['colours of MP4', entry, box('colr', text('nclx'), new Uint8Array(7).fill(1))],
    ['interlacing', entry, box('fiel', new Uint8Array([1, 6]))],
    ['brightness', entry, box('clli', new Uint8Array(4).fill(1))],
    ['Dolby Vision', entry, box('dvvC', new Uint8Array(24).fill(1))],
    ['two eyes', entry, box('vexu', box('eyes', fullBox('stri', 0, new Uint8Array([3]))))],
    ['early sound', stbl, fullBox('sgpd', 1, text('roll'), be32(2), be32(1), be16(0xffff))],
    ['shown order', stbl, fullBox('cslg', 0, new Uint8Array(20).fill(1))],
    ['usual samples', ['moov'], box('mvex', fullBox('trex', 0, new Uint8Array(20).fill(1)))],
  ] satisfies readonly (readonly [string, readonly string[], Bytes])[])(
    '%s',
    async (_name, path, extra) => {
      const plain = await bytesOf(await fromFixture('clip.mov'));
      const sent = await latin1Of(await sentOf(join(grown(plain, path, extra))));
      expect(sent).toContain(await latin1Of(new Blob([extra])));
    },
  );
});

/** A film with one track. `tables`: which samples, where. */
const filmOf = (
  kind: string,
  entry: Bytes,
  tables: readonly Bytes[],
  ...more: readonly Bytes[]
): Bytes =>
  box(
    'moov',
    fullBox('mvhd', 0, zeros(96)),
    box(
      'trak',
      fullBox('tkhd', 0, zeros(80)),
      box(
        'mdia',
        fullBox('mdhd', 0, zeros(20)),
        fullBox('hdlr', 0, be32(0), text(kind), zeros(13)),
        box('minf', box('stbl', fullBox('stsd', 0, be32(1), entry), ...tables)),
      ),
    ),
    ...more,
  );
const ftyp = box('ftyp', text('qt  '), be32(0));
const one = be32(1);
const chunkAt = (from: number): Bytes => fullBox('stco', 0, one, be32(from));
const inOneChunk = (samples: number): Bytes => fullBox('stsc', 0, one, one, be32(samples), one);
const samples = text('samples of a film');

describe('videos: data', () => {
  it('bytes that no sample uses become zeros, and the film shows the same picture', async () => {
    const plain = await bytesOf(await fromFixture('clip.mp4'));
    const sent = await sentOf(join(grown(plain, ['mdat'], secret)));
    expect(await latin1Of(sent)).not.toContain('Secret');
    expect(sent.size).toBe(plain.length + SECRET.length);
    expect(await frameOf(sent)).toEqual(await frameOf(join(plain)));
  });

  it('sound of an old film, which says one byte for a sample of four, keeps its bytes', async () => {
    const entry = box(
      'sowt',
      joined(zeros(6), be16(1), zeros(8), be16(2), be16(16), zeros(4), be32(44_100 * 65_536)),
    );
    const sound = new Uint8Array(40).fill(9);
    const tables = (from: number) => [
      fullBox('stsz', 0, one, be32(10)),
      inOneChunk(10),
      chunkAt(from),
    ];
    const from = ftyp.length + filmOf('soun', entry, tables(0)).length + 8;
    const movie = filmOf('soun', entry, tables(from));
    const file = join(ftyp, movie, box('mdat', sound, secret));
    const sent = await bytesOf(await sentOf(file));
    expect(sent.slice(from, from + 40)).toEqual(sound);
    expect(await latin1Of(new Blob([sent]))).not.toContain('Secret');
  });

  it('a film whose end is missing is not left to the person', async () => {
    const plain = await bytesOf(await fromFixture('clip.mp4'));
    const sent = await sentOf(join(plain.slice(0, 12_000)));
    expect(sent.size).toBe(12_000);
    expect((await bytesOf(sent)).slice(2376, 6000)).toEqual(plain.slice(2376, 6000));
  });

  const pictureEntry = box('avc1', joined(zeros(6), be16(1), zeros(70)));

  it('samples outside the boxes for data are left to the person', async () => {
    const tables = [
      fullBox('stsz', 0, be32(samples.length), one),
      inOneChunk(1),
      chunkAt(ftyp.length + 4),
    ];
    const file = join(ftyp, filmOf('vide', pictureEntry, tables), box('mdat', samples));
    expect(await inspect(file)).toMatchObject({
      stripped: { kind: 'unsafe', reason: 'unknown_parts' },
    });
  });

  it('samples of fragments stay; bytes between them, and what a fragment does not need, go', async () => {
    const none = [
      fullBox('stsz', 0, be32(0), be32(0)),
      fullBox('stsc', 0, be32(0)),
      fullBox('stco', 0, be32(0)),
    ];
    const usual = box('mvex', fullBox('trex', 0, one, one, be32(1), be32(5), be32(0)));
    const fragment = (offset: number): Bytes =>
      box(
        'moof',
        fullBox('mfhd', 0, one),
        box(
          'traf',
          box('tfhd', be32(0x20000), one),
          // Two samples of the usual size, then two that say their sizes.
          box('trun', be32(1), be32(2), be32(offset)),
          box('trun', be32(0x200), be32(2), be32(3), be32(4)),
          box('subs', secret),
        ),
      );
    const moof = fragment(fragment(0).length + 8);
    const file = join(
      ftyp,
      filmOf('vide', pictureEntry, none, usual),
      moof,
      box('mdat', samples, secret),
      box('sidx', secret),
    );
    const sent = await latin1Of(await sentOf(file));
    expect(sent).toContain(await latin1Of(new Blob([samples])));
    expect(sent).not.toContain('Secret');
  });
});
