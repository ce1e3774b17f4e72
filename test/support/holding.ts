/** Searches stores for a text: files, zips and folders. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';

const MAGIC = Buffer.from([0x50, 0x4b, 3, 4]);
const entriesOf = async (zip: Buffer): Promise<Buffer[]> => {
  const reader = new ZipReader(new Uint8ArrayReader(zip));
  const texts: Buffer[] = [];
  for (const entry of await reader.getEntries())
    if (!entry.directory)
      texts.push(
        Buffer.from(await entry.getData(new Uint8ArrayWriter())),
        Buffer.from(entry.filename),
      );
  return texts;
};
/** True if the bytes, or a file in a zip of them, hold the text in either encoding, in any case of its first letter. */
export const holds = async (bytes: Buffer, text: string): Promise<boolean> => {
  const spellings = [text, text.toLowerCase(), text.toUpperCase()];
  const parts = bytes.subarray(0, 4).equals(MAGIC) ? await entriesOf(bytes) : [bytes];
  return parts.some((part) =>
    spellings.some((one) => part.includes(one) || part.includes(Buffer.from(one, 'utf16le'))),
  );
};
/** The files below a folder that hold the text. */
export const holding = async (folder: string, text: string): Promise<string[]> => {
  const found: string[] = [];
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    if (file.isFile() && (await holds(await readFile(path), text))) found.push(path);
  }
  return found;
};
