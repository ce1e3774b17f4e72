/** Saves a database that this version cannot open as a file. Loaded on demand. */
import { exportAsIs } from '../../outbox/transfer/export-as-is.ts';
import { saveBlob } from '../../parts/save.ts';
import { fileNames } from '../../words/files.ts';

export const saveStoreCopy = async (host: Parameters<typeof exportAsIs>[0]): Promise<void> => {
  const made = await exportAsIs(host, fileNames());
  saveBlob(await made.response.blob(), made.filename);
};
