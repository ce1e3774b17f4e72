/**
 * [ours] The rules of a project's plans (decisions §17). What the files are is read before the transaction, because a disk is slow
 * (`readFiles`); the transaction takes the uploads over.
 */
import {
  PLAN_FILE_MAX,
  PLAN_PIXELS_MAX,
  PLAN_REVISIONS_MAX,
  PLANS_MAX,
  type Plan,
  type PlanCreate,
  type PlanDrawing,
  type PlanPicture,
  type PlanRevision,
  type PlanUpdate,
} from '../../contract/rest/plans/plans.ts';
import type { FileStore } from '../files/file-store.ts';
import { readPlanFile, type PlanFile } from '../files/plan-file.ts';
import { locate } from '../files/reading.ts';
import { stampChange } from '../store/engine/change-clock.ts';
import type { Db } from '../store/engine/db.ts';
import * as store from '../store/plans.ts';
import { findStoredFile, findUpload, type StoredFileRow } from '../store/uploads.ts';
import type { FilesContext } from './context.ts';
import { requireMatch, versionTag } from './etag.ts';
import { wireTime } from './near-misses/near-miss-view.ts';
import { pageOf, type Page, type Paged } from './page.ts';
import { invalid, notFound } from './problem.ts';

/** A plan and the ETag of this state (decisions §1.7). */
interface TaggedPlan {
  readonly data: Plan;
  readonly etag: string;
}

/** An upload and what its bytes are; null: not a PNG, JPEG or PDF. */
interface ReadFile {
  readonly stored: StoredFileRow;
  readonly found: PlanFile | null;
}
export type ReadFiles = ReadonlyMap<string, ReadFile>;

export const uuidsOf = ({ upload_uuid, picture_uuids }: PlanDrawing): readonly string[] => [
  upload_uuid,
  ...(picture_uuids ?? []),
];

/** Reads the heads of the caller's complete uploads. The others are refused when they are taken over. */
export const readFiles = async (
  db: Db,
  files: FileStore,
  owner: { readonly company_id: number; readonly user_id: number },
  drawing: PlanDrawing,
): Promise<ReadFiles> => {
  const read = new Map<string, ReadFile>();
  for (const uuid of new Set(uuidsOf(drawing))) {
    const upload = await findUpload(db, owner.company_id, uuid);
    if (upload?.owner_id !== owner.user_id || upload.stored_file_id === null) continue;
    if (upload.status === 'deleting' || upload.status === 'deleted') continue;
    const stored = await findStoredFile(db, owner.company_id, upload.stored_file_id);
    if (!stored) continue;
    const place = await locate(db, stored);
    const fits = stored.size <= PLAN_FILE_MAX;
    const found = fits ? await readPlanFile(files, place.upload, place.parts) : null;
    read.set(uuid, { stored, found });
  }
  return read;
};

const placeOf = ({ company_id, project_id }: FilesContext): store.PlanPlace => ({
  company_id,
  project_id,
});

const viewRevision = (
  context: FilesContext,
  row: store.ShownRevision,
  files: readonly store.PlanFileRow[],
): PlanRevision => {
  const urls = context.uploads.views(
    files.map((file) => ({ ...file, id: file.stored_file_id })),
    context,
  );
  const shown = files.map((file, index) => ({
    id: file.stored_file_id,
    filename: file.filename,
    content_type: file.content_type,
    size: file.size,
    sha256: file.sha256,
    url: urls[index]?.url ?? '',
    width: file.width,
    height: file.height,
  }));
  const [whole, ...rest] = shown;
  if (!whole) throw new Error('a revision without its drawing');
  const { width: _width, height: _height, ...drawing } = whole;
  // A drawing that is a picture, and was sent without others, is its only picture.
  const pictures = (rest.length > 0 ? rest : shown) as PlanPicture[];
  return {
    id: row.id,
    revision: row.label,
    page: row.page,
    drawing,
    pictures,
    created_at: wireTime(row.created_at),
    created_by: { id: row.user_id, name: row.user_name, login: row.user_login },
  };
};

