/** At its start, a process reports a webhook key that differs from the one used with the database. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { startService } from '../../../src/service/index.ts';
import { databaseOf, onPostgres } from '../../support/database.ts';
import { tempDir } from '../../support/service.ts';

const folder = (): string => {
  const dir = tempDir('other-key');
  onTestFinished(dir.remove);
  return dir.path;
};

it('decisions §10: a start with another webhook key warns, and one with the same does not', async () => {
  const first = folder();
  const database = await databaseOf(first);
  onTestFinished(() => database.drop());
  /** Log lines about keys up to the end of a service's start. */
  const startsWith = async (data_dir: string, key = ''): Promise<string[]> => {
    const said: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void said.push(line) });
    const options = { ...database.options, port: 0, 'data-dir': data_dir, 'webhook-key': key };
    await (await startService({ options, log })).stop();
    return said.filter((line) => line.includes('another key'));
  };
  expect(await startsWith(first)).toEqual([]);
  expect(await startsWith(first)).toEqual([]);
  // With files in a bucket, every machine may have a separate data folder.
  if (onPostgres) expect(await startsWith(folder())).toHaveLength(1);
  expect(await startsWith(first, Buffer.alloc(32, 1).toString('base64'))).toHaveLength(1);
  rmSync(join(first, 'webhook.key'));
  expect(await startsWith(first)).toHaveLength(1);
});
