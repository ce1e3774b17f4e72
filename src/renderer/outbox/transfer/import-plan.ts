/**
 * Plans an import without changing anything: which operations, photos and drafts of the file are missing here, and their
 * new ids. An operation keeps its id, which is the idempotency key, so that a file imported on two laptops is sent once.
 * Photos, attached files and drafts get new local ids, and references are rewritten, so that no file can refer to
 * existing local data.
 */
import { monotonicFactory } from 'ulid';
import { companyLane, companyLaneOf } from '../../data/model/lanes.ts';
import { editDraftId } from '../../data/near-misses/drafts.ts';
import type { Deps, DraftRow, OutboxOperation, PhotoRow, SpotterDb } from '../../data/db/db.ts';
import { incidentLink } from '../../data/model/incident-ids.ts';
import { serverKey } from '../../data/model/near-miss-rows.ts';
import { photoRowOf } from '../../data/model/photo-rows.ts';
import { attachmentRef, tmEntryOf, tmLane } from '../../data/company/tm-rows.ts';
import type { AskedKind } from '../../operations/spec.ts';
import { type CarriedPhoto, carriedPhoto } from '../../operations/carried-photo.ts';
import {
  bytesOf,
  operationOf,
  traitsOf,
  type NewOperation,
  newOperationOf,
  optimisticPatchOf,
  withPhoto,
} from '../../operations/operation.ts';
import { readEdits } from '../../photos/markup/model.ts';
import { originalPath } from './export-form.ts';
import type { FilePhoto, Manifest, ManifestEntry } from './export-file.ts';
import { RefusedFile } from './refused-file.ts';
import type { ExportFile } from './import-reader.ts';
import { rowsOf } from '../handlers/index.ts';
import { rowsHere } from '../handlers/optimistic-rows.ts';

/** The parts of a file to import. */
export interface ImportChoice {
  /** Imports queued operations, except those that need a confirmation. */
  readonly waiting: boolean;
  readonly drafts: boolean;
  /** The confirmed kinds of operations. */
  readonly allowed: readonly AskedKind[];
}

/** A file to copy to the spool. */
export interface PlannedFile {
  readonly photo_id: string;
  readonly filename: string;
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  /** True if any file type is allowed, not only photos and videos. */
  readonly any: boolean;
}

interface PlannedOperation {
  readonly given: ManifestEntry;
  /** When the content was created. A photo is older than its operation. */
  readonly made_at: number;
  readonly lane: string;
  readonly operation: NewOperation;
}

export interface ImportPlan {
  readonly operations: readonly PlannedOperation[];
  /** The records of the operations, by their local lane. */
  readonly near_misses: ReadonlyMap<string, Manifest['near_misses'][number]>;
  readonly drafts: readonly DraftRow[];
  /** Photos of the drafts. */
  readonly photos: readonly PhotoRow[];
  readonly files: readonly PlannedFile[];
}

const newId = monotonicFactory();
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/**
 * The local id of an imported draft. Derived from account and id, so that a draft is imported only once; a ULID like
 * local ids.
 */
const draftIdOf = async (account: string, id: string): Promise<string> => {
  const text = new TextEncoder().encode(`draft ${account} ${id}`);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
  const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  const word = [...hash.subarray(0, 26)].map((byte) => letters[byte & 31]).join('');
  return ULID.test(id) ? `${id.slice(0, 10)}${word.slice(10)}` : `0${word.slice(1)}`;
};

const stored = new WeakMap<ManifestEntry, OutboxOperation>();

/** Converts a row of the file into a queued operation, so that the same functions apply as to local operations. */
const asStored = (given: ManifestEntry): OutboxOperation => {
  const operation: OutboxOperation = stored.get(given) ?? {
    ...given,
    account: '',
    journaled: 0,
    tries: null,
    consecutive_failures: 0,
    next_try_at: null,
  };
  stored.set(given, operation);
  return operation;
};

/** The photo that an operation sends, with its original; null if it sends none. */
export const photoOf = (given: ManifestEntry): CarriedPhoto | null =>
  bytesOf(asStored(given))?.photo ?? null;