const viewPlans = async (
  context: FilesContext,
  rows: readonly store.PlanRow[],
): Promise<Plan[]> => {
  const { db, company_id } = context;
  const ids = rows.map(({ id }) => id);
  const revisions = await store.listRevisions(db, company_id, ids);
  const files = await store.listFiles(
    db,
    company_id,
    revisions.map(({ id }) => id),
  );
  const filesOf = Map.groupBy(files, ({ revision_id }) => revision_id);
  const revisionsOf = Map.groupBy(revisions, ({ plan_id }) => plan_id);
  return rows.map((row) => ({
    id: row.id,
    project_id: row.project_id,
    name: row.name,
    number: row.number,
    active: row.active === 1,
    revisions: (revisionsOf.get(row.id) ?? []).map((revision) =>
      viewRevision(context, revision, filesOf.get(revision.id) ?? []),
    ),
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
  }));
};

const tagged = async (context: FilesContext, row: store.PlanRow): Promise<TaggedPlan> => {
  const [data] = await viewPlans(context, [row]);
  if (!data) throw new Error('a plan without a view');
  return { data, etag: versionTag(row) };
};

const find = async (context: FilesContext, id: number): Promise<store.PlanRow> => {
  const row = await store.findPlan(context.db, placeOf(context), id);
  if (!row) throw notFound();
  return row;
};

export const listPlans = (context: FilesContext, paged: Paged): Promise<Page<Plan>> =>
  pageOf(paged, {
    count: () => store.countPlans(context.db, placeOf(context)),
    rows: (slice) => store.listPlans(context.db, placeOf(context), slice),
    view: (rows) => viewPlans(context, rows),
  });

/** @throws Refusal 404 */
export const showPlan = async (context: FilesContext, id: number): Promise<TaggedPlan> =>
  tagged(context, await find(context, id));

const KINDS = 'must be a PNG, a JPEG or a PDF: that is judged by its bytes, not by its name';
const TOO_LARGE = `must be at most ${PLAN_FILE_MAX / 1024 / 1024} MB`;

/** Why a file is no picture that can be shown; null if it is one. */
const pictureProblem = ({ stored, found }: ReadFile): string | null => {
  if (stored.size > PLAN_FILE_MAX) return TOO_LARGE;
  if (found === null || found.width === null || found.height === null)
    return 'must be a PNG or a JPEG: that is judged by its bytes, not by its name';
  const pixels = found.width * found.height;
  return pixels > PLAN_PIXELS_MAX
    ? `has ${found.width} x ${found.height} pixels: at most ${PLAN_PIXELS_MAX} can be shown`
    : null;
};

/** Why the drawing cannot be taken; null if it can. */
const drawingProblem = (file: ReadFile, pictures: number): string | null => {
  if (file.stored.size > PLAN_FILE_MAX) return TOO_LARGE;
  if (file.found === null) return KINDS;
  if (pictures > 0) return null;
  return file.found.width === null
    ? 'is a PDF: send its page as a picture too, in picture_uuids'
    : pictureProblem(file);
};

type NewFile = Omit<store.PlanFileRow, 'company_id' | 'revision_id'>;

const fileRow = (uuid: string, { stored, found }: ReadFile, position: number): NewFile => ({
  position,
  upload_uuid: uuid,
  stored_file_id: stored.id,
  filename: stored.filename,
  content_type: found?.content_type ?? stored.content_type,
  size: stored.size,
  sha256: stored.sha256,
  width: found?.width ?? null,
  height: found?.height ?? null,
});

/** The files of a revision: the drawing, then its pictures by size. @throws Refusal 422 */
const judgeFiles = (body: string, drawing: PlanDrawing, read: ReadFiles): NewFile[] => {
  const errors: Record<string, string[]> = {};
  const uuids = [...new Set(drawing.picture_uuids ?? [])];
  const whole = read.get(drawing.upload_uuid);
  const problem = whole ? drawingProblem(whole, uuids.length) : null;
  if (problem !== null) errors[`${body}.upload_uuid`] = [problem];
  if (drawing.page && whole?.found && whole.found.content_type !== 'application/pdf')
    errors[`${body}.page`] = ['must be absent: only a PDF has pages'];
  const pictures = uuids.flatMap((uuid) => {
    const file = read.get(uuid);
    return file ? [{ uuid, file }] : [];
  });
  const messages = pictures.flatMap(({ uuid, file }) => {
    const why = pictureProblem(file);
    return why === null ? [] : [`${uuid.slice(0, 60)} ${why}`];
  });
  if (messages.length > 0) errors[`${body}.picture_uuids`] = messages;
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const sorted = pictures.sort((a, b) => (a.file.found?.width ?? 0) - (b.file.found?.width ?? 0));
  return [
    ...(whole ? [fileRow(drawing.upload_uuid, whole, 0)] : []),
    ...sorted.map(({ uuid, file }, index) => fileRow(uuid, file, index + 1)),
  ];
};

