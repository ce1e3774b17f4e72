/**
 * Opens a drawing in its worker and draws pages of it, one at a time. A step that takes too long ends the worker, and with it the
 * reader: a foreign file may be made to hang.
 */
import {
  DRAWING_MAX_BYTES,
  type DrawingRefusal,
  type FromDrawing,
  type ToDrawing,
} from './drawing.ts';

/** Milliseconds for one step; the largest page takes a few seconds. */
const STEP_MS = 60_000;

type Read<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: DrawingRefusal };

type Kind = Exclude<FromDrawing['kind'], 'refused'>;
type Said<K extends Kind> = Extract<FromDrawing, { kind: K }>;

export interface DrawingReader {
  open(file: Blob): Promise<Read<Said<'opened'>>>;
  preview(page: number): Promise<Read<Said<'preview'>>>;
  draw(page: number): Promise<Read<Said<'drawn'>>>;
  stop(): void;
}

const startWorker = (): Worker =>
  new Worker(new URL('./drawing-worker.ts', import.meta.url), { type: 'module', name: 'drawing' });

export const createDrawingReader = (step_ms = STEP_MS): DrawingReader => {
  let worker: Worker | null = null;
  let stopped = false;
  let last: Promise<unknown> = Promise.resolve();

  const stop = (): void => {
    stopped = true;
    worker?.terminate();
    worker = null;
  };

  const step = (asked: ToDrawing): Promise<FromDrawing> =>
    new Promise((resolve) => {
      if (stopped) return resolve({ kind: 'refused', why: 'stopped' });
      const used = (worker ??= startWorker());
      const end = (said: FromDrawing): void => {
        clearTimeout(timer);
        used.onmessage = used.onerror = null;
        resolve(said);
      };
      const give_up = (): void => {
        stop();
        end({ kind: 'refused', why: 'stopped' });
      };
      const timer = setTimeout(give_up, step_ms);
      used.onmessage = ({ data }: MessageEvent<FromDrawing | { readonly kind?: undefined }>) => {
        // pdf.js greets whoever began a worker that holds it.
        if (data.kind !== undefined) end(data);
      };
      used.onerror = give_up;
      used.postMessage(asked);
    });

  const ask = async <K extends Kind>(asked: ToDrawing, kind: K): Promise<Read<Said<K>>> => {
    const mine = last.then(() => step(asked));
    last = mine;
    const said = await mine;
    if (said.kind === 'refused') return { ok: false, why: said.why };
    if (said.kind !== kind) return { ok: false, why: 'damaged' };
    return { ok: true, value: said as Said<K> };
  };

  return {
    open: async (file) =>
      file.size > DRAWING_MAX_BYTES
        ? { ok: false, why: 'too_big' }
        : ask({ kind: 'open', file }, 'opened'),
    preview: (page) => ask({ kind: 'preview', page }, 'preview'),
    draw: (page) => ask({ kind: 'draw', page }, 'drawn'),
    stop,
  };
};
