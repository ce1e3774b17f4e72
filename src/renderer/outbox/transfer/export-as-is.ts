/**
 * Exports a database that this version must not open, because a newer one wrote it (failures A28). The zip holds the
 * raw rows of every table and the bytes of the photos that they name. Only reads, so the database's version stays.
 */
import { downloadZip } from 'client-zip';
import { DB_NAME } from '../../data/db/db.ts';
import { originalChunks } from '../../data/photos/photos.ts';
import type { Host } from '../../host/client.ts';
import type { Export } from './export.ts';
import type { ExportNames } from './export-form.ts';

const asked = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('not read'));
  });

/** Opened without a version, so that nothing is upgraded. */
const readAll = async (name: string): Promise<Record<string, unknown[]>> => {
  const db = await asked(indexedDB.open(name));
  try {
    const stores: Record<string, unknown[]> = {};
    for (const store of db.objectStoreNames)
      stores[store] = await asked(db.transaction(store).objectStore(store).getAll());
    return stores;
  } finally {
    db.close();
  }
};

interface NamedPhoto {
  readonly photo_id: string;
  readonly size: number;
}

const isPhoto = (row: unknown): row is NamedPhoto =>
  typeof (row as Partial<NamedPhoto> | null)?.photo_id === 'string' &&
  typeof (row as Partial<NamedPhoto>).size === 'number';

async function* bytesOf(host: Host, photo: NamedPhoto) {
  for await (const part of originalChunks({ host }, photo)) {
    if (!part.ok) return;
    yield part.value;
  }
}

export const exportAsIs = async (
  host: Host,
  names: ExportNames,
  name: string = DB_NAME,
): Promise<Export> => {
  const stores = await readAll(name);
  const photos = (stores['photos'] ?? []).filter(isPhoto);
  const files = (async function* () {
    yield { name: `${names.data}.json`, input: JSON.stringify({ name, stores }, null, 2) };
    for (const photo of photos)
      yield { name: `${names.photos}/${photo.photo_id}`, input: bytesOf(host, photo) };
  })();
  const day = new Date().toISOString().slice(0, 10);
  return { filename: `${names.data}-${day}.zip`, response: downloadZip(files) };
};
