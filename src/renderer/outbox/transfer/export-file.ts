/**
 * Reads an export file, which may come from anybody and is not trusted. The zip's directory is checked before its
 * content. JSON is counted while it is decompressed (bytes, values, depth), because a value costs fifty times its byte.
 * It is then validated by a schema.
 * Every size is limited by its declared size and by what a laptop can hold, so that a small file can fill neither disk
 * nor memory. Photos are streamed, never whole in memory. Runs in a worker (import-reader.ts).
 */
import {
  BlobReader,
  ERR_UNSAFE_FILENAME,
  ZipReader,
} from '@zip.js/zip.js/lib/zip-core-external.js';
import { z } from 'zod';
import { problemSchema } from '../../../contract/problem.ts';
import { ulidSchema } from '../../../contract/host.ts';
import { type Settings, settingsChange } from '../../../contract/settings.ts';
import {
  byShownName,
  eachField,
  lookupFields,
  textFields,
} from '../../../contract/rest/near-miss-fields.ts';
import { nearMiss } from '../../../contract/rest/near-misses.ts';
import { companyLaneOf } from '../../data/model/lanes.ts';
import { carriedPhoto } from '../../operations/carried-photo.ts';
import { tmEntryOf } from '../../data/company/tm-rows.ts';
import {
  DRAFTS_NAME,
  EXPORT_FORMAT,
  EXPORT_VERSION,
  MANIFEST_NAME,
  SETTINGS_NAME,
} from './export-form.ts';
import { RefusedFile } from './refused-file.ts';

/** The largest export: 10,000 records with their photos, with room to spare. */
const FILES_MAX = 60_000;
/** The most bytes of decompressed JSON: the longest realistic queue, at some kilobytes per item. */
const MANIFEST_MAX = 128 * 1024 * 1024;
const SETTINGS_MAX = 1024 * 1024;
/** The most values in the JSON (numbers, texts, lists, …); each costs about fifty bytes of memory. */
const VALUES_MAX = 4_000_000;
const DEPTH_MAX = 64;
/** The most rows of a kind. */
const ROWS_MAX = 60_000;
/** The most bytes of one operation or record as JSON, which is what a journal line holds. */
const ROW_MAX = 4 * 1024 * 1024;
const PHOTO_MAX = 10_000 * 1024 * 1024;
const NAME_MAX = 300;

const id = z.number().int().positive();
const key = z.string().regex(/^(?:[0-7][0-9A-HJKMNP-TV-Z]{25}|srv-[0-9a-z]{1,20}-\d{1,16})$/);
/** True for lanes without a near miss: files of a time-and-material entry, or a company's own records. */
const hasNoRow = (given: string): boolean =>
  tmEntryOf(given) !== null || companyLaneOf(given) !== null;
const lane = key.or(z.string().max(200).refine(hasNoRow));
const unknownRecord = z.record(z.string(), z.unknown());
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const name = z.string().max(1000);
/** Fields of a photo in the file beside its portable form. */
const inFile = { path: z.string().max(NAME_MAX), whole: z.boolean(), created_at: z.number() };
const filePhoto = carriedPhoto.extend({ sha256, size: id, ...inFile });

const fields = z.object({
  /** Negative: opened on that laptop. */
  incident_id: z.number().int(),
  description: z.string().max(1024 * 1024),
  ...eachField(lookupFields, () => id.nullable()),
  // A file from before the field lacks it.
  ...eachField(textFields, () =>
    z
      .string()
      .max(1024 * 1024)
      .optional(),
  ),
  custom_fields: unknownRecord,
});

const manifestSchema = z.object({
  exported_at: z.string().max(40),
  account: z.string().min(1).max(500),
  near_misses: z.array(
    z.object({
      key,
      company_id: id,
      project_id: id,
      server_id: id.nullable(),
      fields,
      server: nearMiss.nullable(),
      created_at: z.number(),
      updated_at: z.number(),
      removed_at: z.number().nullable(),
      full_number: name.optional(),
      names: z
        .object({
          incident: name,
          ...byShownName(() => name),
        })
        .optional(),
    }),
  ),
  operations: z.array(
    z.object({
      id: ulidSchema,
      lane,
      kind: z.string().max(100),
      version: id,
      seq: z.number().int().nonnegative(),
      created_at: z.number(),
      payload: unknownRecord,
      state: z.enum(['waiting', 'sending', 'parked']),
      attempts: z.number().int().nonnegative(),
      last_problem: problemSchema.nullable().catch(null),
      checkpoint: unknownRecord,
      photo_pace: z.enum(['paused', 'now']).optional(),
    }),
  ),
  photos: z.array(filePhoto.extend({ near_miss_key: lane, state: z.string() })),
});
export type Manifest = z.infer<typeof manifestSchema>;
export type ManifestEntry = Manifest['operations'][number];
export type FilePhoto = z.infer<typeof filePhoto>;

