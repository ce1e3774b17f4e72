/** Thumbnails (decisions §5.8; failures S10, S11): real ones for real photos, a clear refusal for everything else. */
import { readFileSync } from 'node:fs';
import { deflateSync, crc32 } from 'node:zlib';
import sharp, { type Metadata } from 'sharp';
import { describe, expect, it, onTestFinished } from 'vitest';
import { contentTypeOf } from '../../../src/service/files/content.ts';
import { createThumbnailer } from '../../../src/service/files/thumbnails/thumbnails.ts';
import { phoneHeic, type PhoneHeic } from '../../support/phone-heic.ts';
import {
  cut,
  KIB,
  md5,
  put,
  random,
  sharedFixture,
  startFixture,
  store,
  type Fixture,
} from './support.ts';

/** One decoder for all, because its start costs more than a picture. */
const shared = sharedFixture();

/** Left half red, right half blue, so that the orientation is visible. */
const twoHalves = (width: number, height: number) => {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) pixels[(y * width + x) * 3 + (x < width / 2 ? 0 : 2)] = 255;
  return sharp(pixels, { raw: { width, height, channels: 3 } });
};

const thumbnail = async (fixture: Fixture, id: number) => {
  const response = await fetch(fixture.addresses(id).thumbnail_url);
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
};

/** The mean colour of a corner of 20 x 20 pixels. */
const corner = async (bytes: Buffer, where: 'left-top' | 'right-bottom') => {
  const { width, height } = await sharp(bytes).metadata();
  const at = where === 'left-top' ? { left: 0, top: 0 } : { left: width - 20, top: height - 20 };
  const { channels } = await sharp(
    await sharp(bytes)
      .extract({ ...at, width: 20, height: 20 })
      .png()
      .toBuffer(),
  ).stats();
  return channels.map(({ mean }) => Math.round(mean / 255));
};

/** A handmade PNG of one colour: few bytes, many pixels. */
const flatPng = (width: number, height: number): Buffer => {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const check = Buffer.alloc(4);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8); // one bit per pixel, grey
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 })),
    chunk('IEND', Buffer.of()),
  ]);
};

