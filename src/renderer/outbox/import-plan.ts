/**
 * What an import would change here, before it changes anything: which entries, photos and drafts of the file are not here yet,
 * under which ids they come in. An entry keeps its id, because that is the idempotency key: the same file taken in on two
 * laptops is filed once. Photos, attached files and drafts get ids of this laptop, and every reference follows, so that no
 * file can name what is here already.
 */
import { monotonicFactory } from 'ulid';
import { companyLane, companyLaneOf } from '../data/lanes.ts';
import { editDraftId } from '../data/drafts.ts';
import type { Deps, DraftRow, OutboxEntry, PhotoRow, SpotterDb } from '../data/db.ts';
import { incidentLink } from '../data/incident-ids.ts';
import { serverKey } from '../data/near-miss-rows.ts';
import { photoRowOf } from '../data/photo-rows.ts';
import { attachmentRef, tmEntryOf, tmLane } from '../data/company/tm-rows.ts';
import type { AskedKind } from '../entries/answers.ts';
import { type CarriedPhoto, carriedPhoto } from '../entries/carried-photo.ts';
import {
  bytesOf,
  entryOf,
  factsOf,
  type NewEntry,
  newEntryOf,
  overOf,
  withPhoto,
} from '../entries/entry.ts';
import { readEdits } from '../photos/markup/model.ts';
import { originalPath } from './export-form.ts';
import type { FilePhoto, Manifest, ManifestEntry } from './export-file.ts';
import { RefusedFile } from './refused-file.ts';
import type { ExportFile } from './import-reader.ts';
import { rowsOf } from './operations/index.ts';
import { rowsHere } from './waiting-rows.ts';

/** What of a file is to come in. */
export interface ImportChoice {
  /** What waits, but for what a person is asked about. */
  readonly waiting: boolean;
  readonly drafts: boolean;
  /** Of what a person is asked about, what comes in. */
  readonly allowed: readonly AskedKind[];
}

/** Bytes of the file that go to the spool. */
export interface PlannedFile {
  readonly photo_id: string;
  readonly filename: string;
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  /** Not only photos and videos. */
  readonly any: boolean;
}

export interface PlannedEntry {
  readonly given: ManifestEntry;
  /** When what it brings came to be: a photo comes in before its entry is made. */
  readonly made_at: number;
  readonly lane: string;
  readonly entry: NewEntry;
}

export interface ImportPlan {
  readonly entries: readonly PlannedEntry[];
  /** Records that they belong to, by their lane here. */
  readonly near_misses: ReadonlyMap<string, Manifest['near_misses'][number]>;
  readonly drafts: readonly DraftRow[];
  /** Of the drafts. */
  readonly photos: readonly PhotoRow[];
  readonly files: readonly PlannedFile[];
}

const newId = monotonicFactory();
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** A draft's id here: always the same for one draft of one account, so that it comes in once; a ULID, as those made here. */
const draftIdOf = async (account: string, id: string): Promise<string> => {
  const text = new TextEncoder().encode(`draft ${account} ${id}`);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
  const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  const word = [...hash.subarray(0, 26)].map((byte) => letters[byte & 31]).join('');
  return ULID.test(id) ? `${id.slice(0, 10)}${word.slice(10)}` : `0${word.slice(1)}`;
};

const stored = new WeakMap<ManifestEntry, OutboxEntry>();

/** A row of the file as an entry that waits: what this laptop asks of it, it asks of its own. */
const asStored = (given: ManifestEntry): OutboxEntry => {
  const entry: OutboxEntry = stored.get(given) ?? {
    ...given,
    account: '',
    journaled: 0,
    strikes: 0,
    next_try_at: null,
  };
  stored.set(given, entry);
  return entry;
};

/** The photo that an entry sends, and what it was made from; null where it sends none. */
export const photoOf = (given: ManifestEntry): CarriedPhoto | null =>
  bytesOf(asStored(given))?.photo ?? null;

const anyKind = (given: ManifestEntry): boolean => bytesOf(asStored(given))?.any_kind ?? false;

