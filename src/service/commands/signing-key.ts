/**
 * `signing-key list` and `signing-key rotate`: the keys that sign evidence (decisions §19.1), beside a running service. A service
 * reads the key for each pack, so that it takes a new one at once.
 */
import { listSigningKeys, rotateKey } from '../domain/evidence/signing-keys.ts';
import { OptionError, parseCommand } from '../options.ts';
import { openDataDir } from '../store/engine/lock.ts';
import { openSecrets } from '../webhooks/secrets.ts';

/** Returns the JSON for stdout. @throws {OptionError} */
export const runSigningKey = async (
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<unknown> => {
  const { options, words } = parseCommand(argv, environment, []);
  const [verb = '', ...rest] = words;
  if (!['list', 'rotate'].includes(verb) || rest.length > 0)
    throw new OptionError('Usage: signing-key list | signing-key rotate. See --help.');
  if (options['database-url'] === '') await openDataDir(options['data-dir']);
  const { openStore } = await import('../store/engine/open.ts');
  const store = await openStore(options);
  try {
    if (verb === 'list') return { signing_keys: await listSigningKeys(store.read) };
    const secrets = openSecrets(options['webhook-key'], options['data-dir']);
    return await store.write((tx) => rotateKey(tx, secrets, Date.now()));
  } finally {
    await store.close();
  }
};
