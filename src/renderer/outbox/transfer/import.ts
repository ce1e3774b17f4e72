/**
 * Imports another laptop's export for the signed-in account: the queue and, if present, drafts. Operations keep their ids
 * (import-plan.ts), so that importing twice, importing on the original laptop, or sending from both sends nothing
 * twice. Everything is validated and staged first and then takes effect at once; a refused file changes nothing.
 * Operations that delete, change members or notify other systems are imported only if a person confirms that kind.
 */
import { type Problem } from '../../../contract/problem.ts';
import type { Settings } from '../../../contract/settings.ts';
import type { Deps } from '../../data/db/db.ts';
import { storageProblem } from '../../data/db/storage-problem.ts';
import type { Drafts } from './export-file.ts';
import { type ImportRefusal, RefusedFile } from './refused-file.ts';
import { commitImport } from './import-commit.ts';
import { type ImportChoice, photoOf, planImport } from './import-plan.ts';
import { type AskedKind, askedKinds } from '../../operations/spec.ts';
import { traitsOf, isKnown, newOperationOf } from '../../operations/operation.ts';
import { type ExportFile, readExportFile } from './import-reader.ts';
import { dropStaged, importAlone, stage } from './import-stage.ts';
import { repairJournal } from '../journal/rebuild.ts';

export type { AskedKind } from '../../operations/spec.ts';
export type ImportProblem = ImportRefusal | { readonly kind: 'problem'; readonly problem: Problem };
export type ImportResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: ImportProblem };

/** The content of a file, for the user's choice. */
export interface ImportOffer {
  readonly file: ExportFile;
  /** Records and lanes with operations that need no confirmation. */
  readonly records: number;
  readonly photos: number;
  readonly bytes: number;
  /** Photos that could not be read when they were exported. */
  readonly left_out: number;
  /** Operations that need a confirmation, counted by kind. */
  readonly asked: readonly { readonly kind: AskedKind; readonly operations: number }[];
  /** Unfinished near misses with their photos, from an export of everything. */
  readonly drafts: Drafts;
  /** Null if the file has none. */
  readonly settings: Partial<Settings> | null;
  /** Milliseconds since the epoch. */
  readonly exported_at: number;
  /** True if exported by another user of the company, for whom the server does not recognise the idempotency keys. */
  readonly other_user: boolean;
}

const importRefused = (
  error: unknown,
): { readonly ok: false; readonly problem: ImportProblem } => ({
  ok: false,
  problem:
    error instanceof RefusedFile
      ? error.refusal
      : { kind: 'problem', problem: { kind: 'bug', detail: `import: ${String(error)}` } },
});

interface Owner {
  readonly account: string;
  readonly company_id: number;
}

/** `<server>/<company>/<user>`: the host's form of an account. */
const partsOf = (account: string) => {
  const [, place = account, user = ''] = /^(.*)\/([^/]*)$/.exec(account) ?? [];
  return { place, user };
};

/** Drafts of the current company. An unfinished edit belongs to its author, so edits of other accounts are left out. */
const oursOf = ({ drafts, photos }: Drafts, owner: Owner): Drafts => {
  const ours = drafts.filter(
    (draft) =>
      draft.company_id === owner.company_id &&
      (draft.edits === undefined || draft.account === owner.account),
  );
  const ids = new Set(ours.map(({ id }) => id));
  return { drafts: ours, photos: photos.filter((photo) => ids.has(photo.draft_id)) };
};

/** Checks that this version can read every operation, and that it has the right company and photo. @throws RefusedFile */
const checkEntries = ({ manifest }: ExportFile, owner: Owner): void => {
  const inZip = new Map(manifest.photos.map((photo) => [photo.photo_id, photo]));
  for (const operation of manifest.operations) {
    if (!isKnown(operation)) throw new RefusedFile('newer');
    if (newOperationOf(operation) === null)
      throw new RefusedFile('damaged', `operation ${operation.id}`);
    const { company_id = owner.company_id } = operation.payload;
    if (company_id !== owner.company_id) throw new RefusedFile('other_server');
    const photo = photoOf(operation);
    const given = inZip.get(photo?.photo_id ?? '');
    if (photo !== null && (given?.sha256 !== photo.sha256 || given.size !== photo.size))
      throw new RefusedFile('damaged', `operation ${operation.id}`);
  }
};

