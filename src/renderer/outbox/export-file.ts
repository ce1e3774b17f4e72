/**
 * Reading an export: a file from anywhere, believed in nothing. The zip's directory is looked through before a byte of
 * its content; the JSON is parsed by a schema; every size is capped by what was declared and by what a laptop can hold, so
 * that a small file cannot unfold into a full disk. Content is streamed, never whole in memory.
 */
import {
  BlobReader,
  ERR_UNSAFE_FILENAME,
  ZipReader,
} from '@zip.js/zip.js/lib/zip-core-external.js';
import { z } from 'zod';
import { problemSchema } from '../../contract/problem.ts';
import { photoFacts, ulidSchema } from '../../contract/host.ts';
import { nearMiss } from '../../contract/rest/near-misses.ts';
import { companyLaneOf } from '../data/company-lanes.ts';
import { tmEntryOf } from '../data/tm-rows.ts';
import { EXPORT_FORMAT, EXPORT_VERSION, MANIFEST_NAME } from './export.ts';

/** Why a file is not taken in. `detail` names the part of the file. */
export interface ImportRefusal {
  readonly kind:
    'not_zip' | 'not_ours' | 'newer' | 'damaged' | 'hostile' | 'too_big' | 'other_server';
  readonly detail: string;
}
export class RefusedFile extends Error {
  readonly refusal: ImportRefusal;
  constructor(kind: ImportRefusal['kind'], detail = '') {
    super(`${kind} ${detail}`);
    this.refusal = { kind, detail };
  }
}

/** The largest export: 10,000 records with their photos, and room. */
const FILES_MAX = 60_000;
/** Most bytes of the JSON, unfolded. */
const MANIFEST_MAX = 256 * 1024 * 1024;
const PHOTO_MAX = 10_000 * 1024 * 1024;
const NAME_MAX = 300;

const id = z.number().int().positive();
const key = z.string().regex(/^(?:[0-7][0-9A-HJKMNP-TV-Z]{25}|srv-[0-9a-z]{1,20}-\d{1,16})$/);
/** Not a near miss: files of a time-and-material entry, or a company's own records. */
const hasNoRow = (given: string): boolean =>
  tmEntryOf(given) !== null || companyLaneOf(given) !== null;
const lane = key.or(z.string().max(200).refine(hasNoRow));
const unknownRecord = z.record(z.string(), z.unknown());

const fields = z.object({
  /** Negative: opened on that laptop. */
  incident_id: z.number().int(),
  description: z.string().max(1024 * 1024),
  affected_company_id: id.nullable(),
  affected_party_id: id.nullable(),
  affected_person_id: id.nullable(),
  harm_source_id: id.nullable(),
  managed_equipment_id: id.nullable(),
  work_activity_id: id.nullable(),
  custom_fields: unknownRecord,
});

const manifestSchema = z.object({
  exported_at: z.string().max(40),
  account: z.string().min(1).max(500),
  near_misses: z.array(
    z.object({
      ...{ key, company_id: id, project_id: id, server_id: id.nullable(), fields },
      server: nearMiss.nullable(),
      ...{ created_at: z.number(), updated_at: z.number(), removed_at: z.number().nullable() },
    }),
  ),
  entries: z.array(
    z.object({
      ...{ id: ulidSchema, lane, kind: z.string().max(100), version: id },
      ...{ seq: z.number().int().nonnegative(), created_at: z.number(), payload: unknownRecord },
      state: z.enum(['waiting', 'sending', 'parked']),
      attempts: z.number().int().nonnegative(),
      last_problem: problemSchema.nullable().catch(null),
      checkpoint: unknownRecord,
    }),
  ),
  photos: z.array(
    photoFacts.extend({
      ...{ near_miss_key: lane, path: z.string().max(NAME_MAX), whole: z.boolean() },
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      size: z.number().int().positive(),
      taken_at: z
        .object({ local: z.string(), offset: z.string().nullable(), at: z.number().nullable() })
        .nullable(),
      gps: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
      ...{ orientation: z.number().int().nullable(), state: z.string(), created_at: z.number() },
    }),
  ),
});
export type Manifest = z.infer<typeof manifestSchema>;
export type ManifestEntry = Manifest['entries'][number];
export type ManifestPhoto = Manifest['photos'][number];

type ZipEntry = Awaited<ReturnType<InstanceType<typeof ZipReader>['getEntries']>>[number];
type ZipFile = Extract<ZipEntry, { readonly directory: false }>;

