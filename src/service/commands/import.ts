/**
 * `import FILE --company ID --kind KIND [--dry-run]`: many records of a company from a spreadsheet or a list, all of them or none
 * (decisions §11.5). It opens the database beside a running service, as `token` does; every bad line is told on stderr.
 */
import { access } from 'node:fs/promises';
import {
  companyRecordKindNames,
  type CompanyRecordKind,
} from '../../contract/rest/company-records.ts';
import { recordImport, type ImportCounts } from '../domain/company-record-import.ts';
import type { FieldErrors } from '../domain/problem.ts';
import { OptionError, parseCommand } from '../options.ts';
import type { Store } from '../store/db.ts';
import { lockImport } from '../store/import-lock.ts';
import { findCompany } from '../store/users.ts';
import { rowsOfFile, UnreadableFile } from './import-file.ts';

/** Bad lines that are told one by one; the others are counted. */
const TOLD_MAX = 1000;

interface Outcome extends ImportCounts {
  /** Rows that were refused. */
  readonly bad: number;
  /** `line 17, name: must not be empty` */
  readonly told: readonly string[];
}

/** Thrown to undo everything that was written. */
class Undo extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super('undone');
    this.outcome = outcome;
  }
}

interface Wanted {
  readonly file: string;
  readonly kind: CompanyRecordKind;
  readonly company_id: number;
  readonly dry_run: boolean;
}

/** Everything in one transaction; it may be run again, so it begins with the file's first line each time. */
const runOnce = async (store: Store, wanted: Wanted, now: number): Promise<Outcome> => {
  const { file, kind, company_id, dry_run } = wanted;
  try {
    return await store.write(async (db) => {
      if (!(await findCompany(db, company_id)))
        throw new OptionError(`There is no company ${company_id}.`);
      const told: string[] = [];
      let bad = 0;
      const tell = (place: string, errors: FieldErrors): void => {
        bad += 1;
        for (const [field, messages] of Object.entries(errors))
          if (told.length < TOLD_MAX) told.push(`${place}, ${field}: ${messages.join(', ')}`);
      };
      const many = recordImport({ db, company_id, now }, kind, tell);
      for await (const rows of rowsOfFile(kind, file)) await many.add(rows);
      const outcome = { ...many.counts(), bad, told };
      if (dry_run || bad > 0) throw new Undo(outcome);
      return outcome;
    }, company_id);
  } catch (error) {
    if (error instanceof Undo) return error.outcome;
    throw error;
  }
};

const OWN = ['company', 'kind'] as const;

const isKind = (name: string | undefined): name is CompanyRecordKind =>
  companyRecordKindNames.some((one) => one === name);

const USAGE = 'Usage: import FILE --company ID --kind KIND [--dry-run]. See --help.';

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
    throw new OptionError(`Say what the file holds: --kind ${companyRecordKindNames.join(' | ')}.`);
  if (own.company === undefined || !/^[1-9]\d{0,14}$/.test(own.company))
    throw new OptionError('Say which company: --company ID.');
  const wanted: Wanted = { file, kind: own.kind, company_id: Number(own.company), dry_run };
  return { options, wanted };
};

/** Answers what goes to stdout as one line of JSON. @throws {OptionError} */
export const runImport = async (
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<unknown> => {
  const { options, wanted } = readWanted(argv, environment);
  await access(wanted.file).catch(() => {
    throw new OptionError(`There is no file ${wanted.file} that can be read.`);
  });
  const { openStore } = await import('../store/open.ts');
  const store = await openStore(options);
  // Where the database is a server's, writers of other companies do not wait.
  const lock = options['database-url'] === '' ? lockImport(options['data-dir']) : undefined;
  try {
    if (lock === null) throw new OptionError('Another import is running. Wait for its end.');
    const { told, ...counts } = await runOnce(store, wanted, Date.now());
    for (const sentence of told) process.stderr.write(`${sentence}\n`);
    const done = !wanted.dry_run && counts.bad === 0;
    if (counts.bad > 0) {
      process.exitCode = 1;
      process.stderr.write(`${counts.bad} rows are bad. Nothing was imported.\n`);
    }
    return { imported: done, kind: wanted.kind, ...counts, ...(done ? {} : { errors: told }) };
  } catch (error) {
    if (error instanceof UnreadableFile) throw new OptionError(error.message);
    throw error;
  } finally {
    lock?.release();
    await store.close();
  }
};
