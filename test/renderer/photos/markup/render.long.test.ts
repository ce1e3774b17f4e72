/**
 * Markup rendered by the real worker in a real Chromium: pixels change only where something was drawn. What cannot be rendered
 * is a problem and never falls back to the original.
 */
import { describe, expect, it } from 'vitest';
import { inspect } from '../../../../src/renderer/photos/formats/inspect.ts';
import { readMetadata } from '../../../../src/renderer/photos/metadata.ts';
import { begun, inTheMiddle } from '../../../../src/renderer/photos/markup/model.ts';
import { pictureToMark, renderMarkup } from '../../../../src/renderer/photos/markup/render.ts';
import { jpegWith } from '../../../support/renderer-jpeg.ts';
import { box, drawn, edits, green, pixelsOf, red } from '../../../support/renderer-markup.ts';
import {
  exiftoolIsHere,
  fromFixture,
  make,
  tagsOf,
  withPersonalTags,
} from '../../../support/renderer-photos.ts';

describe('marks', () => {
  it('an ellipse changes its line and nothing inside it or far from it', async () => {
    const file = await make({ format: 'png', width: 800, height: 600 });
    // The comparison is also a JPEG, so that compression artefacts do not count as marks.
    const before = await pixelsOf(await drawn(file, edits()));
    const after = await pixelsOf(await drawn(file, edits(box('ellipse', 0.25, 0.25, 0.5, 0.5))));
    expect([after.width, after.height]).toEqual([800, 600]);
    const differs = (x: number, y: number) => {
      const at = (y * 800 + x) * 4;
      return [0, 1, 2].some(
        (channel) =>
          Math.abs((before.data[at + channel] ?? 0) - (after.data[at + channel] ?? 0)) > 40,
      );
    };
    let on_line = 0;
    let elsewhere = 0;
    for (let y = 0; y < 600; y += 1)
      for (let x = 0; x < 800; x += 1) {
        const away = Math.abs(Math.hypot((x - 400) / 200, (y - 300) / 150) - 1) * 150;
        if (!differs(x, y)) continue;
        if (away < 20) on_line += 1;
        else elsewhere += 1;
      }
    expect(on_line).toBeGreaterThan(3000);
    expect(elsewhere).toBe(0);
  });

  it.each(['arrow', 'line', 'text', 'pin'] as const)(
    '%s reads on black and on white',
    async (kind) => {
      for (const ground of ['#000000', '#ffffff'])
        for (const colour of ['red', 'yellow', 'white', 'black'] as const) {
          const canvas = new OffscreenCanvas(400, 300);
          const context = canvas.getContext('2d');
          if (context === null) throw new Error('no canvas');
          context.fillStyle = ground;
          context.fillRect(0, 0, 400, 300);
          const shape = inTheMiddle(kind, 'a', { colour, size: 3 });
          const worded = shape.kind === 'text' ? { ...shape, text: 'Edge' } : shape;
          const after = await pixelsOf(
            await drawn(await canvas.convertToBlob({ type: 'image/png' }), edits(worded)),
          );
          const base = ground === '#000000' ? 0 : 255;
          let seen = 0;
          for (let at = 1; at < after.data.length; at += 4)
            if (Math.abs((after.data[at] ?? 0) - base) > 120) seen += 1;
          expect(seen, `${colour} on ${ground}`).toBeGreaterThan(60);
        }
    },
  );

  it('a crop has its size, and marks stay where they were drawn', async () => {
    const file = await make({ format: 'jpeg', width: 1000, height: 800 });
    const pin = begun(
      'pin',
      'p',
      { colour: 'white', size: 5 },
      { x: 0.5, y: 0.5 },
      { x: 0.5, y: 0.5 },
    );
    const made = await drawn(file, edits(box('crop', 0.4, 0.25, 0.5, 0.5), pin));
    const pixels = await pixelsOf(made);
    expect([pixels.width, pixels.height]).toEqual([500, 400]);
    // 0.5 of 1000 minus the 400 that were cropped: the white of the pin next to its number.
    expect(green(pixels, 100 - 34, 200)).toBeGreaterThan(200);
    const small = await drawn(file, {
      ...edits(box('crop', 0.4, 0.25, 0.5, 0.5), pin),
      max_side: 250,
    });
    const scaled = await pixelsOf(small);
    expect([scaled.width, scaled.height]).toEqual([250, 200]);
  });

  it('a photo that lies on its side is upright, with its time; its place only where it may', async () => {
    const file = await jpegWith(600, 400, {
      orientation: 6,
      taken: '2026:03:04 05:06:07',
      offset: '+02:00',
      gps: true,
    });
    const mark = edits(box('blur', 0.1, 0.1, 0.1, 0.1));
    const made = await drawn(file, mark);
    const seen = await inspect(made);
    expect(seen.type).toBe('image/jpeg');
    const bitmap = await createImageBitmap(made, { imageOrientation: 'none' });
    expect([bitmap.width, bitmap.height]).toEqual([400, 600]);
    const facts = await readMetadata(seen);
    expect(facts).toMatchObject({
      taken_at: { local: '2026-03-04T05:06:07', offset: '+02:00' },
      orientation: 1,
      gps: null,
    });
    expect(seen.stripped).toEqual({ kind: 'clean' });
    const placed = await readMetadata(await inspect(await drawn(file, mark, true)));
    expect(placed.gps?.latitude).toBeCloseTo(52.52, 2);
    expect(placed).toMatchObject({ orientation: 1, taken_at: { offset: '+02:00' } });
  });

  it.skipIf(!exiftoolIsHere)(
    'exiftool reads the same of it: the time, the place only where it may, nothing personal',
    async () => {
      const file = await withPersonalTags(
        await make({ format: 'jpeg', width: 320, height: 240, noise: true }),
      );
      const mark = edits(box('blur', 0.1, 0.1, 0.3, 0.3));
      for (const keep_place of [false, true]) {
        const tags = await tagsOf(await drawn(file, mark, keep_place), 'jpg');
        const named = (name: string) =>
          Object.entries(tags).filter(([key]) => key.split(':').pop() === name);
        expect(named('DateTimeOriginal')).toHaveLength(1);
        expect(String(named('OffsetTimeOriginal')[0]?.[1])).toBe('+02:00');
        expect(named('GPSLatitude').length > 0, `place ${keep_place}`).toBe(keep_place);
        expect(named('ThumbnailImage')).toEqual([]);
        expect(named('Warning')).toEqual([]);
        expect(JSON.stringify(tags)).not.toMatch(/secret/i);
      }
    },
  );

  it('a HEIC can be opened and drawn on', async () => {
    const file = await fromFixture('plain.heic');
    const shown = await pictureToMark(file);
    expect(shown.ok && [shown.value.width, shown.value.height]).toEqual([320, 240]);
    const made = await drawn(file, edits(inTheMiddle('arrow', 'a', red)));
    expect((await inspect(made)).type).toBe('image/jpeg');
    expect((await pixelsOf(made)).width).toBe(320);
  });

  it('what cannot be drawn, and what was stopped, is a problem and never the photo as it was', async () => {
    const video = await fromFixture('clip.mp4');
    expect(await renderMarkup(video, edits(), { keep_place: false })).toMatchObject({ ok: false });
    const cut = (await make({ format: 'png', width: 300, height: 200 })).slice(0, 60);
    expect(await renderMarkup(cut, edits(), { keep_place: false })).toMatchObject({ ok: false });
    const file = await make({ format: 'jpeg', width: 8000, height: 6000 });
    const stop = new AbortController();
    const steps: string[] = [];
    const made = await renderMarkup(file, edits(box('blur', 0, 0, 1, 1)), {
      keep_place: false,
      signal: stop.signal,
      onStep: (step) => {
        steps.push(step);
        if (step === 'drawing') stop.abort();
      },
    });
    expect(made).toEqual({ ok: false, problem: { kind: 'cancelled' } });
    expect(steps).not.toContain('writing');
  });

  it('48 megapixels are drawn whole, at full size', async () => {
    const file = await make({ format: 'jpeg', width: 8000, height: 6000 });
    const steps: string[] = [];
    const made = await renderMarkup(
      file,
      edits(box('blur', 0.4, 0.4, 0.2, 0.2), inTheMiddle('arrow', 'a', red)),
      { keep_place: false, onStep: (step) => steps.push(step) },
    );
    expect(made.ok && (await inspect(made.value)).pixels).toEqual({ width: 8000, height: 6000 });
    expect(steps).toEqual(expect.arrayContaining(['reading', 'drawing', 'writing']));
  }, 300_000);
});
