/**
 * Lets a vault keep secrets of any length: a refresh token of some providers is longer than Windows stores in one entry. A long
 * secret is cut into parts in entries beside the account's. The account's entry names the parts and is written last, so that after a
 * crash it names either all of the old ones or all of the new ones.
 */
import { randomBytes } from 'node:crypto';
import type { Vault, VaultRead, VaultState, VaultWrite } from './index.ts';
import { TOKEN_MAX_BYTES } from './index.ts';

const HEAD = /^spotter-parts:([0-9a-f]{16}):(\d{1,2})$/;
/** Characters of a part. UTF-8 has up to three bytes for each. */
const ASCII_PART = TOKEN_MAX_BYTES - 100;
const ANY_PART = TOKEN_MAX_BYTES / 3;
/** Longest secret, in parts. */
const PARTS_MAX = 40;
const BETWEEN = ' part ';

const partName = (account: string, generation: string, at: number): string =>
  `${account}${BETWEEN}${generation} ${at}`;
/** An account has no space. */
const accountOf = (name: string): string => name.split(BETWEEN)[0] ?? name;

const cut = (secret: string): string[] => {
  const length = /^[\x20-\x7e]*$/.test(secret) ? ASCII_PART : ANY_PART;
  const parts: string[] = [];
  for (let at = 0; at < secret.length; at += length) parts.push(secret.slice(at, at + length));
  return parts;
};

export const longSecrets = (vault: Vault): Vault => {
  /** Removals by account, so that a secret that is being written does not outlive one. */
  const removals = new Map<string, number>();

  const dropParts = async (account: string, kept: string | null): Promise<VaultState> => {
    let worst: VaultState = 'ok';
    for (const name of await vault.accounts()) {
      if (!name.startsWith(`${account}${BETWEEN}`)) continue;
      if (kept !== null && name.startsWith(`${account}${BETWEEN}${kept} `)) continue;
      const state = await vault.remove(name);
      if (state !== 'ok') worst = state;
    }
    return worst;
  };

  const get = async (account: string): Promise<VaultRead> => {
    const head = await vault.get(account);
    const [, generation, count] = (head.state === 'ok' ? HEAD.exec(head.token) : null) ?? [];
    if (generation === undefined) return head;
    const parts: string[] = [];
    for (let at = 0; at < Number(count); at += 1) {
      const part = await vault.get(partName(account, generation, at));
      if (part.state !== 'ok') return part;
      parts.push(part.token);
    }
    return { state: 'ok', token: parts.join('') };
  };

  const setLong = async (account: string, secret: string): Promise<VaultWrite> => {
    const parts = cut(secret);
    if (parts.length > PARTS_MAX) return 'too_long';
    const before = removals.get(account);
    const generation = randomBytes(8).toString('hex');
    for (const [at, part] of parts.entries()) {
      const wrote = await vault.set(partName(account, generation, at), part);
      if (wrote !== 'ok') return wrote;
    }
    if (removals.get(account) !== before) {
      await dropParts(account, null);
      return 'denied';
    }
    const wrote = await vault.set(account, `spotter-parts:${generation}:${parts.length}`);
    if (wrote === 'ok') await dropParts(account, generation);
    return wrote;
  };

  return {
    ...vault,
    get,
    set: async (account, secret) => {
      if (Buffer.byteLength(secret) > TOKEN_MAX_BYTES) return setLong(account, secret);
      const wrote = await vault.set(account, secret);
      if (wrote === 'ok') await dropParts(account, null);
      return wrote;
    },
    remove: async (account) => {
      removals.set(account, (removals.get(account) ?? 0) + 1);
      const state = await vault.remove(account);
      const parts = await dropParts(account, null);
      return state === 'ok' ? parts : state;
    },
    accounts: async () => [...new Set((await vault.accounts()).map(accountOf))],
  };
};
