/**
 * Finds the record that an earlier attempt created, if the server may have forgotten the key (decisions §1.5). A match
 * was created since that attempt, has every field as sent, and is no other record of this laptop. The oldest of several
 * wins.
 */
import { triedSince } from '../queue/operation-life.ts';
import { contradicts } from './believe-record.ts';
import type { SendContext } from './handler.ts';

/** How far two clocks may differ, and how long a request may be in transit. */
const SLACK_MS = 86_400_000;

interface Made {
  readonly id: number;
  readonly created_at?: unknown;
}

/** @param name the field with the record's name, which must match exactly */
export const findMade = <T extends Made>(
  records: readonly T[],
  wanted: {
    readonly sent: Readonly<Record<string, unknown>>;
    readonly name: string;
    /** Server ids of other records of this laptop. */
    readonly others: ReadonlySet<number>;
  },
  { operation }: Pick<SendContext, 'operation'>,
): T | null => {
  const { sent, name, others } = wanted;
  const since = (triedSince(operation) ?? operation.created_at) - SLACK_MS;
  const same = records.filter((record) => {
    const fields = Object.fromEntries(Object.entries(record));
    return (
      !others.has(record.id) &&
      Date.parse(String(record.created_at)) >= since &&
      String(fields[name]).trim() === String(sent[name]).trim() &&
      !contradicts(sent, fields)
    );
  });
  return same.toSorted((a, b) => a.id - b.id)[0] ?? null;
};
