/** Vault in memory, for machines without a keychain. Tokens last until the program ends, and the window says so. */
import { TOKEN_MAX_BYTES, type Vault } from './index.ts';

export const memoryVault = (): Vault => {
  const tokens = new Map<string, string>();
  return {
    kind: 'memory',
    get: async (account) => {
      const token = tokens.get(account);
      return token === undefined ? { state: 'empty' } : { state: 'ok', token };
    },
    set: async (account, token) => {
      if (Buffer.byteLength(token) > TOKEN_MAX_BYTES) return 'too_long';
      tokens.set(account, token);
      return 'ok';
    },
    remove: async (account) => {
      tokens.delete(account);
      return 'ok';
    },
    holds: async (account) => tokens.has(account),
    accounts: async () => [...tokens.keys()],
    stop: async () => tokens.clear(),
  };
};
