/**
 * Users, their enrolment codes and their tokens (decisions §12), what the own user is mailed about (§16.2), and what admins did
 * (§19.5). All of it works online only: an account is changed at once or not at all, and nothing of it is stored on this laptop.
 */
import { ulid } from 'ulid';
import { ok, type Result } from '../../../contract/problem.ts';
import type { EnrolmentCode, NewEnrolmentCode } from '../../../contract/rest/access/enrolment.ts';
import type { MailPreferences, ShownMailPreferences } from '../../../contract/rest/access/mail.ts';
import type { AdminAct } from '../../../contract/rest/evidence/admin-acts.ts';
import type { AccessToken } from '../../../contract/rest/access/tokens.ts';
import type {
  CompanyUser,
  CompanyUserCreate,
  CompanyUserUpdate,
} from '../../../contract/rest/access/users.ts';
import { everyRow } from '../../../contract/rest/protocol/every-page.ts';
import type { Deps } from '../db/db.ts';

type Asks = Pick<Deps, 'host'>;
interface Company {
  readonly account: string;
  readonly company_id: number;
}
const PAGE = 100;

const dataOf = <T>(answer: Result<{ readonly data: T }>): Result<T> =>
  answer.ok ? ok(answer.value.data) : answer;

export const listUsers = (
  { host }: Asks,
  { account, company_id }: Company,
): Promise<Result<readonly CompanyUser[]>> =>
  everyRow(PAGE, (query) =>
    host.request('company_users.list', { params: { company_id }, query }, account),
  );

export const addUser = async (
  { host }: Asks,
  { account, company_id }: Company,
  user: CompanyUserCreate,
): Promise<Result<CompanyUser>> =>
  dataOf(
    await host.request(
      'company_users.create',
      { params: { company_id }, body: { user }, idempotency_key: ulid() },
      account,
    ),
  );

export const changeUser = async (
  { host }: Asks,
  { account, company_id }: Company,
  id: number,
  user: CompanyUserUpdate,
): Promise<Result<CompanyUser>> =>
  dataOf(
    await host.request(
      'company_users.update',
      { params: { company_id, id }, body: { user }, idempotency_key: ulid() },
      account,
    ),
  );

/** The codes of the company that are not used yet. */
export const listCodes = (
  { host }: Asks,
  { account, company_id }: Company,
): Promise<Result<readonly EnrolmentCode[]>> =>
  everyRow(PAGE, (query) =>
    host.request('enrolment_codes.list', { params: { company_id }, query }, account),
  );

export const makeCode = async (
  { host }: Asks,
  { account, company_id }: Company,
  user_id: number,
): Promise<Result<NewEnrolmentCode>> =>
  dataOf(
    await host.request(
      'enrolment_codes.create',
      {
        params: { company_id },
        body: { enrolment_code: { user_id } },
        idempotency_key: ulid(),
      },
      account,
    ),
  );

export const withdrawCode = (
  { host }: Asks,
  { account, company_id }: Company,
  id: number,
): Promise<Result<unknown>> =>
  host.request(
    'enrolment_codes.delete',
    { params: { company_id, id }, idempotency_key: ulid() },
    account,
  );

/** @param user_id null: the user's own */
export const listTokens = (
  { host }: Asks,
  { account, company_id }: Company,
  user_id: number | null,
): Promise<Result<readonly AccessToken[]>> =>
  everyRow(PAGE, (query) =>
    user_id === null
      ? host.request('my_tokens.list', { params: {}, query }, account)
      : host.request('user_tokens.list', { params: { company_id, user_id }, query }, account),
  );

/** @param user_id null: the user's own */
export const revokeToken = (
  { host }: Asks,
  { account, company_id }: Company,
  user_id: number | null,
  id: string,
): Promise<Result<unknown>> => {
  const idempotency_key = ulid();
  return user_id === null
    ? host.request('my_tokens.delete', { params: { id }, idempotency_key }, account)
    : host.request(
        'user_tokens.delete',
        { params: { company_id, user_id, id }, idempotency_key },
        account,
      );
};

export interface AdminActs {
  /** Newest first. */
  readonly acts: readonly AdminAct[];
  readonly total: number;
}

/** The newest acts of the company's admins, at most `most`. */
export const listAdminActs = async (
  { host }: Asks,
  { account, company_id }: Company,
  most: number,
): Promise<Result<AdminActs>> => {
  const acts: AdminAct[] = [];
  let total = most;
  for (let page = 1; acts.length < Math.min(most, total); page += 1) {
    const query = { page, per_page: PAGE };
    const answer = await host.request(
      'admin_acts.list',
      { params: { company_id }, query },
      account,
    );
    if (!answer.ok) return answer;
    acts.push(...answer.value.data);
    total = answer.value.paging?.total ?? acts.length;
    if (answer.value.data.length === 0) break;
  }
  return ok({ acts: acts.slice(0, most), total });
};

/** Reads the mail choices of this window's user in the company. */
export const showMail = async (
  { host }: Asks,
  { account }: Company,
): Promise<Result<ShownMailPreferences>> =>
  dataOf(await host.request('mail_preferences.show', { params: {} }, account));

export const changeMail = async (
  { host }: Asks,
  { account }: Company,
  mail: Partial<MailPreferences>,
): Promise<Result<ShownMailPreferences>> =>
  dataOf(
    await host.request(
      'mail_preferences.update',
      { params: {}, body: { mail }, idempotency_key: ulid() },
      account,
    ),
  );
