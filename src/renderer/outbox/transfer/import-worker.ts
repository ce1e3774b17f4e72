/**
 * Reads an export in a worker (import-reader.ts is the window's side). Rows are sent in small pieces and photos in
 * chunks on request, so that neither side buffers much and the window stays responsive.
 */
import '../../lockdown.ts';
import { openExportFile, type OpenedExport } from './export-file.ts';
import { RefusedFile } from './refused-file.ts';
import type { FromReader, ToReader } from './import-reader.ts';

/** Approximate JSON characters per message, which the window receives in a few milliseconds. */
const PIECE = 128 * 1024;

const say = (word: FromReader, transfer: Transferable[] = []): void =>
  postMessage(word, { transfer });

const handOver = (of: Extract<FromReader, { kind: 'rows' }>['of'], rows: readonly unknown[]) => {
  let piece: unknown[] = [];
  let size = 0;
  const give = (): void => {
    if (piece.length > 0) say({ kind: 'rows', of, rows: piece });
    piece = [];
    size = 0;
  };
  for (const row of rows) {
    piece.push(row);
    size += JSON.stringify(row).length;
    if (size >= PIECE) give();
  }
  give();
};

let opened: OpenedExport | null = null;

const open = async (file: Blob): Promise<FromReader> => {
  opened = await openExportFile(file);
  const { manifest, drafts, settings, originals } = opened;
  handOver('near_misses', manifest.near_misses);
  handOver('operations', manifest.operations);
  handOver('photos', manifest.photos);
  handOver('drafts', drafts.drafts);
  handOver('draft_photos', drafts.photos);
  handOver('originals', [...originals]);
  const { exported_at, account } = manifest;
  return { kind: 'opened', exported_at, account, settings };
};

let wanted = Promise.withResolvers<void>();

const pourOut = async (photo: { readonly path: string; readonly size: number }) => {
  await opened?.photo(photo, async (chunk) => {
    wanted = Promise.withResolvers();
    const copy = chunk.slice();
    say({ kind: 'chunk', bytes: copy }, [copy.buffer]);
    await wanted.promise;
  });
  return { kind: 'poured' } as const;
};

self.addEventListener('message', ({ data: word }: MessageEvent<ToReader>) => {
  if (word.kind === 'more') {
    wanted.resolve();
    return;
  }
  (word.kind === 'open' ? open(word.file) : pourOut(word)).then(say, (error: unknown) =>
    say(
      error instanceof RefusedFile
        ? { kind: 'refused', refusal: error.refusal }
        : { kind: 'failed', detail: String(error) },
    ),
  );
});
