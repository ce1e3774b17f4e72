/**
 * An export as the window reads it: in a worker with a deadline, because the file may come from anybody. A worker that is silent
 * for too long, or breaks (a file made to fill the memory), is ended, and the file is refused; the window goes on meanwhile.
 */
import type { Settings } from '../../contract/settings.ts';
import type { Drafts, ExportContent, Manifest } from './export-file.ts';
import { type ImportRefusal, RefusedFile } from './refused-file.ts';

export type ToReader =
  | { readonly kind: 'open'; readonly file: Blob }
  | { readonly kind: 'photo'; readonly path: string; readonly size: number }
  /** The chunk was taken: the next one, please. */
  | { readonly kind: 'more' };

export type FromReader =
  | {
      readonly kind: 'rows';
      readonly of: 'near_misses' | 'entries' | 'photos' | 'drafts' | 'draft_photos' | 'originals';
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
  /** Streams a photo's original bytes. One at a time. @throws RefusedFile, or what `take` throws */
  photo(
    photo: { readonly path: string; readonly size: number },
    take: (chunk: Uint8Array<ArrayBuffer>) => Promise<void>,
  ): Promise<void>;
  /** The worker ends. Nothing can be read after it. */
  close(): void;
}

/** How long the worker may be without a word, milliseconds. The largest file that is taken needs a tenth of it. */
const PATIENCE = 90_000;

/** One worker, and its words one after the other. */
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
    /** The next word. @throws RefusedFile */
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

/** Looks into a file; nothing is written anywhere. @throws RefusedFile */
export const readExportFile = async (file: Blob, patience = PATIENCE): Promise<ExportFile> => {
  const reader = startReader(patience);
  const rows = {
    near_misses: [] as Manifest['near_misses'],
    entries: [] as Manifest['entries'],
    photos: [] as Manifest['photos'],
    drafts: [] as Drafts['drafts'],
    draft_photos: [] as Drafts['photos'],
    originals: [] as (readonly [string, number])[],
  };
  reader.ask({ kind: 'open', file });
  for (;;) {
    const word = await reader.word();
    // Parsed by the schema on the other side: a worker of the program's own.
    if (word.kind === 'rows') (rows[word.of] as unknown[]).push(...word.rows);
    if (word.kind !== 'opened') continue;
    const { near_misses, entries, photos, drafts, draft_photos, originals } = rows;
    const { exported_at, account, settings } = word;
    return {
      manifest: { exported_at, account, near_misses, entries, photos },
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
            // Half a photo is on its way: what comes next would be its rest.
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