const baseField = z.object({ shown: z.unknown(), server: z.unknown().optional() });

const draftsSchema = z.object({
  drafts: z.array(
    z.object({
      id: z.string().min(1).max(200),
      edits: z.string().max(200).optional(),
      account: z.string().min(1).max(500),
      company_id: id,
      project_id: id,
      fields: fields.partial(),
      base_fields: z.record(z.string().max(200), baseField).optional(),
      created_at: z.number(),
      updated_at: z.number(),
    }),
  ),
  photos: z.array(filePhoto.extend({ draft_id: z.string().max(200) })),
});
export type Drafts = z.infer<typeof draftsSchema>;

type ZipEntry = Awaited<ReturnType<InstanceType<typeof ZipReader>['getEntries']>>[number];
type ZipFile = Extract<ZipEntry, { readonly directory: false }>;

const NATIVE = { useWebWorkers: false, useCompressionStream: true, checkCrc32: true } as const;

/** True for a name that could leave the target folder, here or when unpacked elsewhere, or that disguises its type. */
const isHostile = (given: string): boolean =>
  given.length > NAME_MAX ||
  /^[/\\]|\\|^[A-Za-z]:|[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/.test(given) ||
  given.split('/').some((part) => part === '..' || part === '.');

/** Streams one file of the zip, at most `max` bytes of it. @throws RefusedFile */
const pour = async (
  file: ZipFile,
  max: number,
  take: (chunk: Uint8Array<ArrayBuffer>) => Promise<void> | void,
): Promise<void> => {
  let size = 0;
  const sink = new WritableStream<Uint8Array<ArrayBuffer>>({
    async write(chunk) {
      size += chunk.length;
      if (size > max) throw new RefusedFile('too_big', file.filename);
      await take(chunk);
    },
  });
  try {
    await file.getData(sink, { ...NATIVE, checkOverlappingEntry: true });
  } catch (error) {
    if (size > max) throw new RefusedFile('too_big', file.filename);
    throw error instanceof RefusedFile ? error : new RefusedFile('damaged', file.filename);
  }
};

/** Reads and checks the zip's directory. @throws RefusedFile */
const directory = async (zip: InstanceType<typeof ZipReader>): Promise<Map<string, ZipFile>> => {
  const files = new Map<string, ZipFile>();
  try {
    for await (const file of zip.getEntriesGenerator()) {
      const { filename } = file;
      if (isHostile(filename))
        throw new RefusedFile('hostile', JSON.stringify(filename).slice(0, 80));
      if (file.encrypted) throw new RefusedFile('hostile', filename);
      if (files.size >= FILES_MAX) throw new RefusedFile('too_big', `${FILES_MAX}+`);
      if (file.directory) continue;
      if (files.has(filename)) throw new RefusedFile('hostile', filename);
      files.set(filename, file);
    }
  } catch (error) {
    if (error instanceof RefusedFile) throw error;
    const unsafe = error instanceof Error && error.message === ERR_UNSAFE_FILENAME;
    const named = unsafe && 'filename' in error ? String(error.filename) : '';
    throw new RefusedFile(unsafe ? 'hostile' : 'not_zip', named.slice(0, 80));
  }
  return files;
};

/** Counts the values and the depth of a JSON text while its bytes are read. @throws RefusedFile */
const valueCounter = (where: string): ((chunk: Uint8Array) => void) => {
  let values = 0;
  let depth = 0;
  let inText = false;
  let escaped = false;
  return (chunk) => {
    for (const byte of chunk) {
      if (inText) {
        if (escaped) escaped = false;
        else if (byte === 0x5c) escaped = true;
        else if (byte === 0x22) inText = false;
        continue;
      }
      if (byte === 0x22) inText = true;
      else if (byte === 0x2c) values += 1;
      else if (byte === 0x5b || byte === 0x7b) {
        values += 1;
        depth += 1;
      } else if (byte === 0x5d || byte === 0x7d) depth -= 1;
      if (values > VALUES_MAX || depth > DEPTH_MAX) throw new RefusedFile('too_big', where);
    }
  };
};

const readJson = async (file: ZipFile, max: number): Promise<unknown> => {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const count = valueCounter(file.filename);
  await pour(file, max, (chunk) => {
    count(chunk);
    parts.push(chunk);
  });
  try {
    return JSON.parse(await new Blob(parts).text()) as unknown;
  } catch {
    throw new RefusedFile('damaged', file.filename);
  }
};

/** Validates lists by their schema and limits their size. @throws RefusedFile */
const parseRows = <T extends object>(schema: z.ZodType<T>, raw: unknown, where: string): T => {
  for (const rows of Object.values(raw ?? {}))
    if (Array.isArray(rows)) {
      if (rows.length > ROWS_MAX) throw new RefusedFile('too_big', where);
      const large = rows.find((row) => JSON.stringify(row).length > ROW_MAX) as unknown;
      if (large !== undefined) throw new RefusedFile('too_big', where);
    }
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new RefusedFile('damaged', `${where} (${issue?.path.join('.') ?? ''})`);
};

const readManifest = async (file: ZipFile, max: number): Promise<Manifest> => {
  const raw = await readJson(file, max);
  const head = z.object({ format: z.string(), version: z.number() }).safeParse(raw);
  if (!head.success || head.data.format !== EXPORT_FORMAT) throw new RefusedFile('not_ours');
  if (head.data.version > EXPORT_VERSION) throw new RefusedFile('newer');
  return parseRows(manifestSchema, raw, MANIFEST_NAME);
};

/** Checks that each photo marked as whole exists once, with its size. @throws RefusedFile */
const checkPhotos = (
  photos: readonly FilePhoto[],
  files: ReadonlyMap<string, ZipFile>,
  where: string,
): void => {
  const seen = new Set<string>();
  for (const { photo_id, whole, path, size } of photos) {
    if (seen.has(photo_id)) throw new RefusedFile('damaged', `${where} (${photo_id})`);
    seen.add(photo_id);
    if (!whole) continue;
    const file = files.get(path);
    if (file === undefined) throw new RefusedFile('damaged', path);
    if (size > PHOTO_MAX) throw new RefusedFile('too_big', path);
    if (file.uncompressedSize !== size) throw new RefusedFile('damaged', path);
  }
};

/** The content of a file, validated only in its form. */
export interface ExportContent {
  readonly manifest: Manifest;
  readonly drafts: Drafts;
  /** Null if the file has none, as a queue export. */
  readonly settings: Partial<Settings> | null;
  /** Originals of edited photos: their bytes by path. */
  readonly originals: ReadonlyMap<string, number>;
}

export interface OpenedExport extends ExportContent {
  /** Streams a photo's original bytes. @throws RefusedFile */
  photo(
    photo: { readonly path: string; readonly size: number },
    take: (chunk: Uint8Array<ArrayBuffer>) => Promise<void>,
  ): Promise<void>;
}

/** Opens a file without writing anything. `max`: the most bytes of JSON. @throws RefusedFile */
export const openExportFile = async (blob: Blob, max = MANIFEST_MAX): Promise<OpenedExport> => {
  const files = await directory(new ZipReader(new BlobReader(blob), NATIVE));
  const first = files.get(MANIFEST_NAME);
  if (first === undefined) throw new RefusedFile('not_ours');
  const manifest = await readManifest(first, max);
  const rows = new Set(manifest.near_misses.map((row) => row.key));
  const stray = manifest.operations.find(
    (operation) => !rows.has(operation.lane) && !hasNoRow(operation.lane),
  );
  if (stray !== undefined) throw new RefusedFile('damaged', `${MANIFEST_NAME} (${stray.id})`);
  const json = (path: string, most: number): Promise<unknown> => {
    const file = files.get(path);
    return file === undefined ? Promise.resolve(null) : readJson(file, most);
  };
  const begun = (await json(DRAFTS_NAME, max)) ?? { drafts: [], photos: [] };
  const drafts = parseRows(draftsSchema, begun, DRAFTS_NAME);
  const raw = await json(SETTINGS_NAME, SETTINGS_MAX);
  const settings = raw === null ? null : settingsChange.safeParse(raw);
  if (settings?.success === false) throw new RefusedFile('damaged', SETTINGS_NAME);
  checkPhotos(manifest.photos, files, MANIFEST_NAME);
  checkPhotos(drafts.photos, files, DRAFTS_NAME);
  const originals = [...files].flatMap(([path, { uncompressedSize }]) =>
    path.endsWith('-original') ? [[path, uncompressedSize] as const] : [],
  );
  return {
    manifest,
    drafts,
    settings: settings?.data ?? null,
    originals: new Map(originals),
    async photo(photo, take) {
      const file = files.get(photo.path);
      if (file === undefined) throw new RefusedFile('damaged', photo.path);
      await pour(file, photo.size, take);
    },
  };
};
