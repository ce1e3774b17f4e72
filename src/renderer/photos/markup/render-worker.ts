/** Draws one photo with its marks at full size and answers it as JPEG, saying how far it is. See render.ts. */
import { chance } from './blur.ts';
import { drawEdits } from './draw.ts';
import { cropOf } from './model.ts';
import type { RenderJob, RenderNews } from './render.ts';

const tell = (news: RenderNews): void => postMessage(news);

const render = async ({ file, edits }: RenderJob): Promise<Blob> => {
  tell({ step: 'reading' });
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  tell({ step: 'drawing' });
  const crop = cropOf(edits);
  const left = Math.min(bitmap.width - 1, Math.round(crop.x * bitmap.width));
  const top = Math.min(bitmap.height - 1, Math.round(crop.y * bitmap.height));
  const wide = Math.max(1, Math.round((crop.x + crop.width) * bitmap.width) - left);
  const high = Math.max(1, Math.round((crop.y + crop.height) * bitmap.height) - top);
  const scale = Math.min(1, (edits.max_side ?? Infinity) / Math.max(wide, high));
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(wide * scale)),
    Math.max(1, Math.round(high * scale)),
  );
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('no canvas of this size');
  // JPEG knows no transparency.
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, left, top, wide, high, 0, 0, canvas.width, canvas.height);
  const frame = {
    left: -left * scale,
    top: -top * scale,
    width: bitmap.width * scale,
    height: bitmap.height * scale,
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
