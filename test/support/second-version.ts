/**
 * Runs the command line as a made-up second version of the service, whose database has one more migration. Pass the result as
 * the environment of a child process: second-version-preload.ts reads it there.
 */
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { migrations } from '../../src/service/store/migrations/index.ts';

export const FIRST = '0001-first';
export const SECOND = '9999-second';
/** The migrations of this version, in order. */
export const RELEASED: readonly string[] = Object.keys(migrations).filter(
  (name) => name !== SECOND,
);

export interface SecondVersion {
  /** Kill the process before this statement of the migration, counted from 0. After the last one: before the commit. */
  readonly diesBefore?: { readonly migration: string; readonly statement: number };
  /** The last statement of the second migration is wrong. */
  readonly fails?: boolean;
  /** A folder. The first process to migrate continues when another has come to the same database. */
  readonly meets?: string;
}

export const VARIABLE = 'SPOTTER_TEST_SECOND_VERSION';

export const asSecondVersion = (version: SecondVersion = {}): Record<string, string> => ({
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'second-version-preload.ts')).href}`,
  [VARIABLE]: JSON.stringify(version),
});
