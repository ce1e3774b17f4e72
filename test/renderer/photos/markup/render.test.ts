/**
 * What is sent of a marked photo, drawn by the real worker in a real Chromium: pixels change where something was drawn and
 * nowhere else, blurred text cannot be read or compared any more, and the original never goes instead.
 */
import { ulid } from 'ulid';
import { describe, expect, it } from 'vitest';
import { saveNearMiss } from '../../../../src/renderer/data/near-misses.ts';
import type { PhotoRow } from '../../../../src/renderer/data/db.ts';
import { exportItems } from '../../../../src/renderer/outbox/export.ts';
import { inspect } from '../../../../src/renderer/photos/formats/inspect.ts';
import { takeIn } from '../../../../src/renderer/photos/intake.ts';
import { readMetadata } from '../../../../src/renderer/photos/metadata.ts';
import {
  begun,
  inTheMiddle,
  noEdits,
  type Edits,
  type Shape,
} from '../../../../src/renderer/photos/markup/model.ts';
import { pictureToMark, renderMarkup } from '../../../../src/renderer/photos/markup/render.ts';
import { CaptureForm } from '../../../../src/renderer/screens/capture/form.svelte.ts';
import { ACCOUNT } from '../../../support/renderer-host.ts';
import { jpegWith } from '../../../support/renderer-jpeg.ts';
import {
  exiftoolIsHere,
  fromFixture,
  make,
  tagsOf,
  withPersonalTags,
} from '../../../support/renderer-photos.ts';
import { fieldsOf, host, owner, windowPerTest, windows } from '../../../support/renderer-window.ts';

windowPerTest();

const red = { colour: 'red', size: 2 } as const;
const edits = (...shapes: Shape[]): Edits => ({ ...noEdits(null), shapes });
const box = (kind: 'blur' | 'crop' | 'ellipse', x: number, y: number, w: number, h: number) =>
  begun(kind, kind, red, { x, y }, { x: x + w, y: y + h });

const pixelsOf = async (file: Blob): Promise<ImageData> => {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  if (context === null) throw new Error('no canvas');
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, bitmap.width, bitmap.height);
};
const drawn = async (file: Blob, what: Edits, keep_place = false): Promise<Blob> => {
  const made = await renderMarkup(file, what, { keep_place });
  if (!made.ok) throw new Error(JSON.stringify(made.problem));
  return made.value;
};
const green = ({ data, width }: ImageData, x: number, y: number): number =>
  data[(Math.round(y) * width + Math.round(x)) * 4 + 1] ?? 0;

/** A picture with a number plate on it, without loss. */
const PLATE = { x: 200, y: 150, width: 240, height: 60 };
const plate = async (letters: string): Promise<Blob> => {
  const canvas = new OffscreenCanvas(640, 480);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('no canvas');
  context.fillStyle = '#7799aa';
  context.fillRect(0, 0, 640, 480);
  context.fillStyle = '#ffffff';
  context.fillRect(PLATE.x, PLATE.y, PLATE.width, PLATE.height);
  context.fillStyle = '#000000';
  context.font = '700 48px monospace';
  context.textBaseline = 'middle';
  context.fillText(letters, PLATE.x + 6, PLATE.y + 32, PLATE.width - 12);
  return canvas.convertToBlob({ type: 'image/png' });
};
const overPlate = box('blur', 200 / 640, 150 / 480, 240 / 640, 60 / 480);
/** The green values inside the plate, a few pixels from its edge. */
const inPlate = (pixels: ImageData): number[] => {
  const values: number[] = [];
  for (let y = PLATE.y + 4; y < PLATE.y + PLATE.height - 4; y += 1)
    for (let x = PLATE.x + 4; x < PLATE.x + PLATE.width - 4; x += 1)
      values.push(green(pixels, x, y));
  return values;
};
const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
/** Of the differences between neighbours across: what letters are made of. */
const sharpness = (values: readonly number[]): number => {
  const wide = PLATE.width - 8;
  return mean(
    values.map((value, at) => (at % wide === 0 ? 0 : (value - (values[at - 1] ?? 0)) ** 2)),
  );
};
/** What an attacker compares: the same letters, and others, blurred by the same program. */
const correlation = (one: readonly number[], other: readonly number[]): number => {
  const [a, b] = [mean(one), mean(other)];
  let [ab, aa, bb] = [0, 0, 0];
  one.forEach((value, at) => {
    const [x, y] = [value - a, (other[at] ?? 0) - b];
    ab += x * y;
    aa += x * x;
    bb += y * y;
  });
  return ab / Math.sqrt(Math.max(1e-9, aa * bb));
};

