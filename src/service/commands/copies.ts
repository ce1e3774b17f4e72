/** `copies` and `copies restore NAME`: the daily copies of a data folder (store/copies.ts), and the way back from one. */
import { OptionError, parseCommand } from '../options.ts';
import { listCopies, NoCopy, restoreCopy } from '../store/copies.ts';

/** Answers what goes to stdout as one line of JSON. @throws {OptionError} @throws {DataDirBusy} */
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
