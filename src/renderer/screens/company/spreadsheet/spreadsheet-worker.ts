/** Worker that reads one spreadsheet, so that no file blocks the window. */
import { readCsv } from './csv-read.ts';
import type { ReadAs, SheetRead } from './spreadsheet.ts';
import { isOldExcel, isZip, readXlsxSheet } from './xlsx-read.ts';

export interface ReadJob {
  readonly bytes: Uint8Array;
  readonly as: ReadAs;
}

const read = async ({ bytes, as }: ReadJob): Promise<SheetRead> => {
  if (isOldExcel(bytes)) return { ok: false, refusal: { kind: 'old_excel' } };
  return isZip(bytes) ? readXlsxSheet(bytes, as.sheet) : readCsv(bytes, as.encoding);
};

self.addEventListener('message', ({ data }: MessageEvent<ReadJob>) => {
  void read(data).then((answer) => postMessage(answer));
});