const anyKind = (given: ManifestEntry): boolean => bytesOf(asStored(given))?.any_kind ?? false;

/**
 * The id mapping key of an incident opened on the other laptop. If it exists here, the server has the incident. Null
 * for other operations.
 */
const incidentOf = (given: ManifestEntry): string | null => {
  const over = optimisticPatchOf(asStored(given));
  return over?.puts === 'incident' ? incidentLink(over.incident_id) : null;
};

/** Maps a lane of the file to the local account's lane. */
const lanesOf = ({ near_misses }: Manifest, account: string) => {
  const servers = new Map(near_misses.map((row) => [row.key, row.server_id]));
  return (lane: string): string => {
    const tm = tmEntryOf(lane);
    if (tm !== null) return tmLane(account, tm.project_id, tm.id);
    const company = companyLaneOf(lane);
    if (company !== null) return companyLane(account, company);
    const id = servers.get(lane) ?? null;
    return lane.startsWith('srv-') && id !== null ? serverKey(account, id) : lane;
  };
};

/** Bytes that a record or time-and-material entry already has here, as `<lane> <sha256>`. */
const bytesHere = async (db: SpotterDb, lanes: readonly string[]): Promise<ReadonlySet<string>> => {
  const photos = await db.photos.where('near_miss_key').anyOf(lanes).toArray();
  const files = await db.tm_attachments.where('lane').anyOf(lanes).toArray();
  return new Set([
    ...photos.map((photo) => `${photo.near_miss_key} ${photo.sha256}`),
    ...files.map((file) => `${file.lane} ${file.sha256}`),
  ]);
};

/** Lanes of near misses that exist here as drafts or were imported as such. The local version is the one to send. */
const draftsHere = async (
  db: SpotterDb,
  { account }: Manifest,
  lanes: readonly string[],
): Promise<ReadonlySet<string>> => {
  const own = await db.drafts.bulkGet([...lanes]);
  const imported = await Promise.all(lanes.map((lane) => draftIdOf(account, lane)));
  const asDraft = await db.drafts.bulkGet(imported);
  const saved = await db.near_misses.bulkGet(imported);
  return new Set(lanes.filter((_lane, at) => own[at] ?? asDraft[at] ?? saved[at]));
};

/** The operations of the file that are missing here, in order. */
const missingOperations = async (
  { db }: Pick<Deps, 'db'>,
  { manifest }: ExportFile,
  laneOf: (lane: string) => string,
  { waiting, allowed }: ImportChoice,
): Promise<readonly ManifestEntry[]> => {
  if (!waiting && allowed.length === 0) return [];
  const ids = manifest.operations.map((operation) => operation.id);
  const over = new Set([
    ...(await db.operations.bulkGet(ids)).flatMap((operation) => operation?.id ?? []),
    ...(await db.tombstones.bulkGet(ids)).flatMap((stone) => stone?.operation_id ?? []),
  ]);
  const lanes = [...new Set(manifest.operations.map((operation) => laneOf(operation.lane)))];
  const begun = await draftsHere(db, manifest, lanes);
  const opened = manifest.operations.flatMap((operation) => incidentOf(operation) ?? []);
  const incidents = new Set(
    (await db.links.bulkGet(opened)).flatMap((link) => link?.local_id ?? []),
  );
  const rows = manifest.operations.flatMap((operation) => rowsOf(asStored(operation)));
  const here = await rowsHere(db, rows);
  const bytes = await bytesHere(db, lanes);
  const readable = new Set(manifest.photos.flatMap((one) => (one.whole ? one.photo_id : [])));
  const isMissing = (operation: ManifestEntry): boolean => {
    const lane = laneOf(operation.lane);
    if (over.has(operation.id) || begun.has(lane)) return false;
    const asked = traitsOf(operation.kind)?.asks ?? null;
    if (asked === null ? !waiting : !allowed.includes(asked)) return false;
    const incident = incidentOf(operation);
    if (incident !== null) return !incidents.has(incident);
    const photo = photoOf(operation);
    if (photo !== null)
      return readable.has(photo.photo_id) && !bytes.has(`${lane} ${photo.sha256}`);
    // Its row exists already: queued, changed or delivered. A second create would make a second record.
    return !rowsOf(asStored(operation)).some(({ key }) => here.has(key));
  };
  return manifest.operations.filter(isMissing).toSorted((a, b) => a.seq - b.seq);
};

