/**
 * Everything of an account on this laptop as one zip, and back on another: what waits (export.ts), the near misses begun and
 * not yet saved, with their photos, and the settings. No token: that stays in the keychain. The file is an export of
 * what waits with more in it, so that an import of what waits alone reads it as well.
 */
import { z } from 'zod';
import { photoFacts, ulidSchema } from '../../contract/host.ts';
import { type Settings, settingsChange } from '../../contract/settings.ts';
import type { Result } from '../../contract/problem.ts';
import type { Deps, DraftRow, PhotoRow } from '../data/db.ts';
import { storageProblem } from '../data/near-misses.ts';
import { readEdits } from '../photos/markup/model.ts';
import { bytesOf, type Export, exportItems, type ExportPart, safeName } from './export.ts';
import { type ExportFile, RefusedFile } from './export-file.ts';
import {
  type ImportOffer,
  importRefused,
  type ImportResult,
  offerImport,
  takePhoto,
} from './import.ts';

const SETTINGS_NAME = 'settings.json';
const DRAFTS_NAME = 'drafts.json';
/** Most bytes of either, unfolded. */
const JSON_MAX = 64 * 1024 * 1024;

type Original = NonNullable<PhotoRow['original']>;
const pathOf = (photo: Pick<PhotoRow, 'photo_id' | 'filename'>): string =>
  `drafts/${photo.photo_id}-${safeName(photo.filename)}`;
const originalPath = ({ photo_id }: Original): string => `drafts/${photo_id}-original`;

/** Unfinished near misses and edits of an account. */
const draftsOf = async ({ db }: Deps, account: string): Promise<readonly DraftRow[]> =>
  db.drafts.filter((draft) => draft.account === account && draft.thrown_at === undefined).toArray();

async function* extras(
  deps: Deps,
  account: string,
  settings: Settings,
): AsyncGenerator<ExportPart> {
  yield { name: SETTINGS_NAME, input: JSON.stringify(settings, null, 2) };
  const drafts = await draftsOf(deps, account);
  const ids = drafts.map(({ id }) => id);
  const photos = await deps.db.photos.where('draft_id').anyOf(ids).toArray();
  const unread = new Set<string>();
  for (const photo of photos) {
    yield { name: pathOf(photo), input: bytesOf(deps, photo, unread) };
    const { original } = photo;
    if (original) yield { name: originalPath(original), input: bytesOf(deps, original, unread) };
  }
  const told = photos.map(({ thumbnail: _thumbnail, ...photo }) => ({
    ...photo,
    path: pathOf(photo),
    whole: !unread.has(photo.photo_id) && !unread.has(photo.original?.photo_id ?? ''),
  }));
  yield { name: DRAFTS_NAME, input: JSON.stringify({ drafts, photos: told }, null, 2) };
}

/** What waits, drafts and settings of an account; streams like `exportItems`. */
export const exportEverything = async (
  deps: Deps,
  account: string,
  settings: Settings,
): Promise<Export> => {
  const made = await exportItems(deps, account, undefined, extras(deps, account, settings));
  return { ...made, filename: made.filename.replace('waiting', 'everything') };
};

/** How many bytes of photos an export of everything will hold, for its progress. */
export const everythingSize = async (deps: Deps, account: string): Promise<number> => {
  const drafts = await draftsOf(deps, account);
  const ids = drafts.map(({ id }) => id);
  const photos = await deps.db.photos.where('draft_id').anyOf(ids).toArray();
  return photos.reduce((sum, { size, original }) => sum + size + (original?.size ?? 0), 0);
};

const positive = z.number().int().positive();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const draftsSchema = z.object({
  drafts: z
    .array(
      z.object({
        id: z.string().min(1).max(200),
        edits: z.string().max(200).optional(),
        account: z.string().min(1).max(500),
        ...{ company_id: positive, project_id: positive },
        fields: z
          .object({
            incident_id: z.number().int().nonnegative(),
            description: z.string().max(1024 * 1024),
            affected_company_id: positive.nullable(),
            affected_party_id: positive.nullable(),
            affected_person_id: positive.nullable(),
            harm_source_id: positive.nullable(),
            managed_equipment_id: positive.nullable(),
            work_activity_id: positive.nullable(),
            custom_fields: z.record(z.string(), z.unknown()),
          })
          .partial(),
        ...{ created_at: z.number(), updated_at: z.number() },
      }),
    )
    .max(10_000),
  photos: z
    .array(
      photoFacts.extend({
        ...{ draft_id: z.string().max(200), path: z.string().max(300), whole: z.boolean() },
        ...{ sha256, size: positive },
        taken_at: z
          .object({ local: z.string(), offset: z.string().nullable(), at: z.number().nullable() })
          .nullable(),
        gps: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
        orientation: z.number().int().nullable(),
        direction: z.number().nullable().optional(),
        cleaned: z.boolean().optional(),
        original: z.object({ photo_id: ulidSchema, size: positive, sha256 }).optional(),
        edits: z.unknown().optional(),
        created_at: z.number(),
      }),
    )
    .max(10_000),
});
type Drafts = z.infer<typeof draftsSchema>;
type DraftPhoto = Drafts['photos'][number];

