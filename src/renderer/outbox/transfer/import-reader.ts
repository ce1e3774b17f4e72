/**
 * Reads an export in a worker with a deadline, because the file may come from anybody. A worker that is silent for too
 * long, or crashes (a file made to fill the memory), is terminated and the file refused. The window stays responsive.
 */
import type { Settings } from '../../../contract/settings.ts';
import type { Drafts, ExportContent, Manifest } from './export-file.ts';
import { type ImportRefusal, RefusedFile } from './refused-file.ts';

export type ToReader =
  | { readonly kind: 'open'; readonly file: Blob }
  | { readonly kind: 'photo'; readonly path: string; readonly size: number }
  /** Backpressure: the chunk was consumed, send the next. */
  | { readonly kind: 'more' };

export type FromReader =
  | {
      readonly kind: 'rows';
      readonly of:
        'near_misses' | 'operations' | 'photos' | 'drafts' | 'draft_photos' | 'originals';
      readonly rows: readonly unknown[];
    }
  | {
      readonly kind: 'opened';
      readonly exported_at: string;
      readonly account: string;
      readonly settings: Partial<Settings> | null;
    }
  | { readonly kind: 'chunk'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'poured' }
  | { readonly kind: 'refused'; readonly refusal: ImportRefusal }
  | { readonly kind: 'failed'; readonly detail: string };

export interface ExportFile extends ExportContent {
  /** Streams a photo's original bytes, one photo at a time. @throws RefusedFile, or the error of `take` */
  photo(
    photo: { readonly path: string; readonly size: number },
    take: (chunk: Uint8Array<ArrayBuffer>) => Promise<void>,
  ): Promise<void>;
  /** Terminates the worker. Nothing can be read afterwards. */
  close(): void;
}

/** Timeout without a message from the worker, in milliseconds. The largest accepted file needs a tenth of it. */
const PATIENCE = 90_000;

/** Starts a worker and reads its messages one after the other. */
const startReader = (patience: number) => {
  const worker = new Worker(new URL('./import-worker.ts', import.meta.url), {
    type: 'module',
    name: 'import',
  });
  const words: FromReader[] = [];
  let over: ImportRefusal | null = null;
  let heard = Promise.withResolvers<void>();
  const hear = (word: FromReader): void => {
    words.push(word);
    heard.resolve();
  };
  const stop = (detail: string): void => {
    worker.terminate();
    over ??= { kind: 'stopped', detail };
    heard.resolve();
  };
  worker.addEventListener('message', ({ data }: MessageEvent<FromReader>) => hear(data));
  worker.addEventListener('error', (event) => stop(event.message || 'broke'));
  worker.addEventListener('messageerror', () => stop('unreadable'));

  return {
    ask: (word: ToReader): void => worker.postMessage(word),
    /** The next message. @throws RefusedFile */
    async word(): Promise<Exclude<FromReader, { kind: 'refused' | 'failed' }>> {
      const late = setTimeout(() => stop(`no word for ${patience} ms`), patience);
      try {
        while (words.length === 0 && over === null) {
          heard = Promise.withResolvers();
          await heard.promise;
        }
      } finally {
        clearTimeout(late);
      }
      const word = words.shift();
      if (word?.kind === 'failed') throw new Error(`reading an export: ${word.detail}`);
      if (word?.kind === 'refused') over ??= word.refusal;
      if (word !== undefined && word.kind !== 'refused') return word;
      worker.terminate();
      throw new RefusedFile(over?.kind ?? 'stopped', over?.detail);
    },
    close: (): void => stop('closed'),
  };
};

/** Opens a file without writing anything. @throws RefusedFile */
export const readExportFile = async (file: Blob, patience = PATIENCE): Promise<ExportFile> => {
  const reader = startReader(patience);
  const rows = {
    near_misses: [] as Manifest['near_misses'],
    operations: [] as Manifest['operations'],
    photos: [] as Manifest['photos'],
    drafts: [] as Drafts['drafts'],
    draft_photos: [] as Drafts['photos'],
    originals: [] as (readonly [string, number])[],
  };
  reader.ask({ kind: 'open', file });
  for (;;) {
    const word = await reader.word();
    // The worker validated the rows by their schema, and it is our own code.
    if (word.kind === 'rows') (rows[word.of] as unknown[]).push(...word.rows);
    if (word.kind !== 'opened') continue;
    const { near_misses, operations, photos, drafts, draft_photos, originals } = rows;
    const { exported_at, account, settings } = word;
    return {
      manifest: { exported_at, account, near_misses, operations, photos },
      drafts: { drafts, photos: draft_photos },
      settings,
      originals: new Map(originals),
      async photo({ path, size }, take) {
        reader.ask({ kind: 'photo', path, size });
        for (;;) {
          const next = await reader.word();
          if (next.kind === 'poured') return;
          if (next.kind !== 'chunk') continue;
          await take(next.bytes).catch((error: unknown) => {
            // The rest of a partly read photo would follow, so the reader is closed.
            reader.close();
            throw error;
          });
          reader.ask({ kind: 'more' });
        }
      },
      close: reader.close,
    };
  }
};