describe('marks', () => {
  it('an ellipse changes its line and nothing inside it or far from it', async () => {
    const file = await make({ format: 'png', width: 800, height: 600 });
    // As JPEG too: what the format itself changes is no mark.
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
    // 0.5 of 1000 less 400 cut off: the white of the pin beside its number.
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
      ...{ orientation: 6, taken: '2026:03:04 05:06:07', offset: '+02:00', gps: true },
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
      ...{ orientation: 1, gps: null },
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
      ...{ keep_place: false, signal: stop.signal },
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
  }, 120_000);
});

describe('blur', () => {
  it('letters under it are gone: no edge is left, and they compare no better than others', async () => {
    const letters = ['B SP 1048', 'M XK 7731', 'W WW 1111', 'K QO 8080'];
    const plain = await Promise.all(
      letters.map(async (one) => inPlate(await pixelsOf(await plate(one)))),
    );
    const hidden = inPlate(
      await pixelsOf(await drawn(await plate(letters[0] ?? ''), edits(overPlate))),
    );
    const [own, ...others] = plain;
    if (own === undefined) return;
    // Letters have edges; what is left has passages only.
    expect(sharpness(own)).toBeGreaterThan(400);
    expect(sharpness(hidden)).toBeLessThan(sharpness(own) / 100);
    expect(Math.abs(correlation(own, hidden))).toBeLessThan(0.35);
    const best = Math.max(...others.map((other) => correlation(other, hidden)));
    expect(correlation(own, hidden) - best).toBeLessThan(0.2);
  });

  it('it goes up to the edge of its area, and one pixel on; nothing else changes', async () => {
    const file = await plate('B SP 1048');
    const before = await pixelsOf(file);
    const after = await pixelsOf(await drawn(file, edits(overPlate)));
    let elsewhere = 0;
    // JPEG works in blocks of 16 pixels: beyond those nothing may differ.
    for (let y = 0; y < 480; y += 1)
      for (let x = 0; x < 640; x += 1) {
        const near = x > 182 && x < 458 && y > 132 && y < 228;
        if (!near && Math.abs(green(before, x, y) - green(after, x, y)) > 6) elsewhere += 1;
      }
    expect(elsewhere).toBe(0);
  });

  it.each([12, 20, 40])('an area of %i pixels is destroyed too', async (side) => {
    const canvas = new OffscreenCanvas(400, 400);
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('no canvas');
    context.fillStyle = '#808080';
    context.fillRect(0, 0, 400, 400);
    // A checkerboard of two pixels: as sharp as a small face gets.
    for (let y = 0; y < side; y += 2)
      for (let x = 0; x < side; x += 2) {
        context.fillStyle = (x + y) % 4 === 0 ? '#000000' : '#ffffff';
        context.fillRect(160 + x, 160 + y, 2, 2);
      }
    const file = await canvas.convertToBlob({ type: 'image/png' });
    const blur = box('blur', 0.4, 0.4, side / 400, side / 400);
    const [before, after] = [await pixelsOf(file), await pixelsOf(await drawn(file, edits(blur)))];
    const edges = (pixels: ImageData) => {
      let sum = 0;
      for (let y = 162; y < 160 + side - 2; y += 1)
        for (let x = 162; x < 160 + side - 2; x += 1)
          sum += (green(pixels, x, y) - green(pixels, x - 1, y)) ** 2;
      return sum / (side - 4) ** 2;
    };
    expect(edges(before)).toBeGreaterThan(10_000);
    expect(edges(after)).toBeLessThan(150);
  });
});

