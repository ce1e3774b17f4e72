/**
 * Takes an export of another laptop into the queue of the account that is signed in. Ids are kept: they are the
 * idempotency keys, so that importing twice, on the laptop it came from, or sending from both files nothing twice. All
 * photos are in the spool, equal to their sha256, before the first entry is queued; a file that is refused changes nothing.
 */
import { CHUNK_MAX } from '../../contract/host.ts';
import { fail, ok, type Problem, type Result } from '../../contract/problem.ts';
import type { Deps, NearMissRow, OutboxEntry, PhotoRow, SpotterDb } from '../data/db.ts';
import { companyLane, companyLaneOf } from '../data/company-lanes.ts';
import { incidentLink } from '../data/incident-ids.ts';
import { overlay, rowOf, serverKey } from '../data/near-miss-rows.ts';
import { storageProblem } from '../data/near-misses.ts';
import { tmEntryOf, tmLane } from '../data/tm-rows.ts';
import { addEntry, queueChange, queueTables, tellJournal, type QueueChange } from './enqueue.ts';
import {
  type ExportFile,
  type ImportRefusal,
  type ManifestEntry,
  type ManifestPhoto,
  openExportFile,
  RefusedFile,
} from './export-file.ts';
import { operationOf } from './operations/index.ts';
import { waitingRow } from './operations/tm-attachment-create.ts';

export type ImportProblem = ImportRefusal | { readonly kind: 'problem'; readonly problem: Problem };
export type ImportResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: ImportProblem };

/** What the user is asked about. */
export interface ImportOffer {
  readonly file: ExportFile;
  readonly records: number;
  readonly photos: number;
  readonly bytes: number;
  /** Photos that could not be read when it was exported. */
  readonly left_out: number;
  /** Milliseconds since the epoch. */
  readonly exported_at: number;
  /** Another user of the same company: the server does not know the keys as the same. */
  readonly other_user: boolean;
}

export const importRefused = (
  error: unknown,
): { readonly ok: false; readonly problem: ImportProblem } => ({
  ok: false,
  problem:
    error instanceof RefusedFile
      ? error.refusal
      : { kind: 'problem', problem: { kind: 'bug', detail: `import: ${String(error)}` } },
});

/** `<server>/<company>/<user>`: the host's form of an account. */
const partsOf = (account: string) => {
  const [, place = account, user = ''] = /^(.*)\/([^/]*)$/.exec(account) ?? [];
  return { place, user };
};

/** Looks into a file for an account. Nothing is written. */
export const offerImport = async (
  file: Blob,
  owner: { readonly account: string; readonly company_id: number },
): Promise<ImportResult<ImportOffer>> => {
  try {
    const opened = await openExportFile(file);
    const { manifest } = opened;
    const [from, to] = [partsOf(manifest.account), partsOf(owner.account)];
    const foreign =
      manifest.near_misses.some((row) => row.company_id !== owner.company_id) ||
      manifest.entries.some(
        ({ kind, lane, payload }) =>
          (kind === 'tm_attachment.create' || companyLaneOf(lane) !== null) &&
          payload['company_id'] !== owner.company_id,
      );
    if (from.place !== to.place || foreign) throw new RefusedFile('other_server');
    for (const entry of manifest.entries) {
      const operation = operationOf(entry);
      if (operation === null) throw new RefusedFile('newer');
      if (operation.read(entry) === null) throw new RefusedFile('damaged', `entry ${entry.id}`);
    }
    const waiting = new Set(manifest.entries.map(photoIdOf));
    const photos = manifest.photos.filter((photo) => waiting.has(photo.photo_id));
    const whole = photos.filter((photo) => photo.whole);
    return {
      ok: true,
      value: {
        file: opened,
        records: new Set(manifest.entries.map((entry) => entry.lane)).size,
        photos: whole.length,
        bytes: whole.reduce((sum, photo) => sum + photo.size, 0),
        left_out: photos.length - whole.length,
        exported_at: Date.parse(manifest.exported_at) || 0,
        other_user: from.user !== to.user,
      },
    };
  } catch (error) {
    return importRefused(error);
  }
};

