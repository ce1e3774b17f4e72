/** Zip bombs, written with deflate as another program would write them. */
import { BlobWriter, Uint8ArrayReader, TextReader, ZipWriter } from '@zip.js/zip.js';

interface Named {
  readonly name: string;
  readonly input: Uint8Array<ArrayBuffer>;
}

const zip = async (fill: (writer: ZipWriter<Blob>) => Promise<unknown>): Promise<Blob> => {
  const writer = new ZipWriter(new BlobWriter('application/zip'), {
    useWebWorkers: false,
    useCompressionStream: true,
  });
  await fill(writer);
  return writer.close();
};

/** A stream of `size` zero bytes, generated while it is read. */
const zeros = (size: number): ReadableStream<Uint8Array> => {
  let left = size;
  const chunk = new Uint8Array(1024 * 1024);
  return new ReadableStream({
    pull(controller) {
      if (left <= 0) controller.close();
      else controller.enqueue(chunk);
      left -= chunk.length;
    },
  });
};

export const bombs = async (manifest: object, files: readonly Named[], manifest_name: string) => ({
  manifest: await zip((writer) => writer.add(manifest_name, zeros(40 * 1024 * 1024))),
  photo: await zip(async (writer) => {
    for (const { name } of files)
      await writer.add(name, new Uint8ArrayReader(new Uint8Array(50 * 1024 * 1024)));
    await writer.add(manifest_name, new TextReader(JSON.stringify(manifest)));
  }),
});

/** A JSON file of `size` bytes with nothing but small values, generated while it is read. */
export const jsonBomb = (name: string, size: number): Promise<Blob> => {
  const chunk = new TextEncoder().encode('{},'.repeat(350_000));
  let left = size;
  const values = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('['));
    },
    pull(controller) {
      if (left <= 0) controller.close();
      else controller.enqueue(chunk);
      left -= chunk.length;
    },
  });
  return zip((writer) => writer.add(name, values));
};