describe('photos', () => {
  it.each(['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const)(
    'decisions §5.8: a %s gets a JPEG no larger than 480 pixels, in its proportions',
    async (format) => {
      const fixture = shared();
      const bytes = await twoHalves(1200, 600).toFormat(format).toBuffer();
      const id = await store(fixture, bytes, { response_filename: `a.${format}` });
      const { response, bytes: small } = await thumbnail(fixture, id);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('image/jpeg');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      const { width, height } = await sharp(small).metadata();
      expect([width, height]).toEqual([480, 240]);
      expect(await corner(small, 'left-top')).toEqual([1, 0, 0]);
      expect(await corner(small, 'right-bottom')).toEqual([0, 0, 1]);
    },
  );

  it('decisions §5.8: a small image is not enlarged', async () => {
    const fixture = shared();
    const bytes = await twoHalves(60, 40).png().toBuffer();
    const id = await store(fixture, bytes, { response_filename: 'a.png' });
    const { width, height } = await sharp((await thumbnail(fixture, id)).bytes).metadata();
    expect([width, height]).toEqual([60, 40]);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'decisions §5.8: EXIF orientation %i is applied, as sharp itself applies it',
    async (orientation) => {
      const fixture = shared();
      // Four different corners, so that every rotation and reflection shows.
      const pixels = Buffer.alloc(400 * 200 * 3);
      for (let y = 0; y < 200; y += 1)
        for (let x = 0; x < 400; x += 1)
          pixels.set([x < 200 ? 255 : 0, y < 100 ? 255 : 0, 128], (y * 400 + x) * 3);
      const bytes = await sharp(pixels, { raw: { width: 400, height: 200, channels: 3 } })
        .withMetadata({ orientation })
        .jpeg({ quality: 95 })
        .toBuffer();
      const id = await store(fixture, bytes, { response_filename: 'a.jpg' });
      const { bytes: small } = await thumbnail(fixture, id);
      const right = await sharp(bytes).autoOrient().png().toBuffer();
      const size = ({ width, height }: Metadata) => [width, height];
      expect(size(await sharp(small).metadata())).toEqual(size(await sharp(right).metadata()));
      for (const where of ['left-top', 'right-bottom'] as const)
        expect(await corner(small, where)).toEqual(await corner(right, where));
      expect((await sharp(small).metadata()).exif).toBeUndefined();
    },
  );

  it('decisions §5.8: a photo that came in segments has a thumbnail, made once and then kept', async () => {
    const fixture = await startFixture();
    const noise = await sharp(random(900 * 700 * 3), {
      raw: { width: 900, height: 700, channels: 3 },
    })
      .jpeg({ quality: 100 })
      .toBuffer();
    const parts = cut(noise, 256 * KIB);
    expect(parts.length).toBeGreaterThan(1);
    const upload = await fixture.create({ response_filename: 'a.jpg', segments: parts.pieces });
    for (const [index, part] of parts.entries()) await put(upload, index, part);
    await fixture.complete(upload.uuid, parts.map(md5));
    const [id = 0] = await fixture.associate([upload.uuid], 1);
    const answers = await Promise.all(Array.from({ length: 6 }, () => thumbnail(fixture, id)));
    for (const { response, bytes } of answers) {
      expect(response.status).toBe(200);
      expect(bytes.equals(answers[0]?.bytes ?? Buffer.of())).toBe(true);
    }
    const kept = Object.keys(fixture.files()).filter((path) => path.endsWith('.thumbnail'));
    expect(kept).toHaveLength(1);
    expect(Object.keys(fixture.files()).filter((path) => path.startsWith('tmp/'))).toEqual([]);
  });
});

const fixtureFile = (name: string): Buffer =>
  readFileSync(new URL(`../../fixtures/${name}`, import.meta.url));

describe('HEIC', () => {
  it('decisions §5.8: a HEIC of a real encoder gets a JPEG in its proportions', async () => {
    const fixture = shared();
    const id = await store(fixture, fixtureFile('plain.heic'), { response_filename: 'a.heic' });
    const { response, bytes } = await thumbnail(fixture, id);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    const { format, width, height } = await sharp(bytes).metadata();
    expect([format, width, height]).toEqual(['jpeg', 320, 240]);
  });

  const wide: PhoneHeic = { width: 1280, height: 640, orientation: 6, extras: true };
  it.each([
    ['as it lies', wide, [480, 240]],
    ['turned', { ...wide, turns: 3 }, [240, 480]],
    ['clipped', { ...wide, clip: { width: 600, height: 600 } }, [480, 480]],
  ] as const)(
    'decisions §5.8: one of many tiles is shown %s by its properties, and its EXIF turns it no second time',
    async (_how, made, size) => {
      const fixture = shared();
      const heic = Buffer.from(phoneHeic(fixtureFile('tiles.heic'), made));
      const id = await store(fixture, heic, { response_filename: 'IMG_1.HEIC' });
      const { response, bytes } = await thumbnail(fixture, id);
      expect(response.status).toBe(200);
      const { width, height } = await sharp(bytes).metadata();
      expect([width, height]).toEqual(size);
    },
  );

  it('decisions §5.8: its first tile is where it was, in its colour', async () => {
    const fixture = shared();
    const made = { width: 128, height: 128 };
    const heic = Buffer.from(phoneHeic(fixtureFile('tiles.heic'), made));
    const id = await store(fixture, heic, { response_filename: 'a.heic' });
    const { bytes } = await thumbnail(fixture, id);
    expect(await corner(bytes, 'left-top')).toEqual([1, 0, 0]);
    expect(await corner(bytes, 'right-bottom')).not.toEqual([1, 0, 0]);
  });

  it('failures S11: a damaged HEIC is a 415, and the next picture is made', async () => {
    const fixture = shared();
    const whole = phoneHeic(fixtureFile('tiles.heic'), { width: 256, height: 256 });
    const cutOff = Buffer.from(whole.subarray(0, whole.length / 2));
    const id = await store(fixture, cutOff, { response_filename: 'a.heic' });
    expect((await thumbnail(fixture, id)).response.status).toBe(415);
    const next = await store(fixture, Buffer.from(whole), { response_filename: 'b.heic' });
    expect((await thumbnail(fixture, next)).response.status).toBe(200);
  });
});

it.each([
  ['a.pdf', null, false],
  ['a.csv', null, false],
  ['clip.mp4', null, false],
  ['a.svg', null, false],
  ['what', null, false],
  ['a.heic', null, true],
  ['a.TIF', null, true],
  ['what', 'image/JPEG; quality=high', true],
])(
  'decisions §5.8: %s, called %s, has an address of a thumbnail: %s',
  async (name, called, has) => {
    const fixture = shared();
    const { thumbnail_url, url } = fixture.addresses(1, contentTypeOf(name, called));
    expect([thumbnail_url !== '', url !== '']).toEqual([has, true]);
  },
);

describe('refused', () => {
  it.each(['jpeg', 'png', 'webp', 'tiff'] as const)(
    'failures S11: half of a %s is a 415, however much of it could be shown',
    async (format) => {
      const fixture = shared();
      const noise = sharp(random(600 * 400 * 3), { raw: { width: 600, height: 400, channels: 3 } });
      const whole = await noise.toFormat(format).toBuffer();
      const half = whole.subarray(0, whole.length / 2);
      const id = await store(fixture, half, { response_filename: `a.${format}` });
      expect((await thumbnail(fixture, id)).response.status).toBe(415);
    },
  );

  it.each([
    ['text', Buffer.from('hello')],
    ['nothing', Buffer.of()],
    ['HTML', Buffer.from('<html><img src=x>')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['PDF', Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\n')],
    ['a PNG header and then nothing', flatPng(100, 100).subarray(0, 60)],
    ['random bytes', random(5000)],
  ])(
    'failures S11: %s named .jpg is a 415, its bytes are served all the same',
    async (_what, bytes) => {
      const fixture = shared();
      const id = await store(fixture, bytes, { response_filename: 'a.jpg' });
      expect((await thumbnail(fixture, id)).response.status).toBe(415);
      const whole = await fetch(fixture.addresses(id).url);
      expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
    },
  );

  it('failures S10: a PNG of 289 million pixels is a 422 by its header, without being decoded', async () => {
    const fixture = shared();
    const bomb = flatPng(17_000, 17_000);
    expect(bomb.length).toBeLessThan(1024 * KIB);
    const id = await store(fixture, bomb, { response_filename: 'bomb.png' });
    await thumbnail(
      fixture,
      await store(fixture, flatPng(10, 10), { response_filename: 'warm.png' }),
    );
    const before = process.memoryUsage().rss;
    const answers = await Promise.all(Array.from({ length: 8 }, () => thumbnail(fixture, id)));
    expect(answers.map(({ response }) => response.status)).toEqual(Array(8).fill(422));
    expect((process.memoryUsage().rss - before) / KIB / KIB).toBeLessThan(60);
    expect(answers[0]?.bytes.toString()).toContain('17000 x 17000');
  });

  it('decisions §10: --thumbnail-max-pixels and --thumbnail-max-size are limits', async () => {
    const options = { 'thumbnail-max-pixels': 5000, 'thumbnail-max-size': 4 * KIB };
    const fixture = await startFixture({ options });
    const many = await store(fixture, flatPng(100, 51), { response_filename: 'a.png' });
    expect((await thumbnail(fixture, many)).response.status).toBe(422);
    const few = await store(fixture, flatPng(100, 50), { response_filename: 'a.png' });
    expect((await thumbnail(fixture, few)).response.status).toBe(200);
    const long = await store(fixture, random(5 * KIB), { response_filename: 'a.png' });
    expect((await thumbnail(fixture, long)).response.status).toBe(422);
  });
});

describe('failures S10: what a picture may cost', () => {
  const flat = (width: number, height: number) =>
    sharp({
      create: { width, height, channels: 3, background: '#888' },
      limitInputPixels: false,
    });

  it('failures S10: a small AVIF of many pixels is refused by its header: its format costs more for each', async () => {
    const fixture = shared();
    const bytes = await flat(6000, 5000).avif({ quality: 10, effort: 0 }).toBuffer();
    expect(bytes.length).toBeLessThan(10 * KIB);
    const id = await store(fixture, bytes, { response_filename: 'a.avif' });
    const { response, bytes: text } = await thumbnail(fixture, id);
    expect(response.status).toBe(422);
    expect(text.toString()).toContain('pixels of heif');
    const jpeg = await flat(6000, 5000).jpeg({ quality: 20 }).toBuffer();
    const other = await store(fixture, jpeg, { response_filename: 'a.jpg' });
    expect((await thumbnail(fixture, other)).response.status).toBe(200);
  });

  it('failures S10: one that takes more memory than allowed ends its own process alone, and costs that once', async () => {
    const fixture = await startFixture({ options: { 'thumbnail-memory': 1024 * 1024 } });
    const bytes = await twoHalves(1200, 600).png().toBuffer();
    const id = await store(fixture, bytes, { response_filename: 'a.png' });
    for (let n = 0; n < 3; n += 1) {
      const { response, bytes: text } = await thumbnail(fixture, id);
      expect(response.status).toBe(422);
      expect(text.toString()).toContain('too much memory');
    }
    const kept = Object.keys(fixture.files()).filter((path) => path.endsWith('.no-thumbnail'));
    expect(kept).toHaveLength(1);
    expect((await fixture.call('GET', '/rest/v1.0/me')).status).toBe(200);
  });

  it('failures S10: a reason counts under the limits it was found under: with more memory the picture is made', async () => {
    const fixture = await startFixture();
    const { files } = fixture.service.app.uploads;
    const limits = { side: 480, max_pixels: 1_000_000, max_size: 1e8, timeout: 60_000 };
    const poor = createThumbnailer(files, { ...limits, memory: 1024 * 1024 });
    const rich = createThumbnailer(files, { ...limits, memory: 2 ** 30 });
    onTestFinished(() => {
      poor.stop();
      rich.stop();
    });
    const bytes = await twoHalves(900, 600).png().toBuffer();
    await store(fixture, bytes, { response_filename: 'a.png' });
    const [path = ''] = Object.keys(fixture.files()).filter((one) => one.includes('form-'));
    const [upload = '', name = ''] =
      path
        .split('/')
        .at(-1)
        ?.split(/\.(.*)/s) ?? [];
    const parts = [{ name, size: bytes.length }];
    await expect(poor.ensure(upload, parts)).rejects.toMatchObject({ status: 422 });
    await expect(rich.ensure(upload, parts)).resolves.toMatchObject({ name: 'thumbnail' });
  });

  it('failures S10: one that takes too long is given up, and the next one is made', async () => {
    const fixture = await startFixture({ options: { 'thumbnail-timeout': 1 } });
    const bytes = await twoHalves(1200, 600).png().toBuffer();
    const id = await store(fixture, bytes, { response_filename: 'a.png' });
    const { response, bytes: text } = await thumbnail(fixture, id);
    expect(response.status).toBe(422);
    expect(text.toString()).toContain('too long');
  });
});