/** One photo from the file to the spool, checked against the sha256 it was exported with. @throws RefusedFile */
export const takePhoto = async (
  { host }: Pick<Deps, 'host'>,
  file: ExportFile,
  photo: Pick<ManifestPhoto, 'photo_id' | 'filename' | 'size' | 'sha256' | 'path'> & {
    /** Left out: of a draft. */
    readonly near_miss_key?: string;
  },
): Promise<Result<null>> => {
  const { photo_id, filename, size, near_miss_key = '' } = photo;
  const any = tmEntryOf(near_miss_key) === null ? {} : { purpose: 'attachment' as const };
  const begun = await host.call('photos.begin', { photo_id, filename, size, ...any });
  if (!begun.ok) return begun;
  let offset = 0;
  let trouble: Problem | null = null;
  const write = async (bytes: Uint8Array<ArrayBuffer>): Promise<void> => {
    const written = await host.call('photos.write', { photo_id, offset }, bytes);
    offset += bytes.length;
    if (written.ok) return;
    trouble = written.problem;
    throw new Error('not written');
  };
  try {
    await file.photo(photo, async (chunk) => {
      for (let at = 0; at < chunk.length; at += CHUNK_MAX)
        await write(chunk.slice(at, at + CHUNK_MAX));
    });
  } catch (error) {
    if (trouble !== null) return fail(trouble);
    throw error;
  }
  const facts = await host.call('photos.finish', { photo_id });
  if (!facts.ok) return facts;
  if (facts.value.sha256 !== photo.sha256 || facts.value.size !== size)
    throw new RefusedFile('damaged', photo.path);
  return ok(null);
};

/** What of the file is not here yet. */
const missingOf = async (
  db: SpotterDb,
  { manifest }: ExportFile,
  keyOf: (key: string) => string,
) => {
  const lanes = [...new Set(manifest.entries.map((entry) => entry.lane))];
  const rows = new Set(
    (await db.near_misses.bulkGet(lanes.map(keyOf))).flatMap((r) => r?.key ?? []),
  );
  const drafts = new Set((await db.drafts.bulkGet(lanes)).flatMap((draft) => draft?.id ?? []));
  const files = manifest.entries.flatMap((entry) => attachmentKeyOf(entry) ?? []);
  const here = (await db.tm_attachments.bulkGet(files)).flatMap((row) => row?.key ?? []);
  const photos = new Set(
    (await db.photos.bulkGet(manifest.photos.map((photo) => photo.photo_id))).flatMap(
      (photo) => photo?.photo_id ?? [],
    ),
  );
  for (const key of here) photos.add(key);
  const ids = manifest.entries.map((entry) => entry.id);
  const over = new Set([
    ...(await db.entries.bulkGet(ids)).flatMap((entry) => entry?.id ?? []),
    ...(await db.tombstones.bulkGet(ids)).flatMap((stone) => stone?.entry_id ?? []),
  ]);
  const opened = manifest.entries.filter(({ kind }) => kind === 'incident.create').map(incidentOf);
  const incidents = new Set(
    (await db.links.bulkGet(opened)).flatMap((link) => link?.local_id ?? []),
  );
  const readable = new Set(manifest.photos.flatMap((one) => (one.whole ? one.photo_id : [])));
  const isMissing = (entry: ManifestEntry): boolean => {
    if (over.has(entry.id) || drafts.has(entry.lane)) return false;
    if (entry.kind === 'incident.create') return !incidents.has(incidentOf(entry));
    // The record is here: waiting, changed since, or delivered. A second create would be a second record.
    if (entry.kind === 'near_miss.create') return !rows.has(keyOf(entry.lane));
    const photo = photoIdOf(entry);
    // Documents attached; a file has the same key as its bytes.
    if (photo === null && photos.has(attachmentKeyOf(entry) ?? '')) return false;
    return photo === null || (!photos.has(photo) && readable.has(photo));
  };
  const entries = manifest.entries.filter(isMissing).sort((a, b) => a.seq - b.seq);
  const wanted = new Set(entries.map(photoIdOf));
  return { entries, photos: manifest.photos.filter((photo) => wanted.has(photo.photo_id)) };
};

const photoIdOf = ({ kind, payload }: Pick<ManifestEntry, 'kind' | 'payload'>): string | null => {
  const photo = payload['photo'] as { photo_id?: unknown } | null | undefined;
  if (kind === 'tm_attachment.create' && photo === null) return null;
  return kind === 'photo.send' || kind === 'tm_attachment.create' ? String(photo?.photo_id) : null;
};

/** The link of an incident opened there: where it is here, the server has it. */
const incidentOf = ({ payload }: Pick<ManifestEntry, 'payload'>): string =>
  incidentLink(Number(payload['incident_id']));

const attachmentKeyOf = ({
  kind,
  payload,
}: Pick<ManifestEntry, 'kind' | 'payload'>): string | null =>
  kind === 'tm_attachment.create' ? String(payload['attachment_key']) : null;

const KEPT_STEPS = new Set([
  'step',
  'upload_uuid',
  'associate_key',
  'base',
  'conflicts',
  'recycled',
]);

/** What the other laptop knew of it; and that it may have sent it, or may yet. */
const carriedOver = ({ state, attempts, last_problem, checkpoint }: ManifestEntry) => ({
  state: state === 'parked' ? ('parked' as const) : ('waiting' as const),
  attempts: Math.max(attempts, state === 'sending' ? 1 : 0),
  last_problem: state === 'parked' ? last_problem : null,
  checkpoint: {
    ...Object.fromEntries(Object.entries(checkpoint).filter(([name]) => KEPT_STEPS.has(name))),
    ...{ exported: true, restored: true },
  },
});

