/** The page of the formats proof: generates files, reads each as the app does, and watches its main thread meanwhile. */
import { downloadZip } from 'client-zip';
import fc from 'fast-check';
import { readExportFile } from '../../../../src/renderer/outbox/transfer/import-reader.ts';
import { RefusedFile } from '../../../../src/renderer/outbox/transfer/refused-file.ts';
import { inspect } from '../../../../src/renderer/photos/formats/inspect.ts';
import { readMetadata } from '../../../../src/renderer/photos/metadata.ts';
import { askWorker } from '../../../../src/renderer/photos/work.ts';
import { hostilePhotos } from '../../../support/hostile-photos.ts';

export interface Played {
  readonly files: number;
  /** Longest block of the main thread while files were read, milliseconds. */
  readonly longest: number;
  /** Readers that were ended at their deadline or crashed. */
  readonly stopped: number;
  readonly failures: readonly string[];
}

type Read = (bytes: Uint8Array<ArrayBuffer>) => Promise<boolean>;

/** True if the reader finished and was not ended. */
const readPhoto: Read = async (bytes) => {
  const seen = await inspect(new Blob([bytes]));
  await readMetadata(seen);
  return !(seen.stripped.kind === 'unsafe' && seen.stripped.reason === 'stopped');
};

const readExport: Read = async (bytes) => {
  try {
    (await readExportFile(new Blob([bytes]))).close();
    return true;
  } catch (error) {
    if (!(error instanceof RefusedFile)) throw error;
    return error.refusal.kind !== 'stopped';
  }
};

const csvReader = () =>
  new Worker(
    new URL(
      '../../../../src/renderer/screens/company/spreadsheet/spreadsheet-worker.ts',
      import.meta.url,
    ),
    {
      type: 'module',
      name: 'csv',
    },
  );
const readCsvFile: Read = async (bytes) =>
  (await askWorker<Uint8Array, unknown>(csvReader, bytes, 30_000)) !== null;

const csv = fc
  .array(
    fc.oneof(
      fc.string({ maxLength: 30 }),
      fc.constantFrom('"', ',', ';', '\t', '\n', '\r\n', '""'),
    ),
    {
      maxLength: 200,
    },
  )
  .map((parts) => new TextEncoder().encode(parts.join('')));

const rows = fc.array(
  fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom('id', 'key', 'lane', 'kind'), fc.jsonValue()),
  ),
  { maxLength: 5 },
);
const manifest = fc.record(
  {
    format: fc.constantFrom('spotter-waiting', 'spotter-waiting', 'x'),
    version: fc.oneof(fc.constantFrom(1, 2, 3), fc.jsonValue()),
    exported_at: fc.string(),
    account: fc.string(),
    near_misses: rows,
    entries: rows,
    photos: rows,
  },
  { requiredKeys: ['format', 'version'] },
);

interface Kind {
  readonly files: fc.Arbitrary<unknown>;
  readonly read: Read;
  /** For formats with asynchronously built bytes. */
  readonly bytes?: (drawn: never) => Promise<Uint8Array<ArrayBuffer>>;
}

const zipped = async ([value, drafts, changes]: [unknown, unknown, [number, number][]]) => {
  const blob = await downloadZip([
    { name: 'spotter.json', input: JSON.stringify(value) },
    { name: 'drafts.json', input: JSON.stringify(drafts) },
  ]).blob();
  const out = new Uint8Array(await blob.arrayBuffer());
  for (const [at, byte] of changes) out[at % out.length] = byte;
  return out;
};

const kinds: Readonly<Record<string, Kind>> = {
  ...Object.fromEntries(
    Object.entries(hostilePhotos).map(([name, files]) => [name, { files, read: readPhoto }]),
  ),
  csv: { files: csv, read: readCsvFile },
  export: {
    files: fc.tuple(
      manifest,
      fc.jsonValue(),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 2 }),
    ),
    read: readExport,
    bytes: zipped,
  },
};

/** Plays a batch of a kind's files. They are generated before the watch begins, because generation is not measured. */
const play = async (name: string, seed: number, count: number): Promise<Played> => {
  const kind = kinds[name];
  if (kind === undefined) throw new Error(name);
  const drawn = fc.sample(kind.files, { seed, numRuns: count });
  const files: Uint8Array<ArrayBuffer>[] = [];
  for (const one of drawn)
    files.push(kind.bytes ? await kind.bytes(one as never) : (one as Uint8Array<ArrayBuffer>));
  // Garbage of the generation is collected first, because it is not the readers' cost.
  globalThis.gc?.();
  let longest = 0;
  let stopped = 0;
  const failures: string[] = [];
  const watch = new PerformanceObserver((list) => {
    for (const task of list.getEntries()) longest = Math.max(longest, task.duration);
  });
  await new Promise((resolve) => setTimeout(resolve));
  watch.observe({ type: 'longtask' });
  const waiting = [...files.entries()];
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [at, bytes] = next;
      await kind.read(bytes).then(
        (answered) => {
          if (!answered) stopped += 1;
        },
        (error: unknown) => failures.push(`${name} seed ${seed} file ${at}: ${String(error)}`),
      );
    }
  };
  await Promise.all([lane(), lane()]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  watch.disconnect();
  return { files: files.length, longest, stopped, failures };
};

declare global {
  interface Window {
    formats: { readonly names: readonly string[]; readonly play: typeof play };
  }
}
window.formats = { names: Object.keys(kinds), play };