/** What the user is asked about. */
export interface EverythingOffer {
  readonly waiting: ImportOffer;
  readonly file: ExportFile;
  readonly drafts: Drafts;
  /** Null: the file has none, as an export of what waits has not. */
  readonly settings: Partial<Settings> | null;
}

/** Looks into a file for an account. Nothing is written. */
export const offerEverything = async (
  file: Blob,
  owner: { readonly account: string; readonly company_id: number },
): Promise<ImportResult<EverythingOffer>> => {
  const waiting = await offerImport(file, owner);
  if (!waiting.ok) return waiting;
  const opened = waiting.value.file;
  try {
    const drafts = draftsSchema.safeParse(
      (await opened.json(DRAFTS_NAME, JSON_MAX)) ?? { drafts: [], photos: [] },
    );
    if (!drafts.success) throw new RefusedFile('damaged', DRAFTS_NAME);
    const raw = await opened.json(SETTINGS_NAME, JSON_MAX);
    const settings = settingsChange.safeParse(raw);
    if (raw !== null && !settings.success) throw new RefusedFile('damaged', SETTINGS_NAME);
    const found = {
      ...{ waiting: waiting.value, file: opened },
      drafts: oursOf(drafts.data, owner),
      settings: raw === null ? null : (settings.data ?? null),
    };
    return { ok: true, value: found };
  } catch (error) {
    return importRefused(error);
  }
};

/** Drafts of the company in use. An edit of a record belongs to whoever began it: of another account it is left out. */
const oursOf = (
  { drafts, photos }: Drafts,
  owner: { readonly account: string; readonly company_id: number },
): Drafts => {
  const ours = drafts.filter(
    (draft) =>
      draft.company_id === owner.company_id &&
      (draft.edits === undefined || draft.account === owner.account),
  );
  const ids = new Set(ours.map(({ id }) => id));
  return { drafts: ours, photos: photos.filter((photo) => ids.has(photo.draft_id)) };
};

const photoRow = (photo: DraftPhoto, account: string): PhotoRow => {
  const { path: _path, whole: _whole, edits: raw, direction, cleaned, original, ...facts } = photo;
  const edits = readEdits(raw);
  return {
    ...facts,
    ...(direction === undefined ? {} : { direction }),
    ...(cleaned === undefined ? {} : { cleaned }),
    ...(original === undefined ? {} : { original }),
    ...(edits === null ? {} : { edits }),
    ...{ account, near_miss_key: null, thumbnail: null, state: 'draft' },
    ...{ upload_uuid: null, attachment_id: null, receipt: null, problem: null },
  };
};

/** A photo and what it was made from, into the spool. @throws RefusedFile */
const takeBoth = async (
  deps: Deps,
  file: ExportFile,
  photo: DraftPhoto,
  taken: string[],
): Promise<Result<null>> => {
  taken.push(photo.photo_id);
  const came = await takePhoto(deps, file, photo);
  const { original } = photo;
  if (!came.ok || original === undefined) return came;
  taken.push(original.photo_id);
  return takePhoto(deps, file, {
    ...{ ...original, filename: photo.filename, path: originalPath(original) },
  });
};

/** Takes the drafts in that are not here yet, as the account's own; answers how many. What is refused changes nothing. */
export const importDrafts = async (
  deps: Deps,
  { file, drafts }: EverythingOffer,
  account: string,
  onPhoto: (done: number, of: number) => void = () => {},
): Promise<ImportResult<number>> => {
  const { db, host } = deps;
  const taken: string[] = [];
  const undo = async (): Promise<void> => {
    for (const photo_id of taken) await host.call('photos.discard', { photo_id });
  };
  try {
    const ids = drafts.drafts.map(({ id }) => id);
    const here = new Set([
      ...(await db.drafts.bulkGet(ids)).flatMap((row) => row?.id ?? []),
      ...(await db.near_misses.bulkGet(ids)).flatMap((row) => row?.key ?? []),
    ]);
    const missing = drafts.drafts.filter(({ id }) => !here.has(id));
    const wanted = new Set(missing.map(({ id }) => id));
    const known = await db.photos.bulkGet(drafts.photos.map(({ photo_id }) => photo_id));
    const photos = drafts.photos.filter(
      (photo, index) => photo.whole && wanted.has(photo.draft_id) && known[index] === undefined,
    );
    for (const [done, photo] of photos.entries()) {
      onPhoto(done, photos.length);
      const came = await takeBoth(deps, file, photo, taken);
      if (came.ok) continue;
      await undo();
      return { ok: false, problem: { kind: 'problem', problem: came.problem } };
    }
    const rows: DraftRow[] = missing.map(({ edits, ...draft }) => ({
      ...{ ...draft, account, fields: draft.fields as DraftRow['fields'] },
      ...(edits === undefined ? {} : { edits }),
    }));
    await db.transaction('rw', db.drafts, db.photos, async () => {
      await db.drafts.bulkAdd(rows);
      await db.photos.bulkAdd(photos.map((photo) => photoRow(photo, account)));
    });
    return { ok: true, value: rows.length };
  } catch (error) {
    await undo();
    if (error instanceof RefusedFile) return importRefused(error);
    return { ok: false, problem: { kind: 'problem', problem: storageProblem(error) } };
  }
};
