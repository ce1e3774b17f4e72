/**
 * Remembers every account that has signed in on this laptop and counts the pending records of the accounts not in
 * use. The queue sends for one account at a time, so pending work of another account must stay visible.
 */
import type { z } from 'zod';
import { sessionView, type SessionView } from '../../../contract/host.ts';
import type { Deps } from '../db/db.ts';
import { allOperationSummaries } from './queue-summary.ts';

const known = sessionView.pick({
  kind: true,
  address: true,
  company: true,
  user: true,
  level: true,
});
export type KnownAccount = z.infer<typeof known> & { readonly account: string };

export interface Elsewhere extends KnownAccount {
  /** Records with a queued operation. */
  readonly records: number;
}

const nameOf = (account: string): string => `account ${account}`;

export const rememberAccount = async (
  { db }: Pick<Deps, 'db'>,
  { account, kind, address, company, user, level }: SessionView,
): Promise<void> => {
  if (account === null) return;
  await db.meta.put({ name: nameOf(account), value: { kind, address, company, user, level } });
};

/**
 * Reads the server and the company from an account's key (`server/company/user`). Used after the database was lost and
 * the names with it.
 */
const accountFromKey = (account: string): KnownAccount => {
  const [, server = account, company] = /^(.+)\/(\d+)\/[^/]*$/u.exec(account) ?? [];
  const kind =
    server === 'this-laptop'
      ? 'this_laptop'
      : server === 'local-company'
        ? 'local_company'
        : 'server';
  return {
    account,
    kind,
    address: kind === 'server' ? server : null,
    company: company === undefined ? null : { id: Number(company), name: '' },
    user: null,
    level: null,
  };
};

/** liveQuery: every other account with pending operations, most records first. */
export const waitingElsewhere = async (
  { db }: Pick<Deps, 'db'>,
  in_use: string,
): Promise<readonly Elsewhere[]> => {
  const others = (await allOperationSummaries(db)).filter(({ account }) => account !== in_use);
  const lanes = Map.groupBy(others, ({ account }) => account);
  const found = await Promise.all(
    [...lanes].map(async ([account, operations]) => {
      const kept = known.safeParse((await db.meta.get(nameOf(account)))?.value);
      const shown = kept.success ? { account, ...kept.data } : accountFromKey(account);
      return { ...shown, records: new Set(operations.map(({ lane }) => lane)).size };
    }),
  );
  return found.toSorted((a, b) => b.records - a.records);
};
