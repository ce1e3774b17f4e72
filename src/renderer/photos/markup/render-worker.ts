/** Renders one photo with its markup at full size as JPEG and reports its progress. See render.ts. */
import { chance } from './blur.ts';
import { drawEdits, drawTurned } from './draw.ts';
import { cropOf } from './model.ts';
import type { RenderJob, RenderNews } from './render.ts';
import { turnedSize, turnOf, unturned } from './turn.ts';

const tell = (news: RenderNews): void => postMessage(news);

const render = async ({ file, edits }: RenderJob): Promise<Blob> => {
  tell({ step: 'reading' });
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  tell({ step: 'drawing' });
  const turn = turnOf(edits);
  const whole = turnedSize(bitmap, turn);
  const crop = cropOf(edits);
  const left = Math.min(whole.width - 1, Math.round(crop.x * whole.width));
  const top = Math.min(whole.height - 1, Math.round(crop.y * whole.height));
  const wide = Math.max(1, Math.round((crop.x + crop.width) * whole.width) - left);
  const high = Math.max(1, Math.round((crop.y + crop.height) * whole.height) - top);
  const scale = Math.min(1, (edits.max_side ?? Infinity) / Math.max(wide, high));
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(wide * scale)),
    Math.max(1, Math.round(high * scale)),
  );
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('no canvas of this size');
  // JPEG has no transparency.
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  const from = unturned({ x: left, y: top, width: wide, height: high }, whole, turn);
  drawTurned(context, bitmap, from, canvas, turn);
  const frame = {
    left: -left * scale,
    top: -top * scale,
    width: whole.width * scale,
    height: whole.height * scale,
  };
  bitmap.close();
  drawEdits(context, frame, edits, chance);
  tell({ step: 'writing' });
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
};

self.addEventListener('message', (message: MessageEvent<RenderJob>) => {
  render(message.data).then(
    (made) => tell({ step: 'done', made }),
    () => tell({ step: 'failed' }),
  );
});
