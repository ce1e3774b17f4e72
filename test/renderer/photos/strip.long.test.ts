/**
 * Personal data of a photo is not sent, and nothing else is lost. exiftool is the oracle: it wrote the tags and reads what is
 * left, in every place of every format.
 */
import { describe, expect, it } from 'vitest';
import { inspect } from '../../../src/renderer/photos/formats/inspect.ts';
import type { Inspection } from '../../../src/renderer/photos/formats/inspection.ts';
import {
  exiftoolIsHere,
  fromFixture,
  make,
  tagsOf,
  withPersonalTags,
} from '../../support/renderer-photos.ts';

const sizes = { width: 320, height: 240 };
const pictures = {
  'baseline.jpg': () => make({ format: 'jpeg', ...sizes, profile: true }),
  'progressive.jpg': () => make({ format: 'jpeg', ...sizes, progressive: true, noise: true }),
  'made.png': () => make({ format: 'png', ...sizes, profile: true }),
  'made.webp': () => make({ format: 'webp', ...sizes, profile: true }),
  'plain.heic': () => fromFixture('plain.heic'),
};
const videos = { 'clip.mp4': 'clip.mp4', 'clip.mov': 'clip.mov' };
const endingOf = (name: string): string => name.split('.').pop() ?? '';

const personal =
  /secret|gps|serial|owner|artist|author|creator|by-?line|person|comment|description$|city|copyright|unique/i;
const textOf = async (blob: Blob): Promise<string> =>
  new TextDecoder('latin1').decode(await blob.arrayBuffer());

const strippedOf = (seen: Inspection): Blob => {
  if (seen.stripped.kind !== 'stripped') throw new Error(`it is ${JSON.stringify(seen.stripped)}`);
  return seen.stripped.blob;
};

/** Every pixel, decoded without rotation or colour conversion. */
const pixelsOf = async (blob: Blob): Promise<Uint8ClampedArray> => {
  const bitmap = await createImageBitmap(blob, {
    imageOrientation: 'none',
    colorSpaceConversion: 'none',
  });
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  context?.drawImage(bitmap, 0, 0);
  return context?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? new Uint8ClampedArray();
};