/** Assigns new ids in the order of the old ones, because photos are sorted by id. Ids in lowercase are mapped too. */
const idsFor = (old: readonly string[]): ReadonlyMap<string, string> => {
  const pairs = [...new Set(old)].toSorted().map((id) => [id, newId()] as const);
  return new Map([
    ...pairs,
    ...pairs.map(([id, mine]) => [attachmentRef(id), attachmentRef(mine)] as const),
  ]);
};

/** Replaces every string that is an old id; other values stay. */
const renamed = (value: unknown, ids: ReadonlyMap<string, string>): unknown => {
  if (typeof value === 'string') return ids.get(value) ?? value;
  if (Array.isArray(value)) return value.map((one) => renamed(one, ids));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, renamed(one, ids)]));
};

/** The photo to import. Drops an original if its bytes are not in the file. @throws RefusedFile */
const arriving = (
  photo: CarriedPhoto,
  at: Pick<FilePhoto, 'path'> | undefined,
  { originals }: ExportFile,
): CarriedPhoto => {
  const { original, edits, ...facts } = photo;
  if (edits !== undefined && readEdits(edits) === null) throw new RefusedFile('newer');
  if (original === undefined) return photo;
  const there =
    at !== undefined && originals.get(originalPath(at.path, original)) === original.size;
  // The markup is part of the picture; without the original it cannot be edited.
  return there ? photo : facts;
};

/** The files of a photo, under its new ids. */
const filesOf = (
  photo: CarriedPhoto,
  at: Pick<FilePhoto, 'path'>,
  ids: ReadonlyMap<string, string>,
  any: boolean,
): readonly PlannedFile[] => {
  const { filename, original } = photo;
  const named = ({ photo_id, size, sha256 }: NonNullable<CarriedPhoto['original']>) => ({
    photo_id: ids.get(photo_id) ?? newId(),
    filename,
    size,
    sha256,
    any,
  });
  const own = { ...named(photo), path: at.path };
  return original === undefined
    ? [own]
    : [own, { ...named(original), path: originalPath(at.path, original) }];
};

const idsIn = ({ photo_id, original }: CarriedPhoto): readonly string[] =>
  original === undefined ? [photo_id] : [photo_id, original.photo_id];

/** The operation to queue, with its photo and local ids. @throws RefusedFile */
const arrived = (
  given: ManifestEntry,
  lane: string,
  photo: CarriedPhoto | undefined,
  ids: ReadonlyMap<string, string>,
): NewOperation => {
  const { id, kind, version } = given;
  const read = operationOf(asStored(given));
  const payload =
    read === null || photo === undefined ? given.payload : withPhoto(read, photo).payload;
  const mine = { ...(renamed(payload, ids) as object), key: lane };
  const operation = newOperationOf({ id, kind, version, lane, payload: mine });
  if (operation === null) throw new RefusedFile('damaged', `operation ${id}`);
  return operation;
};

