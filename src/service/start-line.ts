/** The log line about a started service. It names servers and buckets, never a user or a password. */
import type { App } from './app.ts';
import { parseS3Address } from './files/s3/s3-address.ts';
import type { Options } from './options.ts';
import { migrations } from './store/migrations/index.ts';
import { version } from './version.ts';

const databaseOf = (options: Options): string => {
  if (options['database-url'] === '') return 'SQLite';
  const { hostname, port, pathname } = new URL(options['database-url']);
  return `PostgreSQL ${hostname}${port === '' ? '' : `:${port}`}${pathname}`;
};

const storeOf = (options: Options): string => {
  if (options['file-store'] === '') return 'folder';
  const { bucket, prefix, endpoint } = parseS3Address(options['file-store']);
  return `s3://${bucket}/${prefix}${endpoint === undefined ? '' : ` at ${endpoint}`}`;
};

export const describeStart = ({ options, store }: App) => ({
  version,
  node: process.versions.node,
  database: databaseOf(options),
  store: storeOf(options),
  /** The newest migration of this version, and those that ran at this start. */
  schema: Object.keys(migrations).toSorted().at(-1),
  migrated: store.migrated,
});