const leaks = (tags: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(tags)
    .filter(([name, value]) => personal.test(name) || /secret/i.test(JSON.stringify(value)))
    .map(([name]) => name)
    // Tags of the container or the colour profile, not personal ones.
    .filter((name) => !/^(ICC|QuickTime:Handler|Track\d:(Handler|SampleGroup)|File:)/.test(name));

describe.skipIf(!exiftoolIsHere)('privacy, judged by exiftool', () => {
  it.each(Object.entries(pictures))(
    '%s loses place, people, serial numbers and texts; keeps time, orientation, colours and pixels',
    async (name, made) => {
      const file = await withPersonalTags(await made());
      const ending = endingOf(name);
      const before = await tagsOf(file, ending);
      expect(leaks(before).length).toBeGreaterThan(12);
      const seen = await inspect(file);
      const blob = strippedOf(seen);
      const after = await tagsOf(blob, ending);
      expect(leaks(after)).toEqual([]);
      expect(await textOf(blob)).not.toMatch(/secret/i);
      expect(Object.entries(after).filter(([key]) => /Warning|Error/.test(key))).toEqual([]);
      for (const kept of ['DateTimeOriginal', 'OffsetTimeOriginal', 'ISO'])
        expect(after[`ExifIFD:${kept}`]).toBe(before[`ExifIFD:${kept}`]);
      expect(after['IFD0:Orientation']).toBe(6);
      expect(after['IFD0:Model']).toBe('EOS R5');
      const profile = (tags: Readonly<Record<string, unknown>>) =>
        Object.entries(tags).filter(([key]) => key.startsWith('ICC'));
      expect(profile(after)).toEqual(profile(before));
      if (ending !== 'heic') {
        expect(await pixelsOf(blob)).toEqual(await pixelsOf(file));
        expect(blob.size).toBeLessThan(file.size);
      } else expect(blob.size).toBe(file.size);
      // A cleaned file is clean and is sent unchanged.
      expect((await inspect(blob)).stripped).toEqual({ kind: 'clean' });
    },
  );

  it.each(Object.entries(videos))(
    '%s loses place and people without being moved; keeps time, pictures and sound',
    async (_, name) => {
      const file = await withPersonalTags(await fromFixture(name));
      const ending = endingOf(name);
      const before = await tagsOf(file, ending);
      expect(leaks(before).length).toBeGreaterThan(5);
      const seen = await inspect(file);
      const blob = strippedOf(seen);
      const after = await tagsOf(blob, ending);
      expect(leaks(after)).toEqual([]);
      expect(await textOf(blob)).not.toMatch(/secret|13\.40|52\.52/i);
      expect(Object.entries(after).filter(([key]) => /Warning|Error/.test(key))).toEqual([]);
      expect(after['QuickTime:CreateDate']).toBe('2026:03:04 05:06:07');
      expect(blob.size).toBe(file.size);
      for (const track of ['Track1', 'Track2'])
        for (const kept of ['MediaDuration', 'MediaTimeScale'])
          expect(after[`${track}:${kept}`]).toEqual(before[`${track}:${kept}`]);
      expect(seen.video).toEqual({
        taken: { local: '2026-03-04T07:06:07', offset: '+02:00' },
        gps: { latitude: 52.52, longitude: 13.405 },
      });
      const element = document.createElement('video');
      element.src = URL.createObjectURL(blob);
      await new Promise((resolve, reject) => {
        element.onloadeddata = resolve;
        element.onerror = () => reject(new Error(element.error?.message));
      });
      expect(element.videoWidth).toBe(160);
    },
  );

  it('a track of places (a drone writes it as subtitles) is emptied with its samples', async () => {
    const file = await fromFixture('clip.mp4');
    expect(await textOf(file)).toContain('GPS (13.4050, 52.5200');
    const blob = strippedOf(await inspect(file));
    expect(await textOf(blob)).not.toContain('13.4050');
    const after = await tagsOf(blob, 'mp4');
    expect(Object.keys(after).some((key) => key.startsWith('Track3'))).toBe(false);
    expect(after['Track2:HandlerType']).toBe('soun');
  });
});

describe('what nobody asked to change', () => {
  it.each(['jpeg', 'png', 'webp'] as const)(
    '%s without anything personal stays as it is',
    async (format) => {
      const file = await make({ format, ...sizes, profile: true });
      expect((await inspect(file)).stripped).toEqual({ kind: 'clean' });
    },
  );

  it('what a phone hangs behind a JPEG (a second picture, a video) goes too', async () => {
    const file = await make({ format: 'jpeg', ...sizes });
    const more = new File([file, await fromFixture('clip.mp4')], 'motion.jpg');
    const blob = strippedOf(await inspect(more));
    expect(blob.size).toBe(file.size);
  });

  it('a file cut off, damaged or of another kind than its name never fails the reader', async () => {
    const jpeg = await make({ format: 'jpeg', ...sizes, noise: true });
    const heic = await fromFixture('plain.heic');
    const mov = await fromFixture('clip.mov');
    const kinds = await Promise.all(
      [
        jpeg.slice(0, jpeg.size / 2),
        jpeg.slice(0, 30),
        new Blob([jpeg.slice(0, 200), new Uint8Array(500).fill(7)]),
        heic.slice(0, 300),
        mov.slice(0, mov.size - 200),
        new Blob(['no photo at all']),
        new Blob([]),
      ].map(async (blob) => {
        const { type, stripped } = await inspect(blob);
        return [type, stripped.kind];
      }),
    );
    expect(kinds).toEqual([
      ['image/jpeg', 'clean'],
      ['image/jpeg', 'unsafe'],
      ['image/jpeg', 'unsafe'],
      ['image/heic', 'unsafe'],
      ['video/quicktime', 'unsafe'],
      [null, 'unsafe'],
      [null, 'unsafe'],
    ]);
  });

  it('any byte of a file changed: never an exception, and never a longer file', async () => {
    for (const name of ['plain.heic', 'clip.mov']) {
      const bytes = new Uint8Array(await (await fromFixture(name)).arrayBuffer());
      for (let at = 0; at < Math.min(bytes.length, 2400); at += 3) {
        const changed = bytes.slice();
        changed[at] = (changed[at] ?? 0) ^ 0xff;
        const { stripped } = await inspect(new Blob([changed]));
        if (stripped.kind === 'stripped') expect(stripped.blob.size).toBe(bytes.length);
      }
    }
  });
});
