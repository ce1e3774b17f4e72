/**
 * Who asks, and for which company (decisions §1.1). Runs before the body is read: a stranger's body is never parsed.
 */
import { badRequest, forbidden, unauthorized } from '../domain/problem.ts';
import { hashToken } from '../domain/tokens.ts';
import type { User } from '../routes/handler.ts';
import type { Db } from '../store/db.ts';
import { findTokenUser } from '../store/users.ts';

export interface Caller {
  readonly user: User;
  readonly company_id: number;
  /** Which token, by its hash. */
  readonly token: string;
}

const BEARER = /^Bearer +([\x21-\x7e]{1,4096})$/i;
const COMPANY = /^[1-9]\d{0,15}$/;

/**
 * @param known hears of a token that is good, before the company is judged
 * @throws Refusal 401, 400 or 403, in this order
 */
export const authenticate = async (
  db: Db,
  headers: { readonly authorization?: string; readonly company?: string },
  known: (token: string) => void,
): Promise<Caller> => {
  const token = BEARER.exec(headers.authorization ?? '')?.[1];
  if (token === undefined) throw unauthorized();
  const hash = hashToken(token);
  const found = await findTokenUser(db, hash);
  if (!found) throw unauthorized();
  known(hash);
  const { company } = headers;
  if (company === undefined || !COMPANY.test(company) || !Number.isSafeInteger(Number(company)))
    throw badRequest('The header Service-Company-Id must be a positive integer.');
  const company_id = Number(company);
  if (!found.company_ids.includes(company_id))
    throw forbidden('You do not belong to the company that Service-Company-Id names.');
  return { user: found.user, company_id, token: hash };
};
