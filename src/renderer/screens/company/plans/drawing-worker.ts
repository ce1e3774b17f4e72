/**
 * Worker that draws one drawing, a PNG, a JPEG or a PDF, as pictures in several sizes. A PDF is a foreign program: it is parsed and
 * drawn here and nowhere else, in a thread without a page, without eval, WebAssembly, scripts, forms or links, and the window ends the
 * thread when it takes too long (drawing-reader.ts). The other laptops only get the pictures.
 */
import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist';
import 'pdfjs-dist/build/pdf.worker.mjs';
import { look } from '../../../photos/formats/look.ts';
import { CanvasFactory, FilterFactory } from './pdf-canvas.ts';
import {
  DRAWING_MAX_PAGES,
  DRAWING_MAX_PIXELS,
  PREVIEW_SIDE,
  SIDES,
  type DrawingRefusal,
  type FromDrawing,
  type ToDrawing,
} from './drawing.ts';

class Refused extends Error {
  readonly why: DrawingRefusal;
  constructor(why: DrawingRefusal) {
    super(why);
    this.why = why;
  }
}

/** Decoders of scanned drawings (src/setup/window/window-files.ts), beside the folder of this worker. */
const DECODERS = new URL('../pdf/', location.href).href;

/** A page that can be drawn with a longest side, on white. */
interface Sheet {
  /** The longest side that shows all of it; null if it has no limit (lines and letters). */
  readonly side: number | null;
  draw(side: number): Promise<OffscreenCanvas>;
}

interface Drawing {
  readonly pages: number;
  readonly is_pdf: boolean;
  sheet(page: number): Promise<Sheet>;
}

const paper = (width: number, height: number): OffscreenCanvas => {
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(width)),
    Math.max(1, Math.round(height)),
  );
  const context = canvas.getContext('2d', { alpha: false });
  if (context === null) throw new Refused('stopped');
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  return canvas;
};

const openPicture = async (file: Blob): Promise<Drawing> => {
  const { pixels } = await look(file);
  if (pixels === null) throw new Refused('damaged');
  if (pixels.width * pixels.height > DRAWING_MAX_PIXELS) throw new Refused('too_many_pixels');
  const longest = Math.max(pixels.width, pixels.height);
  const draw = async (side: number): Promise<OffscreenCanvas> => {
    // Scaled while it is decoded, so that the whole is not kept beside it.
    const bitmap = await createImageBitmap(file, {
      imageOrientation: 'from-image',
      ...(side < longest
        ? { resizeWidth: Math.round((pixels.width * side) / longest), resizeQuality: 'high' }
        : {}),
    });
    const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
    const canvas = paper(bitmap.width * scale, bitmap.height * scale);
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    return canvas;
  };
  return { pages: 1, is_pdf: false, sheet: async () => ({ side: longest, draw }) };
};

const openPdf = async (file: Blob): Promise<Drawing> => {
  const loading = getDocument({
    data: new Uint8Array(await file.arrayBuffer()),
    CanvasFactory,
    FilterFactory,
    // Letters are drawn as lines: no font of the file reaches the browser.
    disableFontFace: true,
    useSystemFonts: true,
    useWasm: false,
    wasmUrl: DECODERS,
    enableXfa: false,
    maxImageSize: DRAWING_MAX_PIXELS,
    canvasMaxAreaInBytes: 4 * DRAWING_MAX_PIXELS,
    disableWorkerRendering: true,
    useWorkerFetch: false,
    verbosity: 0,
  });
  const document: PDFDocumentProxy = await loading.promise.catch((error: unknown) => {
    throw new Refused((error as Error).name === 'PasswordException' ? 'locked' : 'damaged');
  });
  if (document.numPages > DRAWING_MAX_PAGES) throw new Refused('too_many_pages');
  const sheet = async (number: number): Promise<Sheet> => {
    const page = await document.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    if (!(width > 0 && height > 0)) throw new Refused('damaged');
    const draw = async (side: number): Promise<OffscreenCanvas> => {
      const viewport = page.getViewport({ scale: side / Math.max(width, height) });
      const canvas = paper(viewport.width, viewport.height);
      await page.render({
        canvas: null,
        canvasContext: canvas.getContext('2d') as unknown as CanvasRenderingContext2D,
        viewport,
        // As on paper: no form that can be filled in, no note that opens.
        intent: 'print',
      }).promise;
      page.cleanup();
      return canvas;
    };
    return { side: null, draw };
  };
  return { pages: document.numPages, is_pdf: true, sheet };
};

const open = async (file: Blob): Promise<Drawing> => {
  const head = new Uint8Array(await file.slice(0, 1024).arrayBuffer());
  if (String.fromCharCode(...head).includes('%PDF-')) return openPdf(file);
  const { type } = await look(file);
  if (type !== 'image/png' && type !== 'image/jpeg') throw new Refused('other');
  return openPicture(file);
};

/** Lines stay sharp as PNG. A drawing that is a photo becomes too large that way. */
const PNG_MAX_BYTES = 8 * 1024 * 1024;

const encoded = async (canvas: OffscreenCanvas): Promise<Blob> => {
  const png = await canvas.convertToBlob({ type: 'image/png' });
  if (png.size <= PNG_MAX_BYTES) return png;
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 });
};

const sidesOf = ({ side }: Sheet): readonly number[] => {
  if (side === null) return SIDES;
  const largest = Math.min(side, SIDES[SIDES.length - 1] ?? side);
  return [...SIDES.filter((one) => one < largest * 0.8), largest];
};

let drawing: Drawing | null = null;

const answer = async (asked: ToDrawing): Promise<FromDrawing> => {
  if (asked.kind === 'open') {
    drawing = await open(asked.file);
    return { kind: 'opened', pages: drawing.pages, is_pdf: drawing.is_pdf };
  }
  if (drawing === null) throw new Refused('damaged');
  const sheet = await drawing.sheet(asked.page);
  if (asked.kind === 'preview') {
    const canvas = await sheet.draw(Math.min(PREVIEW_SIDE, sheet.side ?? PREVIEW_SIDE));
    return { kind: 'preview', picture: await canvas.convertToBlob({ type: 'image/png' }) };
  }
  const pictures: Blob[] = [];
  for (const side of sidesOf(sheet)) pictures.push(await encoded(await sheet.draw(side)));
  return { kind: 'drawn', pictures };
};

self.addEventListener('message', ({ data }: MessageEvent<ToDrawing>) => {
  answer(data)
    .catch((error: unknown): FromDrawing => ({
      kind: 'refused',
      why: error instanceof Refused ? error.why : 'damaged',
    }))
    .then((said) => postMessage(said));
});