/** The link of the incident that was opened there: where it is here, the server has it. Null for all other entries. */
const incidentOf = (given: ManifestEntry): string | null => {
  const over = overOf(asStored(given));
  return over?.puts === 'incident' ? incidentLink(over.incident_id) : null;
};

/** A lane of the file as the account here names it. */
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

/** Bytes that a record or an entry of the time-and-material kind has here already, as `<lane> <sha256>`. */
const bytesHere = async (db: SpotterDb, lanes: readonly string[]): Promise<ReadonlySet<string>> => {
  const photos = await db.photos.where('near_miss_key').anyOf(lanes).toArray();
  const files = await db.tm_attachments.where('lane').anyOf(lanes).toArray();
  return new Set([
    ...photos.map((photo) => `${photo.near_miss_key} ${photo.sha256}`),
    ...files.map((file) => `${file.lane} ${file.sha256}`),
  ]);
};

/** Lanes of near misses that are here as a draft, or came in as one: what became of it here is the one to be filed. */
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

/** Which entries of the file are not here, in their order. */
const missingEntries = async (
  { db }: Pick<Deps, 'db'>,
  { manifest }: ExportFile,
  laneOf: (lane: string) => string,
  { waiting, allowed }: ImportChoice,
): Promise<readonly ManifestEntry[]> => {
  if (!waiting && allowed.length === 0) return [];
  const ids = manifest.entries.map((entry) => entry.id);
  const over = new Set([
    ...(await db.entries.bulkGet(ids)).flatMap((entry) => entry?.id ?? []),
    ...(await db.tombstones.bulkGet(ids)).flatMap((stone) => stone?.entry_id ?? []),
  ]);
  const lanes = [...new Set(manifest.entries.map((entry) => laneOf(entry.lane)))];
  const begun = await draftsHere(db, manifest, lanes);
  const opened = manifest.entries.flatMap((entry) => incidentOf(entry) ?? []);
  const incidents = new Set(
    (await db.links.bulkGet(opened)).flatMap((link) => link?.local_id ?? []),
  );
  const rows = manifest.entries.flatMap((entry) => rowsOf(asStored(entry)));
  const here = await rowsHere(db, rows);
  const bytes = await bytesHere(db, lanes);
  const readable = new Set(manifest.photos.flatMap((one) => (one.whole ? one.photo_id : [])));
  const isMissing = (entry: ManifestEntry): boolean => {
    const lane = laneOf(entry.lane);
    if (over.has(entry.id) || begun.has(lane)) return false;
    const asked = factsOf(entry.kind)?.asks ?? null;
    if (asked === null ? !waiting : !allowed.includes(asked)) return false;
    const incident = incidentOf(entry);
    if (incident !== null) return !incidents.has(incident);
    const photo = photoOf(entry);
    if (photo !== null)
      return readable.has(photo.photo_id) && !bytes.has(`${lane} ${photo.sha256}`);
    // What it makes is here: waiting, changed since, or delivered. A second create would be a second record.
    return !rowsOf(asStored(entry)).some(({ key }) => here.has(key));
  };
  return manifest.entries.filter(isMissing).toSorted((a, b) => a.seq - b.seq);
};

/** New ids in the order of the old ones: photos are listed by theirs. An old id may be written in small letters too. */
const idsFor = (old: readonly string[]): ReadonlyMap<string, string> => {
  const pairs = [...new Set(old)].toSorted().map((id) => [id, newId()] as const);
  return new Map([
    ...pairs,
    ...pairs.map(([id, mine]) => [attachmentRef(id), attachmentRef(mine)] as const),
  ]);
};

/** A value in which every text that is one of the ids is the new one. Everything else is as it was. */
const renamed = (value: unknown, ids: ReadonlyMap<string, string>): unknown => {
  if (typeof value === 'string') return ids.get(value) ?? value;
  if (Array.isArray(value)) return value.map((one) => renamed(one, ids));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, renamed(one, ids)]));
};

