/**
 * [ours] Copies of texts that no one reads as a record: kept answers, responses of webhook endpoints, errors of mail (decisions §21.2).
 * A kept answer is rewritten, not deleted, so that a request which a laptop repeats is still carried out once.
 */
import { keptBody, readKeptBody } from '../kept-answer.ts';
import type { Db } from '../../store/engine/db.ts';
import {
  deleteTextRow,
  findTextRow,
  textRows,
  writeTexts,
  type TextRow,
} from '../../store/erasure/texts.ts';
import { fullOfNames } from '../../store/erasure/erasures.ts';
import type { Secrets } from '../webhooks/webhook-ports.ts';
import { replacedInText, textsIn, type Finder } from './finder.ts';
import { copies, type CopyTable } from './places.ts';

const text = (value: string | number | null | undefined): string => String(value ?? '');

/** What a kept answer is encrypted for (http/idempotency.ts). */
const scopeOf = (company_id: number, row: TextRow): string =>
  [company_id, row['user_id'], row['method'], row['path'], row['key']].join(' ');

const bodyOf = (company_id: number, row: TextRow, secrets: Secrets): string =>
  readKeptBody(text(row['body']), secrets, scopeOf(company_id, row)) ?? '';

/** The answer to a preview or with a person's copy. It is encrypted, and goes when the erasure ends. */
const isFullOfNames = (company_id: number, row: TextRow): boolean =>
  fullOfNames(company_id).includes(text(row['path']));

/** All texts of a row, in a line each. */
export const keptTextOf = (
  name: CopyTable,
  company_id: number,
  row: TextRow,
  secrets: Secrets,
): string => {
  if (name !== 'idempotency_keys')
    return copies[name].columns.map((column) => textsIn(text(row[column]))).join('\n');
  if (isFullOfNames(company_id, row)) return '';
  return [bodyOf(company_id, row, secrets), text(row['headers'])]
    .map(textsIn)
    .concat(text(row['key']))
    .join('\n');
};

interface Replacing {
  readonly company_id: number;
  readonly finder: Finder;
  readonly instead: string;
  readonly secrets: Secrets;
}

const replaceAnswer = async (
  tx: Db,
  { company_id, finder, instead, secrets }: Replacing,
  row: TextRow,
): Promise<void> => {
  const table = copies.idempotency_keys;
  // Nobody sends a key with another name in it again.
  if (finder.find(text(row['key'])) !== null) return deleteTextRow(tx, company_id, table, row);
  const without = (one: string): string =>
    replacedInText(one, (part) => finder.without(part, instead));
  const isSealed = text(row['body']).startsWith('s:');
  const place = scopeOf(company_id, row);
  const body = keptBody(
    without(bodyOf(company_id, row, secrets)),
    isSealed ? { secrets, place } : null,
  );
  const values = { body, headers: without(text(row['headers'])), size: body.length };
  return writeTexts(tx, company_id, table, row, values);
};

const replaceOther = async (
  tx: Db,
  name: Exclude<CopyTable, 'idempotency_keys'>,
  { company_id, finder, instead }: Replacing,
  row: TextRow,
): Promise<void> => {
  const values = copies[name].columns.flatMap((column) => {
    const value = row[column];
    return typeof value === 'string'
      ? [[column, replacedInText(value, (one) => finder.without(one, instead))] as const]
      : [];
  });
  await writeTexts(tx, company_id, copies[name], row, Object.fromEntries(values));
};

/**
 * Replaces the name in a whole table, a part in each transaction.
 * @param write a transaction of the company
 */
export const replaceCopies = async (
  read: Db,
  write: (work: (tx: Db) => Promise<void>) => Promise<void>,
  name: CopyTable,
  replacing: Replacing,
): Promise<void> => {
  const { company_id, finder, secrets } = replacing;
  const table = copies[name];
  const isNamed = (row: TextRow): boolean =>
    finder.find(keptTextOf(name, company_id, row, secrets)) !== null;
  for await (const rows of textRows(read, company_id, table)) {
    const named = rows.filter(isNamed);
    if (named.length > 0)
      await write(async (tx) => {
        for (const row of named) {
          const now = await findTextRow(tx, company_id, table, row);
          if (now === undefined || !isNamed(now)) continue;
          await (name === 'idempotency_keys'
            ? replaceAnswer(tx, replacing, now)
            : replaceOther(tx, name, replacing, now));
        }
      });
  }
};
