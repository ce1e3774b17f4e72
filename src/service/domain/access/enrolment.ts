/**
 * [ours] One-time codes: an admin creates one for a user, a laptop without a token exchanges it (decisions §12.5). A code is short
 * enough to be typed, so that its stored hash must be slow: with scrypt, nobody who reads the database can try all codes in the
 * week that one is valid.
 */
import { randomInt, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import {
  ENROLMENT_ALPHABET,
  ENROLMENT_LENGTH,
  readEnrolmentCode,
  type Enrolled,
  type EnrolmentCode,
  type NewEnrolmentCode,
} from '../../../contract/rest/access/enrolment.ts';
import { findUser } from '../../store/access/company-users.ts';
import * as store from '../../store/access/enrolment-codes.ts';
import { levelOf, type UsedToken } from '../../store/access/tokens.ts';
import type { Db } from '../../store/engine/db.ts';
import { takeIds } from '../../store/engine/ids.ts';
import { findCompany } from '../../store/users.ts';
import { wireTime } from '../near-misses/near-miss-view.ts';
import { pageOf, type Page, type Paged } from '../page.ts';
import { invalid, notFound, WrongGuess } from '../problem.ts';
import { hashToken, mintToken, tokenIdOf } from '../tokens.ts';
import { hasRoomForToken, TOKENS_MAX } from './tokens.ts';

const KEY_BYTES = 32;
/** Random codes need no salt of their own, and one salt for all lets the service find a code by its hash. */
const SALT = 'spotter enrolment code';

const slowHash = promisify<string, string, number, Buffer>(scrypt);
const hashCode = async (code: string): Promise<string> =>
  (await slowHash(code, SALT, KEY_BYTES)).toString('hex');

const newCode = (): string =>
  Array.from({ length: ENROLMENT_LENGTH }, () =>
    ENROLMENT_ALPHABET.charAt(randomInt(ENROLMENT_ALPHABET.length)),
  ).join('');

/** `ABCDE-FGHJK` is easier to type than ten letters in a row. */
const spaced = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`;

interface Row {
  readonly id: number;
  readonly user_id: number;
  readonly name: string;
  readonly login: string;
  readonly created_by: number;
  /** The name of the user or account that made the code. */
  readonly author: string;
  readonly created_at: number;
  readonly expires_at: number;
}

const viewCode = (row: Row): EnrolmentCode => ({
  id: row.id,
  user: { id: row.user_id, name: row.name, login: row.login },
  created_by: { id: row.created_by, name: row.author },
  created_at: wireTime(row.created_at),
  expires_at: wireTime(row.expires_at),
});

export const listCodes = (
  db: Db,
  company_id: number,
  now: number,
  paged: Paged,
): Promise<Page<EnrolmentCode>> =>
  pageOf(paged, {
    count: () => store.countCodes(db, company_id, now),
    rows: (slice) => store.listCodes(db, company_id, now, slice),
    view: (rows) => rows.map(viewCode),
  });

export interface CodeInput {
  readonly company_id: number;
  readonly user_id: number;
  readonly author: { readonly id: number; readonly name: string };
  /** The token that asks. */
  readonly asking: Pick<UsedToken, 'expires_at'>;
  readonly now: number;
  /** Milliseconds. */
  readonly window: number;
}

/** A code becomes a token without an end, which must not outlive the one that asks for it. @throws Refusal 422 */
const refuseOwn = ({ user_id, author, asking }: CodeInput): void => {
  if (user_id === author.id && asking.expires_at !== null)
    throw invalid({
      'enrolment_code.user_id': [
        'is yourself, and your token has an end, which that of a code would not have. Sign in on the other laptop, or ask another admin.',
      ],
    });
};

/**
 * Hashes before the transaction, because others wait for it.
 * @throws Refusal 422
 */
export const createCode = async (
  input: CodeInput,
): Promise<(tx: Db) => Promise<NewEnrolmentCode>> => {
  refuseOwn(input);
  const code = newCode();
  const code_hash = await hashCode(code);
  const { company_id, user_id, author, now } = input;
  return async (tx) => {
    const user = await findUser(tx, company_id, user_id);
    if (!user) throw invalid({ 'enrolment_code.user_id': ['is no user of this company'] });
    if (user.active !== 1) throw invalid({ 'enrolment_code.user_id': ['is deactivated'] });
    const id = await takeIds(tx, 'enrolment_codes');
    const row = { company_id, id, user_id, code_hash, created_at: now, created_by: author.id };
    const kept = { ...row, expires_at: now + input.window };
    await store.insertCode(tx, kept);
    const { name, login } = user;
    return { ...viewCode({ ...kept, name, login, author: author.name }), code: spaced(code) };
  };
};

/** @throws Refusal 404 */
export const withdrawCode = async (tx: Db, company_id: number, id: number): Promise<void> => {
  if (!(await store.deleteCode(tx, company_id, id))) throw notFound();
};

const WRONG = {
  'enrolment.code': [
    'is not valid: it was mistyped, used before, or is older than it may be. Ask an admin of your company for a new one.',
  ],
};
const wrong = () => new WrongGuess(422, WRONG);

/** Reported outside the code's field, because windows read every refusal there as "the code is wrong". */
const full = () =>
  invalid({
    enrolment: [
      `has a valid code, but you have ${TOKENS_MAX} tokens in this company, and no more are allowed. Revoke one, or ask an admin of your company to, and enter the code again.`,
    ],
  });

/**
 * The token belongs to the company of the code alone: the admin who made it has no say in the user's other companies.
 * @throws Refusal 422
 */
export const enrol = async (
  typed: { readonly code: string; readonly name?: string | undefined },
  now: number,
): Promise<(tx: Db) => Promise<Enrolled>> => {
  const code = readEnrolmentCode(typed.code);
  if (code === null) throw invalid(WRONG);
  const code_hash = await hashCode(code);
  const name = typed.name ?? null;
  return async (tx) => {
    const taken = await store.takeCode(tx, code_hash, now);
    if (!taken) throw wrong();
    const { company_id, user_id } = taken;
    const [user, company] = [
      await findUser(tx, company_id, user_id),
      await findCompany(tx, company_id),
    ];
    if (user?.active !== 1 || !company) throw wrong();
    if (!(await hasRoomForToken(tx, { company_id, user_id }, now))) throw full();
    const token = await mintToken(tx, user_id, now, { company_id, name });
    return {
      token,
      id: tokenIdOf(hashToken(token)),
      name,
      level: null,
      company_id,
      created_at: wireTime(now),
      expires_at: null,
      last_used_at: null,
      user: { id: user.id, name: user.name, login: user.login },
      company: { id: company.id, name: company.name },
      user_level: levelOf(user.level),
    };
  };
};
