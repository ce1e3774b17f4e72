/** Encrypts and decrypts the secrets of a hook. Both operations must use the same `place`. */
import type { HookRow } from '../../store/webhooks/webhooks.ts';
import type { Secrets } from './webhook-ports.ts';

type Key = Pick<HookRow, 'company_id' | 'id'>;
export type Headers = Readonly<Record<string, string>>;

const place = ({ company_id, id }: Key, column: string): string =>
  `webhook_hooks/${company_id}/${id}/${column}`;

export const sealHeaders = (secrets: Secrets, key: Key, headers: Headers): string =>
  secrets.seal(JSON.stringify(headers), place(key, 'destination_headers'));

/** Null if the key has changed. */
export const openHeaders = (
  secrets: Secrets,
  hook: Key & Pick<HookRow, 'destination_headers'>,
): Headers | null => {
  const text = secrets.open(hook.destination_headers, place(hook, 'destination_headers'));
  return text === null ? null : (JSON.parse(text) as Headers);
};

export const sealSigningSecret = (secrets: Secrets, key: Key, secret: string): string =>
  secrets.seal(secret, place(key, 'signing_secret'));

/** The previous secret has a separate place, so it must be encrypted again when it moves there. */
export const sealPreviousSecret = (secrets: Secrets, key: Key, secret: string): string =>
  secrets.seal(secret, place(key, 'previous_signing_secret'));

/** Null if the key has changed. */
export const openSigningSecret = (
  secrets: Secrets,
  hook: Key & Pick<HookRow, 'signing_secret'>,
): string | null => secrets.open(hook.signing_secret, place(hook, 'signing_secret'));

type Secret = 'signing_secret' | 'previous_signing_secret' | 'previous_signing_secret_until';

/** All secrets that sign now, newest first. Null if the key has changed. */
export const openSigningSecrets = (
  secrets: Secrets,
  hook: Key & Pick<HookRow, Secret>,
  now: number,
): readonly string[] | null => {
  const current = openSigningSecret(secrets, hook);
  if (current === null) return null;
  const { previous_signing_secret: sealed, previous_signing_secret_until: until } = hook;
  if (sealed === null || until === null || now >= until) return [current];
  const previous = secrets.open(sealed, place(hook, 'previous_signing_secret'));
  return previous === null ? [current] : [current, previous];
};
