/**
 * The queue knows no record type: a kind's name occurs only where kinds are defined (operations/), sent (outbox/handlers/) and
 * described (words/), and no queued payload is cast. The test plants violations first to prove that they are found.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  allKinds,
  bytesOf,
  operationOf,
  traitsOf,
  optimisticPatchOf,
} from '../../src/renderer/operations/operation.ts';
import type { OutboxOperation } from '../../src/renderer/operations/stored.ts';

const src = join(import.meta.dirname, '../../src');
const MAY_KNOW = ['renderer/operations/', 'renderer/outbox/handlers/', 'renderer/words/'];

/** Other files outside data/ that may name a kind, and why. */
const TAKES_A_KIND = {
  'renderer/outbox/queue/pick-existing-record.ts':
    'only the create of a near miss may be there already',
  'renderer/outbox/queue/resolve.ts':
    'only the update of a near miss asks for a choice field by field',
};

interface Source {
  /** Path below `src`, with slashes. */
  readonly path: string;
  readonly text: string;
}

const sources = (): readonly Source[] =>
  readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.(?:ts|svelte)$/.test(file.name))
    .map((file) => join(file.parentPath, file.name))
    .map((file) => ({
      path: relative(src, file).split(sep).join('/'),
      text: readFileSync(file, 'utf8'),
    }));

const records = [...new Set(allKinds.map((kind) => kind.split('.')[0] ?? ''))];
/** A quoted kind, or a comparison with a kind's prefix, plain or in a pattern. */
const name = new RegExp(
  [
    `(['"\`])(?:${allKinds.map((kind) => kind.replace('.', '\\.')).join('|')})\\1`,
    `startsWith\\(['"\`](?:${records.join('|')})\\.`,
    `\\((?:\\?:)?(?:${records.join('|')})[|)][^\n]*\\\\\\.`,
  ].join('|'),
  'g',
);
const cast = /\bpayload(?: \?\? \{\}\))? as\b/g;

const found = (files: readonly Source[], what: RegExp): readonly string[] =>
  files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, at) => (line.match(what) ? [`${path}:${at + 1}`] : [])),
  );

const outside = (files: readonly Source[]): readonly Source[] =>
  files.filter(
    ({ path }) => path.startsWith('renderer/') && !MAY_KNOW.some((room) => path.startsWith(room)),
  );

describe('a kind is known in its own room alone', () => {
  it.each([
    `if (operation.kind === 'photo.send') return;`,
    `const lane = "near_miss.create";`,
    `operation.kind.startsWith('trigger.')`,
    `/^(near_miss|photo)\\./.test(kind)`,
  ])('finds a planted %s', (text) => {
    expect(found(outside([{ path: 'renderer/data/planted.ts', text }]), name)).toHaveLength(1);
    expect(found(outside([{ path: 'renderer/operations/planted.ts', text }]), name)).toEqual([]);
  });

  it.each([
    `(operation.payload as object)`,
    `const p = payload as P;`,
    `(operation.payload ?? {}) as P`,
  ])('finds a planted cast %s', (text) =>
    expect(found([{ path: 'renderer/data/planted.ts', text }], cast)).toHaveLength(1),
  );

  it('nothing outside compares a kind with a name', () => {
    expect(found(outside(sources()), name)).toEqual([]);
  });

  it('a record’s kinds are taken by its file of data/, and by two of the queue', () => {
    const takers = outside(sources()).filter(({ text }) => text.includes('operations/queued.ts'));
    const others = takers.filter(({ path }) => !path.startsWith('renderer/data/'));
    expect(others.map(({ path }) => path).sort()).toEqual(Object.keys(TAKES_A_KIND));
  });

  it('nothing casts what an operation holds', () => {
    expect(found(sources(), cast)).toEqual([]);
  });
});

describe('what no schema knows answers nothing, and stays what it is', () => {
  const row: OutboxOperation = {
    id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    seq: 1,
    account: 'a',
    kind: 'near_miss.create',
    version: 1,
    lane: 'record',
    created_at: 1,
    payload: { key: 'record', company_id: 1, project_id: 2, body: { incident_id: 3, later: [4] } },
    journaled: 1,
    state: 'waiting',
    attempts: 1,
    tries: null,
    consecutive_failures: 0,
    next_try_at: null,
    last_problem: null,
    checkpoint: { server_id: 'not a number', sent_from: 5, later: true },
  };

  it('the control: an operation is read, with what a later Spotter put into its body', () => {
    expect(optimisticPatchOf(row)).toMatchObject({
      puts: 'fields',
      wire: { incident_id: 3, later: [4] },
    });
  });

  it.each([
    { kind: 'near_miss.teleport' },
    { version: 2 },
    { lane: 'another' },
    { payload: null },
    { payload: { key: 'record' } },
    { kind: 'toString' },
  ])('%o', (change) => {
    const strange = { ...row, ...change };
    const before = structuredClone(strange);
    expect(operationOf(strange)).toBeNull();
    expect(optimisticPatchOf(strange)).toBeNull();
    expect(bytesOf(strange)).toBeNull();
    expect(strange).toEqual(before);
  });

  it('the facts of a kind hold also where its payload cannot be read', () => {
    expect(operationOf({ ...row, version: 9 })).toBeNull();
    expect(traitsOf(row.kind)).toMatchObject({ record: 'near_miss', does: 'makes', blocks: true });
    expect(traitsOf('near_miss.teleport')).toBeNull();
  });

  it('a note that is not as it should be counts as not there, and no other is lost', () => {
    const operation = operationOf(row);
    expect(operation?.checkpoint).toMatchObject({ sent_from: 5, later: true });
    expect(operation?.checkpoint).not.toMatchObject({ server_id: 'not a number' });
    expect(row.checkpoint['server_id']).toBe('not a number');
  });
});