const photoRow = (photo: ManifestPhoto, account: string, key: string): PhotoRow => {
  const { photo_id, filename, size, sha256, content_type, taken_at, gps, orientation } = photo;
  return {
    ...{ photo_id, filename, size, sha256, content_type, taken_at, gps, orientation, account },
    ...{ near_miss_key: key, draft_id: null, thumbnail: null, state: 'waiting' },
    ...{ upload_uuid: null, attachment_id: null, receipt: null, problem: null },
    created_at: photo.created_at,
  };
};

const queueUp = async (
  { db, clock }: Deps,
  change: QueueChange,
  { manifest }: ExportFile,
  account: string,
  keyOf: (key: string) => string,
  missing: {
    readonly entries: readonly ManifestEntry[];
    readonly photos: readonly ManifestPhoto[];
  },
): Promise<void> => {
  for (const entry of missing.entries) {
    const { id, kind, version, lane, payload } = entry;
    const key = keyOf(lane);
    const added = await addEntry(db, change, account, clock.now(), {
      ...{ id, kind, version, lane: key, payload: { ...payload, key } },
    });
    await db.entries.update(added.id, carriedOver(entry));
    const file = waitingRow(added);
    if (file !== null) await db.tm_attachments.put(file);
  }
  await db.photos.bulkAdd(
    missing.photos
      .filter((photo) => tmEntryOf(photo.near_miss_key) === null)
      .map((photo) => photoRow(photo, account, keyOf(photo.near_miss_key))),
  );
  const lanes = new Set(missing.entries.map((entry) => entry.lane));
  for (const given of manifest.near_misses) {
    if (!lanes.has(given.key)) continue;
    const key = keyOf(given.key);
    const catalog = (await db.catalogs.get([account, given.project_id]))?.catalog ?? null;
    const here = await db.near_misses.get(key);
    const lane = await db.entries.where('lane').equals(key).toArray();
    const row = here ?? rowOf({ ...given, key, account, seen_at: 0 }, catalog);
    await db.near_misses.put(
      here?.server ? overlay(here, here.server, lane, catalog, clock.tick()) : row,
    );
  }
};

export interface Imported {
  /** Records of which something was added to the queue. */
  readonly records: number;
  readonly photos: number;
}

/** Takes the file in. `onPhoto`: how many photos of how many are in the spool. */
export const importItems = async (
  deps: Deps,
  { file }: ImportOffer,
  account: string,
  onPhoto: (done: number, of: number) => void = () => {},
): Promise<ImportResult<Imported>> => {
  const { db, host } = deps;
  const servers = new Map(file.manifest.near_misses.map((row) => [row.key, row.server_id]));
  const keyOf = (key: string): string => {
    const tm = tmEntryOf(key);
    if (tm !== null) return tmLane(account, tm.project_id, tm.id);
    const company = companyLaneOf(key);
    if (company !== null) return companyLane(account, company);
    const id = servers.get(key) ?? null;
    return key.startsWith('srv-') && id !== null ? serverKey(account, id) : key;
  };
  const taken: string[] = [];
  const undo = async (): Promise<void> => {
    for (const photo_id of taken) await host.call('photos.discard', { photo_id });
  };
  try {
    const missing = await missingOf(db, file, keyOf);
    for (const photo of missing.photos) {
      onPhoto(taken.length, missing.photos.length);
      taken.push(photo.photo_id);
      const came = await takePhoto(deps, file, photo);
      if (!came.ok) {
        await undo();
        return { ok: false, problem: { kind: 'problem', problem: came.problem } };
      }
    }
    const change = queueChange();
    const rows = new Map<string, NearMissRow>();
    await db.transaction(
      'rw',
      [...queueTables(db), db.near_misses, db.photos, db.catalogs, db.tm_attachments],
      async () => {
        await queueUp(deps, change, file, account, keyOf, missing);
        const keys = new Set(change.added.map(({ entry }: { entry: OutboxEntry }) => entry.lane));
        for (const row of await db.near_misses.bulkGet([...keys])) if (row) rows.set(row.key, row);
      },
    );
    const told = await tellJournal(deps, change, (lane) => rows.get(lane) ?? null);
    if (!told.ok) return { ok: false, problem: { kind: 'problem', problem: told.problem } };
    const records = new Set(change.added.map(({ entry }) => entry.lane)).size;
    return { ok: true, value: { records, photos: taken.length } };
  } catch (error) {
    await undo();
    if (error instanceof RefusedFile) return importRefused(error);
    return { ok: false, problem: { kind: 'problem', problem: storageProblem(error) } };
  }
};
