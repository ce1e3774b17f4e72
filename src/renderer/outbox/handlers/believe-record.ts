/**
 * Checks that the answer to a create shows the record that was sent. If it does not, a proxy may have mixed up two
 * answers. It then counts as a broken reply, and the request is repeated under its key, bypassing the host's memory of
 * answers (`doubted_id`). A server may also store what it is sent in another form, so an answer that names the same
 * record twice is accepted.
 */
import { fail, ok, type Result } from '../../../contract/problem.ts';
import { textOf } from '../../data/model/text.ts';
import type { SendContext } from './handler.ts';

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const visible = (value: unknown): string => textOf(String(value)).replace(/\s+/g, ' ').trim();

/**
 * Compares a sent value with the answered one. Times may return with another precision: `2026-11-26` and
 * `2026-11-26T00:00:00Z` are equal. Numbers must match exactly, because the ids 1 and 12 share a prefix.
 */
const isSame = (sent: unknown, told: unknown): boolean => {
  const [a, b] = [visible(sent), visible(told)];
  if (typeof sent === 'number') return b !== '' && Number(b) === sent;
  return a === b || (typeof sent === 'string' && (a.startsWith(b) || b.startsWith(a)));
};

/** The answered value of a field; undefined if the answer omits it, which proves nothing. */
const toldOf = (record: Fields, name: string): unknown => {
  const direct = record[name];
  if (direct !== undefined && direct !== null)
    return isObject(direct) && 'value' in direct ? direct['value'] : direct;
  const lookup = name.endsWith('_id') ? record[name.slice(0, -'_id'.length)] : undefined;
  return isObject(lookup) ? lookup['id'] : undefined;
};

/** True if the record has another value in a field that was sent. */
export const contradicts = (sent: Fields, record: Fields): boolean =>
  Object.entries(sent).some(([name, value]) => {
    const told = toldOf(record, name);
    if (value === null || value === undefined || value === '' || told === undefined) return false;
    if (isObject(value)) return isObject(told) && contradicts(value, told);
    return !Array.isArray(value) && !isObject(told) && !isSame(value, told);
  });

/** Accepts the answer to a create. Fails with a broken reply if it shows another record for the first time. */
export const believeRecord = async <T extends { readonly id: number }>(
  { operation, checkpoint }: Pick<SendContext, 'operation' | 'checkpoint'>,
  sent: Fields,
  record: T,
): Promise<Result<T>> => {
  if (!contradicts(sent, record) || operation.checkpoint.contradicted === record.id)
    return ok(record);
  await checkpoint({ contradicted: record.id });
  const detail = `the answer shows record ${record.id}, which is not what was sent`;
  return fail({ kind: 'broken_reply', status: 200, looks_like: 'wrong_shape', detail });
};
