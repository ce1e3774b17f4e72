/**
 * `import FILE --company ID --kind KIND [--project ID --user LOGIN] [--dry-run]`: imports a company's records from a
 * spreadsheet or a list, all or none (decisions §11.5). Opens the database beside a running service, like `token`.
 * Reports every bad line on stderr.
 */
import { access } from 'node:fs/promises';
import { importKindNames, type ImportKind } from '../../contract/rest/import-kinds.ts';
import { recordImport } from '../domain/company/company-record-import.ts';
import type { Import, ImportCounts, ReportErrors } from '../domain/import-rows.ts';
import { incidentImport } from '../domain/near-misses/incident-import.ts';
import type { FieldErrors } from '../domain/problem.ts';
import { OptionError, parseCommand } from '../options.ts';
import type { Db, Store } from '../store/engine/db.ts';
import { lockImport } from '../store/import-lock.ts';
import { openDataDir } from '../store/engine/lock.ts';
import { everything } from '../domain/access/access.ts';
import { findUserByLogin } from '../store/access/logins.ts';
import { findCompany, isMember, projectExists } from '../store/users.ts';
import { rowsOfFile, UnreadableFile } from './import-file.ts';

/** Maximum number of reported errors; further ones are only counted. */
const REPORTED_MAX = 1000;

interface Outcome extends ImportCounts {
  /** Number of refused rows. */
  readonly bad: number;
  /** `line 17, name: must not be empty` */
  readonly reported: readonly string[];
}

/** Thrown to roll back the transaction. */
class Undo extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super('undone');
    this.outcome = outcome;
  }
}

interface Wanted {
  readonly file: string;
  readonly kind: ImportKind;
  readonly company_id: number;
  readonly dry_run: boolean;
  /** For incidents: the project, and the user who creates them. */
  readonly project_id: number;
  readonly user: string;
}

/** Starts an import. Incidents need a project and a user; other kinds belong to the company. @throws {OptionError} */
const begin = async (db: Db, wanted: Wanted, now: number, bad: ReportErrors): Promise<Import> => {
  const { kind, company_id, project_id } = wanted;
  if (!(await findCompany(db, company_id)))
    throw new OptionError(`There is no company ${company_id}.`);
  if (kind !== 'incidents')
    return recordImport({ db, company_id, now, access: everything }, kind, bad);
  if (!(await projectExists(db, { company_id, project_id })))
    throw new OptionError(`Company ${company_id} has no project ${project_id}.`);
  const user = await findUserByLogin(db, wanted.user);
  if (!user || !(await isMember(db, company_id, user.id)))
    throw new OptionError(`"${wanted.user}" does not belong to company ${company_id}.`);
  return incidentImport({ db, company_id, project_id, user_id: user.id, now }, bad);
};

/** Imports everything in one transaction. The store may retry it, so each run reads the file from the start. */
const runOnce = async (store: Store, wanted: Wanted, now: number): Promise<Outcome> => {
  const { file, kind, company_id, dry_run } = wanted;
  try {
    return await store.write(async (db) => {
      const reported: string[] = [];
      let bad = 0;
      const report = (place: string, errors: FieldErrors): void => {
        bad += 1;
        for (const [field, messages] of Object.entries(errors))
          if (reported.length < REPORTED_MAX)
            reported.push(`${place}, ${field}: ${messages.join(', ')}`);
      };
      const many = await begin(db, wanted, now, report);
      for await (const rows of rowsOfFile(kind, file)) await many.add(rows);
      const outcome = { ...many.counts(), bad, reported };
      if (dry_run || bad > 0) throw new Undo(outcome);
      return outcome;
    }, company_id);
  } catch (error) {
    if (error instanceof Undo) return error.outcome;
    throw error;
  }
};

const OWN = ['company', 'kind', 'project', 'user'] as const;

const isKind = (name: string | undefined): name is ImportKind =>
  importKindNames.some((one) => one === name);

const USAGE = 'Usage: import FILE --company ID --kind KIND [--dry-run]. See --help.';

const isNumber = (text: string | undefined): text is string => /^[1-9]\d{0,14}$/.test(text ?? '');

const readWanted = (
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
) => {
  const dry_run = argv.includes('--dry-run');
  const rest = argv.filter((word) => word !== '--dry-run');
  const { options, words, own } = parseCommand(rest, environment, OWN);
  const [file, ...more] = words;
  if (file === undefined || more.length > 0) throw new OptionError(USAGE);
  if (!isKind(own.kind))
    throw new OptionError(`Say what the file holds: --kind ${importKindNames.join(' | ')}.`);
  if (!isNumber(own.company)) throw new OptionError('Say which company: --company ID.');
  const { kind, project, user = '' } = own;
  if (kind === 'incidents' && !(isNumber(project) && user !== ''))
    throw new OptionError(
      'Say whose incidents: --project ID, and --user LOGIN for who opens and corrects them.',
    );
  if (kind !== 'incidents' && (project !== undefined || user !== ''))
    throw new OptionError('--project and --user are for incidents alone.');
  const project_id = Number(project ?? 0);
  const wanted: Wanted = { file, kind, company_id: Number(own.company), dry_run, project_id, user };
  return { options, wanted };
};

/** Returns the JSON for stdout. @throws {OptionError} */
export const runImport = async (
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<unknown> => {
  const { options, wanted } = readWanted(argv, environment);
  await access(wanted.file).catch(() => {
    throw new OptionError(`There is no file ${wanted.file} that can be read.`);
  });
  if (options['database-url'] === '') await openDataDir(options['data-dir']);
  const { openStore } = await import('../store/engine/open.ts');
  const store = await openStore(options);
  // Only for SQLite: with PostgreSQL, writers of other companies are not blocked.
  const lock = options['database-url'] === '' ? lockImport(options['data-dir']) : undefined;
  try {
    if (lock === null) throw new OptionError('Another import is running. Wait for its end.');
    const { reported, ...counts } = await runOnce(store, wanted, Date.now());
    for (const sentence of reported) process.stderr.write(`${sentence}\n`);
    const done = !wanted.dry_run && counts.bad === 0;
    if (counts.bad > 0) {
      process.exitCode = 1;
      process.stderr.write(`${counts.bad} rows are bad. Nothing was imported.\n`);
    }
    return { imported: done, kind: wanted.kind, ...counts, ...(done ? {} : { errors: reported }) };
  } catch (error) {
    if (error instanceof UnreadableFile) throw new OptionError(error.message);
    throw error;
  } finally {
    lock?.release();
    await store.close();
  }
};
