/**
 * The accounts of this laptop: what each is called, as it was when it was last signed in here, and what waits for those that are
 * not in use. A queue sends for one account at a time; what waits for another is never passed over in silence.
 */
import type { z } from 'zod';
import { sessionView, type SessionView } from '../../contract/host.ts';
import type { Deps } from './db.ts';
import { allEntryDigests } from './entries-digest.ts';

const known = sessionView.pick({ kind: true, address: true, company: true, user: true });
export type KnownAccount = z.infer<typeof known> & { readonly account: string };

/** What waits for an account that is not in use. */
export interface Elsewhere extends KnownAccount {
  /** Records with anything waiting or needing the user. */
  readonly records: number;
}

const nameOf = (account: string): string => `account ${account}`;

export const rememberAccount = async (
  { db }: Pick<Deps, 'db'>,
  { account, kind, address, company, user }: SessionView,
): Promise<void> => {
  if (account === null) return;
  await db.meta.put({ name: nameOf(account), value: { kind, address, company, user } });
};

/** Of an account that was never in use since names are kept: what its own text tells, `server/company/user`. */
const toldBy = (account: string): KnownAccount => {
  const [, server = account, company] = /^(.+)\/(\d+)\/[^/]*$/u.exec(account) ?? [];
  const kind =
    server === 'this-laptop' ? 'this_laptop' : server === 'own-firm' ? 'own_firm' : 'server';
  return {
    account,
    kind,
    address: kind === 'server' ? server : null,
    company: company === undefined ? null : { id: Number(company), name: '' },
    user: null,
  };
};

/** liveQuery: what waits for every other account of this laptop, the most first. */
export const waitingElsewhere = async (
  { db }: Pick<Deps, 'db'>,
  in_use: string,
): Promise<readonly Elsewhere[]> => {
  const others = (await allEntryDigests(db)).filter(({ account }) => account !== in_use);
  const lanes = Map.groupBy(others, ({ account }) => account);
  const found = await Promise.all(
    [...lanes].map(async ([account, entries]) => {
      const kept = known.safeParse((await db.meta.get(nameOf(account)))?.value);
      const told = kept.success ? { account, ...kept.data } : toldBy(account);
      return { ...told, records: new Set(entries.map(({ lane }) => lane)).size };
    }),
  );
  return found.toSorted((a, b) => b.records - a.records);
};