/** Takes the uploads over. @throws Refusal 422 */
const addRevision = async (
  context: FilesContext,
  plan_id: number,
  body: 'plan' | 'revision',
  drawing: PlanDrawing,
  read: ReadFiles,
): Promise<void> => {
  const { db, company_id, project_id, user_id, now } = context;
  const record = { type: 'plans', id: project_id } as const;
  const take = (field: string, upload_uuids: readonly string[]) =>
    context.uploads.associate(db, { company_id, user_id, record, upload_uuids, field, now });
  await take(`${body}.upload_uuid`, [drawing.upload_uuid]);
  await take(`${body}.picture_uuids`, drawing.picture_uuids ?? []);
  const files = judgeFiles(body, drawing, read);
  if (files.length !== new Set(uuidsOf(drawing)).size)
    throw invalid({ [`${body}.upload_uuid`]: ['is not complete: send its bytes first'] });
  await store.insertRevision(
    db,
    {
      company_id,
      plan_id,
      label: drawing.revision || null,
      page: drawing.page ?? null,
      created_by: user_id,
      created_at: now,
    },
    files,
  );
};

/** @throws Refusal 422 */
export const createPlan = async (
  context: FilesContext,
  body: PlanCreate,
  read: ReadFiles,
): Promise<TaggedPlan> => {
  const { db, company_id, project_id, now } = context;
  // The company's lock comes with the stamp, so two requests cannot both take the last place.
  const updated_at = await stampChange(db, company_id, now);
  if ((await store.countPlans(db, placeOf(context))) >= PLANS_MAX)
    throw invalid({ plan: [`a project has at most ${PLANS_MAX} plans: delete one first`] });
  const row = await store.insertPlan(db, {
    company_id,
    project_id,
    name: body.name,
    number: body.number || null,
    active: 1,
    version: 1,
    created_at: now,
    updated_at,
  });
  await addRevision(context, row.id, 'plan', body, read);
  return tagged(context, row);
};

const change = async (
  context: FilesContext,
  row: store.PlanRow,
  set: Partial<store.PlanRow>,
): Promise<store.PlanRow> => {
  const updated_at = await stampChange(context.db, row.company_id, context.now);
  const changed = { ...row, ...set, version: row.version + 1, updated_at };
  await store.updatePlan(context.db, row, { ...set, version: changed.version, updated_at });
  return changed;
};

/** A newer revision: it is shown from now on, and the older ones stay. @throws Refusal 404, 412, 422 */
export const createRevision = async (
  context: FilesContext,
  id: number,
  drawing: PlanDrawing,
  read: ReadFiles,
  if_match: string | undefined,
): Promise<TaggedPlan> => {
  const row = await find(context, id);
  requireMatch(if_match, versionTag(row));
  const changed = await change(context, row, { active: 1 });
  const before = await store.listRevisions(context.db, row.company_id, [id]);
  if (before.length >= PLAN_REVISIONS_MAX)
    throw invalid({ revision: [`a plan has at most ${PLAN_REVISIONS_MAX} revisions`] });
  await addRevision(context, id, 'revision', drawing, read);
  return tagged(context, changed);
};

/** @throws Refusal 404, 412 */
export const updatePlan = async (
  context: FilesContext,
  id: number,
  body: PlanUpdate,
  if_match: string | undefined,
): Promise<TaggedPlan> => {
  const row = await find(context, id);
  requireMatch(if_match, versionTag(row));
  const set = {
    name: body.name ?? row.name,
    number: body.number === undefined ? row.number : body.number || null,
    active: body.active === undefined ? row.active : Number(body.active),
  };
  const isSame = set.name === row.name && set.number === row.number && set.active === row.active;
  return tagged(context, isSame ? row : await change(context, row, set));
};

/** The bytes go too, except those that another plan has. @throws Refusal 404, 412 */
export const deletePlan = async (
  context: FilesContext,
  id: number,
  if_match: string | undefined,
): Promise<void> => {
  const row = await find(context, id);
  requireMatch(if_match, versionTag(row));
  const { db, company_id } = context;
  await stampChange(db, company_id, context.now);
  for (const upload_uuid of await store.deletePlan(db, row))
    await context.uploads.release(db, { company_id, upload_uuid });
};
