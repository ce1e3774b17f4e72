/** Draws marks on a picture with the real worker and reads the resulting pixels. */
import { begun, noEdits, type Edits, type Shape } from '../../src/renderer/photos/markup/model.ts';
import { renderMarkup } from '../../src/renderer/photos/markup/render.ts';

export const red = { colour: 'red', size: 2 } as const;
export const edits = (...shapes: Shape[]): Edits => ({ ...noEdits(null), shapes });
export const box = (
  kind: 'blur' | 'crop' | 'ellipse',
  x: number,
  y: number,
  w: number,
  h: number,
) => begun(kind, kind, red, { x, y }, { x: x + w, y: y + h });

export const pixelsOf = async (file: Blob): Promise<ImageData> => {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  if (context === null) throw new Error('no canvas');
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, bitmap.width, bitmap.height);
};
export const drawn = async (file: Blob, what: Edits, keep_place = false): Promise<Blob> => {
  const made = await renderMarkup(file, what, { keep_place });
  if (!made.ok) throw new Error(JSON.stringify(made.problem));
  return made.value;
};
export const green = ({ data, width }: ImageData, x: number, y: number): number =>
  data[(Math.round(y) * width + Math.round(x)) * 4 + 1] ?? 0;