const offerOf = (file: ExportFile, owner: Owner): ImportOffer => {
  const { manifest } = file;
  const [from, to] = [partsOf(manifest.account), partsOf(owner.account)];
  const foreign = manifest.near_misses.some((row) => row.company_id !== owner.company_id);
  if (from.place !== to.place || foreign) throw new RefusedFile('other_server');
  checkEntries(file, owner);
  const asksOf = new Map(
    manifest.operations.map((operation) => [operation.id, traitsOf(operation.kind)?.asks ?? null]),
  );
  const free = manifest.operations.filter((operation) => asksOf.get(operation.id) === null);
  const waiting = new Set(free.map((operation) => photoOf(operation)?.photo_id));
  const photos = manifest.photos.filter((photo) => waiting.has(photo.photo_id));
  const whole = photos.filter((photo) => photo.whole);
  const counted = askedKinds.map((kind) => ({
    kind,
    operations: [...asksOf.values()].filter((asked) => asked === kind).length,
  }));
  return {
    file,
    drafts: oursOf(file.drafts, owner),
    settings: file.settings,
    records: new Set(free.map((operation) => operation.lane)).size,
    photos: whole.length,
    bytes: whole.reduce((sum, { size, original }) => sum + size + (original?.size ?? 0), 0),
    left_out: photos.length - whole.length,
    asked: counted.filter(({ operations }) => operations > 0),
    exported_at: Date.parse(manifest.exported_at) || 0,
    other_user: from.user !== to.user,
  };
};

/**
 * Opens a file for an account, without writing anything. The caller closes `file` when it no longer needs the offer.
 */
export const offerImport = async (blob: Blob, owner: Owner): Promise<ImportResult<ImportOffer>> => {
  let file: ExportFile | null = null;
  try {
    file = await readExportFile(blob);
    return { ok: true, value: offerOf(file, owner) };
  } catch (error) {
    file?.close();
    return importRefused(error);
  }
};

export interface Imported {
  /** Records and lanes that got new operations. */
  readonly records: number;
  readonly photos: number;
  readonly drafts: number;
}

/** The queue, without operations that need a confirmation. */
export const usualChoice: ImportChoice = { waiting: true, drafts: false, allowed: [] };

/** Imports the chosen parts. `onPhoto` reports the number of staged files. A refused file changes nothing. */
export const importItems = (
  deps: Deps,
  offer: ImportOffer,
  account: string,
  choice: ImportChoice = usualChoice,
  onPhoto: (done: number, of: number) => void = () => {},
): Promise<ImportResult<Imported>> =>
  importAlone(deps, async () => {
    const file = { ...offer.file, drafts: offer.drafts };
    try {
      // Leftovers of a failed import in the journal would hide that its operations are missing here.
      const repaired = await repairJournal(deps);
      if (!repaired.ok)
        return { ok: false, problem: { kind: 'problem', problem: repaired.problem } };
      const plan = await planImport(deps, file, account, choice);
      const staged = await stage(deps, file, plan.files, onPhoto);
      const done = staged.ok ? await commitImport(deps, plan, account) : staged;
      if (!done.ok) {
        const again = await repairJournal(deps);
        await dropStaged(deps, again.ok);
        return { ok: false, problem: { kind: 'problem', problem: done.problem } };
      }
      const records = new Set(plan.operations.map(({ lane }) => lane)).size;
      const { length: photos } = plan.files;
      return { ok: true, value: { records, photos, drafts: plan.drafts.length } };
    } catch (error) {
      await dropStaged(deps, true).catch(() => {
        // The database is gone; the next start drops them.
      });
      if (error instanceof RefusedFile) return importRefused(error);
      return { ok: false, problem: { kind: 'problem', problem: storageProblem(error) } };
    }
  });
