/** Drawings that become plans are drawn in a worker, with the limits of every foreign file (decisions §17.2). */
import { expect, onTestFinished } from 'vitest';
import {
  createDrawingReader,
  type DrawingReader,
} from '../../../src/renderer/screens/company/plans/drawing-reader.ts';
import { pdfOf } from '../../support/drawings.ts';
import { slow } from '../../support/slow.ts';

const reader = (step_ms?: number): DrawingReader => {
  const made = createDrawingReader(step_ms);
  onTestFinished(() => made.stop());
  return made;
};
const pdf = (...texts: string[]) => new Blob([pdfOf(texts, [842, 595])]);
const valueOf = <T>(read: { ok: true; value: T } | { ok: false; why: string }): T => {
  if (!read.ok) throw new Error(read.why);
  return read.value;
};
/** The share of pixels that are not white. */
const inkOf = async (blob: Blob): Promise<{ width: number; height: number; ink: number }> => {
  const bitmap = await createImageBitmap(blob);
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext('2d');
  context?.drawImage(bitmap, 0, 0);
  const { data } = context?.getImageData(0, 0, width, height) ?? { data: new Uint8ClampedArray() };
  let ink = 0;
  for (let at = 0; at < data.length; at += 4) if ((data[at + 1] ?? 255) < 128) ink += 1;
  return { width, height, ink: ink / (width * height) };
};

slow('decisions §17.2: a page of a PDF is drawn in three sizes', async () => {
  const drawing = reader();
  expect(valueOf(await drawing.open(pdf('one', 'two')))).toMatchObject({ pages: 2, is_pdf: true });
  const preview = await inkOf(valueOf(await drawing.preview(2)).picture);
  expect(preview.width).toBe(320);
  const { pictures } = valueOf(await drawing.draw(2));
  const looks = await Promise.all(pictures.map(inkOf));
  expect(looks.map(({ width, height }) => [width, height])).toEqual([
    [1024, 724],
    [2560, 1809],
    [5120, 3618],
  ]);
  // A red rectangle of 120 by 90 and a frame.
  for (const { ink } of looks) expect(ink).toBeGreaterThan(0.02);
});

slow(
  'decisions §17.2: a picture keeps its size up to the largest, and none is made larger',
  async () => {
    const canvas = new OffscreenCanvas(1500, 1000);
    canvas.getContext('2d')?.fillRect(0, 0, 750, 1000);
    const drawing = reader();
    const file = await canvas.convertToBlob({ type: 'image/jpeg' });
    expect(valueOf(await drawing.open(file))).toMatchObject({ pages: 1, is_pdf: false });
    const looks = await Promise.all(valueOf(await drawing.draw(1)).pictures.map(inkOf));
    expect(looks.map(({ width }) => width)).toEqual([1024, 1500]);
  },
);

slow(
  'decisions §17.2: what is no drawing, or a damaged one, is refused with its reason',
  async () => {
    const refused = async (parts: BlobPart[]) => {
      const read = await reader().open(new Blob(parts));
      return read.ok ? null : read.why;
    };
    expect(await refused(['<svg/>'])).toBe('other');
    expect(await refused(['%PDF-1.7\nnothing'])).toBe('damaged');
    expect(
      await refused([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])]),
    ).not.toBeNull();
    expect(await refused([new Uint8Array(50 * 1024 * 1024 + 1)])).toBe('too_big');
    const many = await reader().open(pdf(...Array.from({ length: 201 }, (_, at) => String(at))));
    expect(many).toEqual({ ok: false, why: 'too_many_pages' });
  },
);

slow('decisions §17.2: a drawing that hangs ends its worker, and the window is told', async () => {
  const drawing = reader(0);
  expect(await drawing.open(pdf('one'))).toEqual({ ok: false, why: 'stopped' });
  expect(await drawing.draw(1)).toEqual({ ok: false, why: 'stopped' });
});
