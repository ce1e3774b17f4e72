/**
 * Takes an export of another laptop in, for the account that is signed in: what waits, and, where it holds them, drafts. Ids of
 * entries are kept (import-plan.ts), so that importing twice, on the laptop it came from, or sending from both files nothing
 * twice. Everything is looked at first, its files staged and compared, and only then it takes effect, all at once: a file
 * that is refused changes nothing. What deletes, adds or removes people, or tells other systems comes in only where a person
 * says so, kind by kind.
 */
import { type Problem } from '../../contract/problem.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Deps } from '../data/db.ts';
import { storageProblem } from '../data/storage-problem.ts';
import type { Drafts } from './export-file.ts';
import { type ImportRefusal, RefusedFile } from './refused-file.ts';
import { commitImport } from './import-commit.ts';
import { type ImportChoice, photoOf, planImport } from './import-plan.ts';
import { type AskedKind, askedKinds } from '../entries/answers.ts';
import { factsOf, isKnown, newEntryOf } from '../entries/entry.ts';
import { type ExportFile, readExportFile } from './import-reader.ts';
import { dropStaged, importAlone, stage } from './import-stage.ts';
import { repairJournal } from './rebuild.ts';

export type { AskedKind } from '../entries/answers.ts';
export type ImportProblem = ImportRefusal | { readonly kind: 'problem'; readonly problem: Problem };
export type ImportResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: ImportProblem };

/** What the user is asked about. */
export interface ImportOffer {
  readonly file: ExportFile;
  /** Records and lanes with something that comes in without being asked for. */
  readonly records: number;
  readonly photos: number;
  readonly bytes: number;
  /** Photos that could not be read when it was exported. */
  readonly left_out: number;
  /** Changes that come in only where a person says so, and how many there are of each kind. */
  readonly asked: readonly { readonly kind: AskedKind; readonly entries: number }[];
  /** Near misses that were begun, and their photos: of an export of everything. */
  readonly drafts: Drafts;
  /** Null: the file has none. */
  readonly settings: Partial<Settings> | null;
  /** Milliseconds since the epoch. */
  readonly exported_at: number;
  /** Another user of the same company: the server does not know the keys as the same. */
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

/** Drafts of the company in use. An edit of a record belongs to whoever began it: of another account it is left out. */
const oursOf = ({ drafts, photos }: Drafts, owner: Owner): Drafts => {
  const ours = drafts.filter(
    (draft) =>
      draft.company_id === owner.company_id &&
      (draft.edits === undefined || draft.account === owner.account),
  );
  const ids = new Set(ours.map(({ id }) => id));
  return { drafts: ours, photos: photos.filter((photo) => ids.has(photo.draft_id)) };
};

/** Every entry is one that this version can read, of this company, with the photo that it says. @throws RefusedFile */
const checkEntries = ({ manifest }: ExportFile, owner: Owner): void => {
  const inZip = new Map(manifest.photos.map((photo) => [photo.photo_id, photo]));
  for (const entry of manifest.entries) {
    if (!isKnown(entry)) throw new RefusedFile('newer');
    if (newEntryOf(entry) === null) throw new RefusedFile('damaged', `entry ${entry.id}`);
    const { company_id = owner.company_id } = entry.payload;
    if (company_id !== owner.company_id) throw new RefusedFile('other_server');
    const photo = photoOf(entry);
    const given = inZip.get(photo?.photo_id ?? '');
    if (photo !== null && (given?.sha256 !== photo.sha256 || given.size !== photo.size))
      throw new RefusedFile('damaged', `entry ${entry.id}`);
  }
};

const offerOf = (file: ExportFile, owner: Owner): ImportOffer => {
  const { manifest } = file;
  const [from, to] = [partsOf(manifest.account), partsOf(owner.account)];
  const foreign = manifest.near_misses.some((row) => row.company_id !== owner.company_id);
  if (from.place !== to.place || foreign) throw new RefusedFile('other_server');
  checkEntries(file, owner);
  const asksOf = new Map(
    manifest.entries.map((entry) => [entry.id, factsOf(entry.kind)?.asks ?? null]),
  );
  const free = manifest.entries.filter((entry) => asksOf.get(entry.id) === null);
  const waiting = new Set(free.map((entry) => photoOf(entry)?.photo_id));
  const photos = manifest.photos.filter((photo) => waiting.has(photo.photo_id));
  const whole = photos.filter((photo) => photo.whole);
  const counted = askedKinds.map((kind) => ({
    kind,
    entries: [...asksOf.values()].filter((asked) => asked === kind).length,
  }));
  return {
    file,
    drafts: oursOf(file.drafts, owner),
    settings: file.settings,
    records: new Set(free.map((entry) => entry.lane)).size,
    photos: whole.length,
    bytes: whole.reduce((sum, { size, original }) => sum + size + (original?.size ?? 0), 0),
    left_out: photos.length - whole.length,
    asked: counted.filter(({ entries }) => entries > 0),
    exported_at: Date.parse(manifest.exported_at) || 0,
    other_user: from.user !== to.user,
  };
};

/** Looks into a file for an account. Nothing is written. The caller closes `file` when the offer is over. */
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
  /** Records and lanes of which something was added to the queue. */
  readonly records: number;
  readonly photos: number;
  readonly drafts: number;
}

/** What waits, and nothing that is asked for. */
export const usualChoice: ImportChoice = { waiting: true, drafts: false, allowed: [] };

/** Takes the chosen parts in. `onPhoto`: how many files of how many are in the spool. What is refused changes nothing. */
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
      // What an import that failed left in the journal would hide that its entries are not here.
      const repaired = await repairJournal(deps);
      if (!repaired.ok)
        return { ok: false, problem: { kind: 'problem', problem: repaired.problem } };
      const plan = await planImport(deps, file, account, choice);
      const staged = await stage(deps, file, plan.files, onPhoto);
      const done = staged.ok ? await commitImport(deps, plan, account) : staged;
      if (!done.ok) {
        const told = await repairJournal(deps);
        await dropStaged(deps, told.ok);
        return { ok: false, problem: { kind: 'problem', problem: done.problem } };
      }
      const records = new Set(plan.entries.map(({ lane }) => lane)).size;
      const { length: photos } = plan.files;
      return { ok: true, value: { records, photos, drafts: plan.drafts.length } };
    } catch (error) {
      await dropStaged(deps, true).catch(() => {
        // The database went away: the next start drops them.
      });
      if (error instanceof RefusedFile) return importRefused(error);
      return { ok: false, problem: { kind: 'problem', problem: storageProblem(error) } };
    }
  });