const planWaiting = async (
  deps: Pick<Deps, 'db'>,
  file: ExportFile,
  account: string,
  choice: ImportChoice,
): Promise<Omit<ImportPlan, 'drafts' | 'photos'>> => {
  const { manifest } = file;
  const laneOf = lanesOf(manifest, account);
  const missing = await missingOperations(deps, file, laneOf, choice);
  const inZip = new Map(manifest.photos.map((photo) => [photo.photo_id, photo]));
  const photos = new Map<string, CarriedPhoto>();
  for (const operation of missing) {
    const photo = photoOf(operation);
    if (photo !== null) photos.set(operation.id, arriving(photo, inZip.get(photo.photo_id), file));
  }
  const ids = idsFor([
    ...[...photos.values()].flatMap(idsIn),
    // A near miss keeps its key, because it is the lane of its operations.
    ...missing.flatMap((operation) =>
      rowsOf(asStored(operation)).flatMap(({ key }) => (key === operation.lane ? [] : key)),
    ),
  ]);
  const files: PlannedFile[] = [];
  const operations = missing.map((given): PlannedOperation => {
    const lane = laneOf(given.lane);
    const photo = photos.get(given.id);
    const operation = arrived(given, lane, photo, ids);
    const at = inZip.get(photo?.photo_id ?? '');
    if (photo !== undefined && at !== undefined)
      files.push(...filesOf(photo, at, ids, anyKind(given)));
    return { given, lane, operation, made_at: at?.created_at ?? given.created_at };
  });
  const lanes = new Set(missing.map((operation) => operation.lane));
  const near_misses = manifest.near_misses.filter((row) => lanes.has(row.key));
  return {
    operations,
    files,
    near_misses: new Map(near_misses.map((row) => [laneOf(row.key), row])),
  };
};

const planDrafts = async (
  { db }: Pick<Deps, 'db'>,
  file: ExportFile,
  account: string,
): Promise<Pick<ImportPlan, 'drafts' | 'photos' | 'files'>> => {
  const { drafts, photos } = file.drafts;
  // An unfinished edit is identified by its record.
  const mine = await Promise.all(
    drafts.map(({ account: from, id, edits }) =>
      edits === undefined ? draftIdOf(from, id) : editDraftId(edits),
    ),
  );
  const ids = [...drafts.map(({ id }) => id), ...mine];
  const here = new Set([
    // Discarded drafts are kept only for "Undo" and do not count.
    ...(await db.drafts.bulkGet(ids)).flatMap((row) => (row && !row.thrown_at ? row.id : [])),
    ...(await db.near_misses.bulkGet(ids)).flatMap((row) => row?.key ?? []),
  ]);
  const open = await db.drafts.filter(({ thrown_at }) => thrown_at === undefined).toArray();
  const edited = new Set(open.flatMap((row) => row.edits ?? []));
  const rows = new Map<string, DraftRow>();
  for (const [index, { edits, base_fields, ...draft }] of drafts.entries()) {
    const id = mine[index] ?? newId();
    if (here.has(id) || here.has(draft.id)) continue;
    // A local edit stays the only one of its record.
    if (edits !== undefined && edited.has(edits)) continue;
    rows.set(draft.id, {
      ...draft,
      id,
      account,
      fields: draft.fields as DraftRow['fields'],
      ...(edits === undefined ? {} : { edits }),
      ...(base_fields === undefined ? {} : { base_fields }),
    });
  }
  const coming = photos
    .filter((photo) => photo.whole && rows.has(photo.draft_id))
    .map((at) => ({ at, photo: arriving(carriedPhoto.parse(at), at, file) }));
  const names = idsFor(coming.flatMap(({ photo }) => idsIn(photo)));
  return {
    drafts: [...rows.values()],
    files: coming.flatMap(({ at, photo }) => filesOf(photo, at, names, false)),
    photos: coming.map(({ at, photo }) =>
      photoRowOf(renamed(photo, names) as CarriedPhoto, {
        account,
        near_miss_key: null,
        created_at: at.created_at,
        draft_id: rows.get(at.draft_id)?.id ?? null,
      }),
    ),
  };
};

/** Plans an import without writing anything. @throws RefusedFile */
export const planImport = async (
  deps: Pick<Deps, 'db'>,
  file: ExportFile,
  account: string,
  choice: ImportChoice,
): Promise<ImportPlan> => {
  const waiting = await planWaiting(deps, file, account, choice);
  if (!choice.drafts) return { ...waiting, drafts: [], photos: [] };
  const begun = await planDrafts(deps, file, account);
  return { ...waiting, ...begun, files: [...waiting.files, ...begun.files] };
};
