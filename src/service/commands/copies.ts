/** `copies` and `copies restore NAME`: lists the daily copies of a data folder (store/backup/copies.ts) and restores one. */
import { OptionError, parseCommand } from '../options.ts';
import { listCopies, NoCopy, restoreCopy } from '../store/backup/copies.ts';

/** Returns the JSON for stdout. @throws {OptionError} @throws {DataDirBusy} */
export const runCopies = async (
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<unknown> => {
  const { options, words } = parseCommand(argv, environment, []);
  const [verb, name, ...rest] = words;
  const folder = options['data-dir'];
  if (verb === undefined) return { copies: await listCopies(folder) };
  if (verb !== 'restore' || name === undefined || rest.length > 0)
    throw new OptionError('Usage: copies | copies restore NAME. See --help.');
  try {
    return { restored: name, replaced: await restoreCopy(folder, name, Date.now()) };
  } catch (error) {
    if (error instanceof NoCopy) throw new OptionError(error.message);
    throw error;
  }
};
