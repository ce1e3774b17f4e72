/**
 * Worker thread that parses large responses, so that the journal's thread never blocks on one. The host requests the result in
 * small pieces. Receiving it whole would block that thread as long as parsing it.
 */
import { parentPort } from 'node:worker_threads';
import { anyEndpoint, type EndpointName } from '../../contract/rest/index.ts';
import { fail, type Problem, type Result } from '../../contract/problem.ts';
import { dataOf } from './reply.ts';

/** Messages from the host: parse a response, then fetch the next piece, again and again. */
export type Ask =
  | {
      readonly id: number;
      readonly name: EndpointName;
      readonly status: number;
      readonly content_type: string | null;
      readonly bytes: Uint8Array;
    }
  | { readonly id: number; readonly next: true };

/**
 * Messages to the host. `base`: the data with its arrays emptied. `rows`: further elements of the array under `key`, or of the
 * data itself if `key` is null. A response ends with `done` or `problem`.
 */
export type WorkerMessage = { readonly id: number } & (
  | { readonly base: unknown }
  | { readonly key: string | null; readonly rows: readonly unknown[] }
  | { readonly problem: Problem }
  | { readonly done: true }
);
type Piece = WorkerMessage extends infer T
  ? T extends { id: number }
    ? Omit<T, 'id'>
    : never
  : never;

/** Size of a piece in characters. Receiving it takes a few milliseconds. */
const PIECE_SIZE = 128 * 1024;
/** Maximum size in characters of one row, and of everything outside the arrays. */
const ROW_MAX = 1024 * 1024;

/**
 * Maximum number of values in a response. While parsed, each takes some hundred bytes of memory, a hundred times its size as
 * text. Counted by the characters that may start a value, even inside strings.
 */
const VALUES_MAX = 500_000;
const STARTS = new Set([...',[{'].map((character) => character.charCodeAt(0)));

const hasTooMany = (bytes: Uint8Array): boolean => {
  let values = 0;
  for (const byte of bytes) if (STARTS.has(byte)) values += 1;
  return values > VALUES_MAX;
};

const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

const broken = (status: number, detail: string): Problem => ({
  kind: 'broken_reply',
  status,
  looks_like: 'too_large',
  detail,
});

class TooLarge extends Error {}

const measured = (value: unknown): number => {
  const size = sizeOf(value);
  if (size > ROW_MAX) throw new TooLarge(`${size} characters in one row`);
  return size;
};

function* piecesOfList(key: string | null, rows: readonly unknown[]): Generator<Piece> {
  let piece: unknown[] = [];
  let size = 0;
  for (const row of rows) {
    const more = measured(row);
    if (size > 0 && size + more > PIECE_SIZE) {
      yield { key, rows: piece };
      piece = [];
      size = 0;
    }
    piece.push(row);
    size += more;
  }
  if (piece.length > 0) yield { key, rows: piece };
}

function* piecesOf(data: unknown): Generator<Piece> {
  if (Array.isArray(data)) {
    yield { base: [] };
    yield* piecesOfList(null, data);
  } else if (typeof data === 'object' && data !== null) {
    const fields = Object.entries(data as Record<string, unknown>);
    const base = Object.fromEntries(
      fields.map(([key, value]) => [key, Array.isArray(value) ? [] : value]),
    );
    measured(base);
    yield { base };
    for (const [key, value] of fields) if (Array.isArray(value)) yield* piecesOfList(key, value);
  } else {
    measured(data);
    yield { base: data };
  }
  yield { done: true };
}

const judge = ({ name, status, content_type, bytes }: Extract<Ask, { bytes: unknown }>) => {
  if (hasTooMany(bytes)) return fail(broken(status, `more than ${VALUES_MAX} values`));
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const header = (wanted: string) => (wanted === 'content-type' ? content_type : null);
  return dataOf(anyEndpoint(name), { status, header, text }) as Result<unknown>;
};

const going = new Map<number, Generator<Piece>>();

const nextOf = (id: number): Piece => {
  try {
    const next = going.get(id)?.next();
    if (next && next.done !== true) return next.value;
    return { done: true };
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    return { problem: broken(200, error.message) };
  }
};

const answer = (ask: Ask): Piece => {
  if ('bytes' in ask) {
    const judged = judge(ask);
    if (!judged.ok) return { problem: judged.problem };
    going.set(ask.id, piecesOf(judged.value));
  }
  return nextOf(ask.id);
};

parentPort?.on('message', (ask: Ask) => {
  const piece = answer(ask);
  if ('done' in piece || 'problem' in piece) going.delete(ask.id);
  parentPort?.postMessage({ id: ask.id, ...piece });
});
