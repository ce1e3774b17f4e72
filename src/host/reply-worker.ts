/**
 * Judges large answers in a thread of its own, so that the thread on which the journal runs never stands still for one. What it
 * found goes back in small pieces, each asked for: all at once they would keep that thread as busy as the judging.
 */
import { parentPort } from 'node:worker_threads';
import { anyEndpoint, type EndpointName } from '../contract/rest/index.ts';
import { fail, type Problem, type Result } from '../contract/problem.ts';
import { dataOf } from './reply.ts';

/** What the host asks: judge this, then piece after piece. */
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
 * What it is told. `base`: the data with its long lists empty. `rows`: more of the list under `key`, of the data itself where
 * that is null. An answer ends with `done` or `problem`.
 */
export type Told = { readonly id: number } & (
  | { readonly base: unknown }
  | { readonly key: string | null; readonly rows: readonly unknown[] }
  | { readonly problem: Problem }
  | { readonly done: true }
);
type Piece = Told extends infer T ? (T extends { id: number } ? Omit<T, 'id'> : never) : never;

/** Characters of a piece: a few milliseconds of the thread that takes it. */
const PIECE_SIZE = 128 * 1024;
/** Characters of one row, and of everything that is no row of a list. */
const ROW_MAX = 1024 * 1024;

/**
 * Values of an answer, at most: each costs some hundred bytes of memory while it is judged, a hundred times what it takes as text.
 * Counted by the characters that begin one, also those inside texts.
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
