/**
 * Authenticates the caller and checks its company (decisions §1.1). Runs before the body is read, so that a stranger's body is
 * never parsed.
 */
import { badRequest, forbidden, unauthorized } from '../domain/problem.ts';
import { hashToken } from '../domain/tokens.ts';
import type { User } from '../routes/handler.ts';
import type { Db } from '../store/engine/db.ts';
import type { Access } from '../../contract/rest/access/levels.ts';
import { findTokenUser, type Membership, type UsedToken } from '../store/access/tokens.ts';

export interface Caller {
  readonly user: User;
  /** Null if the endpoint does not need a company and none was named. */
  readonly company_id: number | null;
  /** The companies that the token may name, and what it may do in each. */
  readonly memberships: readonly Membership[];
  /** The token's rights in the named company; none if no company is named. */
  readonly access: Access;
  readonly token: UsedToken;
}

/**
 * Looks the token up again in a transaction: it may have ended while its request waited for a slow hash or for its turn.
 * @returns what the token may do in the company now
 * @throws Refusal 401
 */
export const accessNow = async (
  tx: Db,
  { token, company_id }: Pick<Caller, 'token' | 'company_id'>,
): Promise<Access> => {
  const found = await findTokenUser(tx, token.hash);
  const access = found?.memberships.find((one) => one.company_id === company_id);
  if (!access) throw unauthorized();
  return access;
};

const NOTHING: Access = { level: 'read_only', project_ids: [] };

/** The caller of an endpoint that needs no token. */
export const nobody: Caller = {
  user: { id: 0, login: '', name: '' },
  company_id: null,
  memberships: [],
  access: NOTHING,
  token: { hash: '', company_id: null, name: null, level: null, expires_at: null },
};

const BEARER = /^Bearer +([\x21-\x7e]{1,4096})$/i;
const COMPANY = /^[1-9]\d{0,15}$/;

/**
 * @param needsCompany whether the company header must be there; one that is there is always checked
 * @param known is called with a valid token's hash before the company is checked
 * @throws Refusal 401, 400 or 403, in this order
 */
export const authenticate = async (
  db: Db,
  headers: { readonly authorization?: string; readonly company?: string },
  needsCompany: boolean,
  { now, known }: { readonly now: number; readonly known: (token: string) => void },
): Promise<Caller> => {
  const bearer = BEARER.exec(headers.authorization ?? '')?.[1];
  if (bearer === undefined) throw unauthorized();
  const hash = hashToken(bearer);
  const found = await findTokenUser(db, hash);
  if (!found) throw unauthorized();
  const { user, memberships, token } = found;
  // A user who is deactivated everywhere has no company.
  if (memberships.length === 0 || (token.expires_at !== null && token.expires_at <= now))
    throw unauthorized();
  known(hash);
  const { company } = headers;
  const caller = { user, memberships, token };
  if (company === undefined && !needsCompany)
    return { ...caller, company_id: null, access: NOTHING };
  if (company === undefined || !COMPANY.test(company) || !Number.isSafeInteger(Number(company)))
    throw badRequest('The header Service-Company-Id must be a positive integer.');
  const company_id = Number(company);
  const access = memberships.find((one) => one.company_id === company_id);
  if (!access) throw forbidden('You do not belong to the company that Service-Company-Id names.');
  return { ...caller, company_id, access };
};
