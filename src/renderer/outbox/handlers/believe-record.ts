/**
 * Checks that the answer to a write shows the record that was sent. If it does not, a proxy may have mixed up two
 * answers. It then counts as a broken reply, and the request is repeated under its key, bypassing the host's memory of
 * answers (`doubted_id`). A server may also store a text in another form, so an answer that names the same record twice
 * is accepted, unless it shows another id in a field.
 */
import { fail, ok, type Result } from '../../../contract/problem.ts';
import { textOf } from '../../data/model/text.ts';
import type { SendContext } from './handler.ts';

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const visible = (value: unknown): string => textOf(String(value)).replace(/\s+/g, ' ').trim();

const DATE = /^\d{4}-\d\d-\d\d/;

/**
 * Compares a sent value with the answered one. Times may return with another precision: `2026-11-26` and
 * `2026-11-26T00:00:00Z` are equal. Numbers must match exactly, because the ids 1 and 12 share a prefix.
 */
const isSame = (sent: unknown, received: unknown): boolean => {
  const [a, b] = [visible(sent), visible(received)];
  if (typeof sent === 'number') return b !== '' && Number(b) === sent;
  return a === b || (DATE.test(a) && DATE.test(b) && (a.startsWith(b) || b.startsWith(a)));
};

/** The answered value of a field; undefined if the answer omits it. */
const receivedIn = (record: Fields, name: string): unknown => {
  const direct = record[name];
  if (direct !== undefined && direct !== null)
    return isObject(direct) && 'value' in direct ? direct['value'] : direct;
  const lookup = name.endsWith('_id') ? record[name.slice(0, -'_id'.length)] : undefined;
  return isObject(lookup) ? lookup['id'] : undefined;
};

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';

/** True if the record has another value in a field that was sent. A field that the answer omits proves nothing. */
export const contradicts = (sent: Fields, record: Fields): boolean =>
  Object.entries(sent).some(([name, value]) => {
    const received = receivedIn(record, name);
    if (isEmpty(value) || received === undefined) return false;
    if (isObject(value)) return isObject(received) && contradicts(value, received);
    return !Array.isArray(value) && !isObject(received) && !isSame(value, received);
  });

/** The ids among the fields: a server stores an id as it was sent, or not at all. */
const idsIn = (sent: Fields): Fields =>
  Object.fromEntries(Object.entries(sent).filter(([, value]) => typeof value === 'number'));

type Doubting = Pick<SendContext, 'operation' | 'checkpoint'>;

/** Fails with a broken reply, and marks the answer as doubted, so that the next attempt gets another one. */
export const doubt = async (
  { checkpoint }: Doubting,
  { id }: { readonly id: number },
  what: string,
): Promise<Result<never>> => {
  await checkpoint({ contradicted: id });
  const detail = `the answer shows record ${id}, which ${what}`;
  return fail({ kind: 'broken_reply', status: 200, looks_like: 'wrong_shape', detail });
};

/**
 * Accepts the answer to a write. Fails with a broken reply if it shows another record for the first time.
 * @param must fields that the answer must show if they were sent, because without them it may be anybody's record
 */
export const believeRecord = async <T extends { readonly id: number }>(
  context: Doubting,
  sent: Fields,
  record: T,
  must: readonly string[] = [],
): Promise<Result<T>> => {
  const lacks = must.some((name) => !isEmpty(sent[name]) && receivedIn(record, name) === undefined);
  if (lacks) return doubt(context, record, 'does not show what was sent');
  if (!contradicts(sent, record)) return ok(record);
  const again = context.operation.checkpoint.contradicted === record.id;
  return again && !contradicts(idsIn(sent), record)
    ? ok(record)
    : doubt(context, record, 'is not what was sent');
};