describe('a marked photo of the form', () => {
  const formOn = (window: Awaited<ReturnType<typeof windows.start>>) =>
    new CaptureForm(window, {
      ...{ scope: owner, incident_id: 1, draft: null, row: null, definitions: [] },
      photo_settings: () => ({ photo_privacy: true, photo_size: 'original' }),
    });
  const photoIn = async (window: Awaited<ReturnType<typeof windows.start>>, draft_id: string) => {
    const file = await make({ format: 'png', width: 900, height: 600, noise: true });
    const taken = (await takeIn(window, { account: ACCOUNT, draft_id }, [file]))[0];
    if (!taken?.ok) throw new Error('refused');
    return { photo: taken.photo, file };
  };
  const value = <T>(result: { ok: true; value: T } | { ok: false }): T => {
    if (!result.ok) throw new Error(JSON.stringify(result));
    return result.value;
  };
  const mark = edits(box('blur', 0.2, 0.2, 0.4, 0.4));

  it('it is what is sent; the original stays in the spool, and taking the marks off brings it back', async () => {
    host.up = false;
    const window = await windows.start(host);
    const form = formOn(window);
    const { photo } = await photoIn(window, form.draft_id);
    const marked = value(await form.markUp(photo, mark));
    expect(marked).toMatchObject({
      edits: mark,
      ...{ content_type: 'image/jpeg', filename: `${photo.filename}.jpg` },
      original: { photo_id: photo.photo_id, sha256: photo.sha256 },
    });
    expect(marked.sha256).not.toBe(photo.sha256);
    // Drawn anew from the rendition: what was blurred is blurred in the list too.
    expect(marked.thumbnail?.size).not.toBe(photo.thumbnail?.size);
    expect([...host.spool.keys()].sort()).toEqual([photo.photo_id, marked.photo_id].sort());

    const more = value(
      await form.markUp(marked, edits(...mark.shapes, inTheMiddle('arrow', 'a', red))),
    );
    expect(more.original).toEqual(marked.original);
    expect([...host.spool.keys()].sort()).toEqual([photo.photo_id, more.photo_id].sort());

    const plain = value(await form.markUp(more, edits()));
    expect(plain).toMatchObject({
      ...{ photo_id: photo.photo_id, filename: photo.filename, sha256: photo.sha256 },
      content_type: 'image/png',
    });
    expect('edits' in plain || 'original' in plain).toBe(false);
    expect([...host.spool.keys()]).toEqual([photo.photo_id]);
  });

  it('neither another size nor stopping brings the original back in its place', async () => {
    host.up = false;
    const window = await windows.start(host);
    const form = formOn(window);
    const { photo } = await photoIn(window, form.draft_id);
    let row: PhotoRow = value(await form.markUp(photo, mark));
    for (const max_side of [null, 300]) {
      row = value(await form.resize(row, max_side));
      expect(row).toMatchObject({
        edits: { ...mark, max_side },
        original: { sha256: photo.sha256 },
      });
      expect(row.sha256).not.toBe(photo.sha256);
    }
    const stop = new AbortController();
    stop.abort();
    expect(await form.markUp(row, mark, { signal: stop.signal })).toMatchObject({ ok: false });
    expect(await window.db.photos.toArray()).toEqual([
      expect.objectContaining({ photo_id: row.photo_id }),
    ]);
  });

  it('queue and exported zip carry the rendition alone', async () => {
    host.up = false;
    const window = await windows.start(host);
    const form = formOn(window);
    const { photo, file } = await photoIn(window, form.draft_id);
    const marked = value(await form.markUp(photo, mark));
    const input = { ...owner, id: form.draft_id, fields: fieldsOf('Face in the picture') };
    value(await saveNearMiss(window, input));
    const entry = (await window.db.entries.toArray()).find(({ kind }) => kind === 'photo.send');
    expect(entry?.payload).toMatchObject({
      photo: { photo_id: marked.photo_id, sha256: marked.sha256 },
    });
    const { response } = await exportItems(window, ACCOUNT);
    const zip = new Uint8Array(await response.arrayBuffer());
    const holds = async (what: Blob): Promise<boolean> => {
      const bytes = new Uint8Array(await what.arrayBuffer());
      const from = Math.floor(bytes.length / 2);
      const piece = bytes.subarray(from, from + 64);
      for (let at = zip.indexOf(piece[0] ?? 0); at >= 0; at = zip.indexOf(piece[0] ?? 0, at + 1))
        if (piece.every((byte, offset) => zip[at + offset] === byte)) return true;
      return false;
    };
    const sent = host.spool.get(marked.photo_id);
    expect(sent).toBeDefined();
    expect(await holds(file)).toBe(false);
    const blob = await renderedOf(form, marked);
    expect(await holds(blob)).toBe(true);
  });

  /** The rendition's bytes from the spool. */
  const renderedOf = async (form: CaptureForm, row: PhotoRow): Promise<Blob> => {
    const { original: _none, ...itself } = row;
    return value(await form.original(itself));
  };

  it('an id of its own, in the order of its place in the list', async () => {
    host.up = false;
    const window = await windows.start(host);
    const form = formOn(window);
    const { photo } = await photoIn(window, form.draft_id);
    const marked = value(await form.markUp(photo, mark));
    expect(marked.photo_id.slice(0, 10)).toBe(photo.photo_id.slice(0, 10));
    expect(marked.photo_id < ulid(Date.now() + 1000)).toBe(true);
  });
});
