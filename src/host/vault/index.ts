/**
 * Where a server's token is kept. Two kinds: the system's keychain (`keytar.ts`) and this program's memory
 * (`memory.ts`). A vault never throws and never answers later than its deadline, which leaves a person time to answer a question of
 * the system: the session waits a moment for it (patience.ts), and turns what it says into `ready`, `signed_out` or `locked`.
 */

/** Why the keychain gives no token, or `ok`. `hung`: no answer within two minutes. */
export type VaultState = 'ok' | 'absent' | 'locked' | 'hung' | 'denied';

export type VaultRead =
  | { readonly state: 'ok'; readonly token: string }
  /** The keychain answers and holds nothing for this account. */
  | { readonly state: 'empty' }
  | { readonly state: Exclude<VaultState, 'ok'> };

export type VaultWrite = VaultState | 'too_long';

/** Most bytes of one entry, on every system: Windows stops at 2,560 and counts two for a character. */
export const TOKEN_MAX_BYTES = 1200;

export interface Vault {
  readonly kind: 'keychain' | 'memory';
  get(account: string): Promise<VaultRead>;
  set(account: string, token: string): Promise<VaultWrite>;
  remove(account: string): Promise<VaultState>;
  /** Was a token stored for this account and not removed since, as far as this laptop's own note tells? */
  holds(account: string): Promise<boolean>;
  /** Whose tokens may be there, as far as that note tells: also those that were to be erased and could not be. */
  accounts(): Promise<readonly string[]>;
  stop(): Promise<void>;
}
