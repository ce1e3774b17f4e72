/** A database that this version may not open, saved as a file. Loaded when somebody asks for it. */
import { exportAsIs } from '../outbox/export-as-is.ts';
import { saveBlob } from '../parts/save.ts';
import { fileNames } from '../words/files.ts';

export const saveStoreCopy = async (host: Parameters<typeof exportAsIs>[0]): Promise<void> => {
  const made = await exportAsIs(host, fileNames());
  saveBlob(await made.response.blob(), made.filename);
};
