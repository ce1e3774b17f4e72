/**
 * Interface of the token storage, with two implementations: the system's keychain (`keytar.ts`) and memory (`memory.ts`). A
 * vault never throws and always answers within its deadline, which allows for a person answering the system's prompt. The
 * session waits only a moment for it (patience.ts) and maps the result to `ready`, `signed_out` or `locked`.
 */

/** Result of a keychain access. `hung`: no answer within two minutes. */
export type VaultState = 'ok' | 'absent' | 'locked' | 'hung' | 'denied';

export type VaultRead =
  | { readonly state: 'ok'; readonly token: string }
  /** The keychain answered, and has no token for this account. */
  | { readonly state: 'empty' }
  | { readonly state: Exclude<VaultState, 'ok'> };

export type VaultWrite = VaultState | 'too_long';

/** Maximum size of a token in bytes, on every system. Windows allows 2,560 bytes and stores two per character. */
export const TOKEN_MAX_BYTES = 1200;

export interface Vault {
  readonly kind: 'keychain' | 'memory';
  get(account: string): Promise<VaultRead>;
  set(account: string, token: string): Promise<VaultWrite>;
  remove(account: string): Promise<VaultState>;
  /** True if our index says that a token was stored for this account and not removed since. */
  holds(account: string): Promise<boolean>;
  /** Accounts in our index. Includes tokens that could not be erased yet. */
  accounts(): Promise<readonly string[]>;
  stop(): Promise<void>;
}