/** A photo as it can come in: without an original whose bytes are not in the file. @throws RefusedFile */
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
  // What was drawn is in the picture; without the original it cannot be drawn anew.
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

/** An entry as it is put on the queue here: with its photo as it can come in, under the ids of this laptop. @throws RefusedFile */
const arrived = (
  given: ManifestEntry,
  lane: string,
  photo: CarriedPhoto | undefined,
  ids: ReadonlyMap<string, string>,
): NewEntry => {
  const { id, kind, version } = given;
  const read = entryOf(asStored(given));
  const payload =
    read === null || photo === undefined ? given.payload : withPhoto(read, photo).payload;
  const mine = { ...(renamed(payload, ids) as object), key: lane };
  const entry = newEntryOf({ id, kind, version, lane, payload: mine });
  if (entry === null) throw new RefusedFile('damaged', `entry ${id}`);
  return entry;
};

const planWaiting = async (
  deps: Pick<Deps, 'db'>,
  file: ExportFile,
  account: string,
  choice: ImportChoice,
): Promise<Omit<ImportPlan, 'drafts' | 'photos'>> => {
  const { manifest } = file;
  const laneOf = lanesOf(manifest, account);
  const missing = await missingEntries(deps, file, laneOf, choice);
  const inZip = new Map(manifest.photos.map((photo) => [photo.photo_id, photo]));
  const photos = new Map<string, CarriedPhoto>();
  for (const entry of missing) {
    const photo = photoOf(entry);
    if (photo !== null) photos.set(entry.id, arriving(photo, inZip.get(photo.photo_id), file));
  }
  const ids = idsFor([
    ...[...photos.values()].flatMap(idsIn),
    // A near miss keeps its key: it is the lane of all that waits for it.
    ...missing.flatMap((entry) =>
      rowsOf(asStored(entry)).flatMap(({ key }) => (key === entry.lane ? [] : key)),
    ),
  ]);
  const files: PlannedFile[] = [];
  const entries = missing.map((given): PlannedEntry => {
    const lane = laneOf(given.lane);
    const photo = photos.get(given.id);
    const entry = arrived(given, lane, photo, ids);
    const at = inZip.get(photo?.photo_id ?? '');
    if (photo !== undefined && at !== undefined)
      files.push(...filesOf(photo, at, ids, anyKind(given)));
    return { given, lane, entry, made_at: at?.created_at ?? given.created_at };
  });
  const lanes = new Set(missing.map((entry) => entry.lane));
  const near_misses = manifest.near_misses.filter((row) => lanes.has(row.key));
  return {
    entries,
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
  // An unfinished edit is found by its record.
  const mine = await Promise.all(
    drafts.map(({ account: from, id, edits }) =>
      edits === undefined ? draftIdOf(from, id) : editDraftId(edits),
    ),
  );
  const ids = [...drafts.map(({ id }) => id), ...mine];
  const here = new Set([
    // What was thrown away is kept for a while for "Undo" alone.
    ...(await db.drafts.bulkGet(ids)).flatMap((row) => (row && !row.thrown_at ? row.id : [])),
    ...(await db.near_misses.bulkGet(ids)).flatMap((row) => row?.key ?? []),
  ]);
  const open = await db.drafts.filter(({ thrown_at }) => thrown_at === undefined).toArray();
  const edited = new Set(open.flatMap((row) => row.edits ?? []));
  const rows = new Map<string, DraftRow>();
  for (const [index, { edits, seen, ...draft }] of drafts.entries()) {
    const id = mine[index] ?? newId();
    if (here.has(id) || here.has(draft.id)) continue;
    // An edit that was begun here stays the only one of its record.
    if (edits !== undefined && edited.has(edits)) continue;
    rows.set(draft.id, {
      ...draft,
      id,
      account,
      fields: draft.fields as DraftRow['fields'],
      ...(edits === undefined ? {} : { edits }),
      ...(seen === undefined ? {} : { seen }),
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

/** Nothing is written. @throws RefusedFile */
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