const NATIVE = { useWebWorkers: false, useCompressionStream: true, checkCrc32: true } as const;

/** A name that could lead out of a folder, here or where somebody unpacks it, or that hides what it is. */
const isHostile = (name: string): boolean =>
  name.length > NAME_MAX ||
  /^[/\\]|\\|^[A-Za-z]:|[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/.test(name) ||
  name.split('/').some((part) => part === '..' || part === '.');

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

/** The directory, looked through. @throws RefusedFile */
const directory = async (zip: InstanceType<typeof ZipReader>): Promise<Map<string, ZipFile>> => {
  const files = new Map<string, ZipFile>();
  try {
    for await (const entry of zip.getEntriesGenerator()) {
      const { filename } = entry;
      if (isHostile(filename))
        throw new RefusedFile('hostile', JSON.stringify(filename).slice(0, 80));
      if (entry.encrypted) throw new RefusedFile('hostile', filename);
      if (files.size >= FILES_MAX) throw new RefusedFile('too_big', `${FILES_MAX}+`);
      if (entry.directory) continue;
      if (files.has(filename)) throw new RefusedFile('hostile', filename);
      files.set(filename, entry);
    }
  } catch (error) {
    if (error instanceof RefusedFile) throw error;
    const unsafe = error instanceof Error && error.message === ERR_UNSAFE_FILENAME;
    const name = unsafe && 'filename' in error ? String(error.filename) : '';
    throw new RefusedFile(unsafe ? 'hostile' : 'not_zip', name.slice(0, 80));
  }
  return files;
};

const readJson = async (file: ZipFile, max: number): Promise<unknown> => {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  await pour(file, max, (chunk) => void parts.push(chunk));
  try {
    return JSON.parse(await new Blob(parts).text()) as unknown;
  } catch {
    throw new RefusedFile('damaged', file.filename);
  }
};

const readManifest = async (file: ZipFile, max: number): Promise<Manifest> => {
  const raw = await readJson(file, max);
  const head = z.object({ format: z.string(), version: z.number() }).safeParse(raw);
  if (!head.success || head.data.format !== EXPORT_FORMAT) throw new RefusedFile('not_ours');
  if (head.data.version > EXPORT_VERSION) throw new RefusedFile('newer');
  const parsed = manifestSchema.safeParse(raw);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new RefusedFile('damaged', `${MANIFEST_NAME} (${issue?.path.join('.') ?? ''})`);
  }
  return parsed.data;
};

export interface ExportFile {
  readonly manifest: Manifest;
  /** Streams a photo's original bytes. @throws RefusedFile */
  photo(
    photo: Pick<ManifestPhoto, 'path' | 'size'>,
    take: (chunk: Uint8Array<ArrayBuffer>) => Promise<void>,
  ): Promise<void>;
  /** The JSON of another file of the zip, at most `max` bytes of it; null where it is not there. @throws RefusedFile */
  json(name: string, max: number): Promise<unknown>;
}

/** Looks into a file; nothing is written anywhere. `max`: bytes of the JSON. @throws RefusedFile */
export const openExportFile = async (blob: Blob, max = MANIFEST_MAX): Promise<ExportFile> => {
  const files = await directory(new ZipReader(new BlobReader(blob), NATIVE));
  const first = files.get(MANIFEST_NAME);
  if (first === undefined) throw new RefusedFile('not_ours');
  const manifest = await readManifest(first, max);
  const rows = new Set(manifest.near_misses.map((row) => row.key));
  const stray = manifest.entries.find((entry) => !rows.has(entry.lane) && !hasNoRow(entry.lane));
  if (stray !== undefined) throw new RefusedFile('damaged', `${MANIFEST_NAME} (${stray.id})`);
  for (const photo of manifest.photos) {
    if (!photo.whole) continue;
    const file = files.get(photo.path);
    if (file === undefined) throw new RefusedFile('damaged', photo.path);
    if (photo.size > PHOTO_MAX) throw new RefusedFile('too_big', photo.path);
    if (file.uncompressedSize !== photo.size) throw new RefusedFile('damaged', photo.path);
  }
  return {
    manifest,
    async photo(photo, take) {
      const file = files.get(photo.path);
      if (file === undefined) throw new RefusedFile('damaged', photo.path);
      await pour(file, photo.size, take);
    },
    async json(name, most) {
      const file = files.get(name);
      return file === undefined ? null : readJson(file, most);
    },
  };
};
