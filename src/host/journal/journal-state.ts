/** State replayed from the lines of the journal, in memory: pending operations, settled ids, id mappings and drafts. */
import type { JournalOperation } from '../../contract/host.ts';
import { createDrafts } from './journal-drafts.ts';
import { operationOf, writeLine, type JournalLine, type LanedLink } from './journal-lines.ts';

/** Minimum number of newest links and settled ids to keep, so that a late append does not send an operation again. */
const KEEP = 10_000;

/** An unsettled operation in its serialized form. Needs a tenth of the memory of the parsed object, and compaction can copy it. */
interface Kept {
  readonly text: string;
  readonly bytes: number;
  readonly seq: number;
  readonly lane: string;
  /** Ids in the payload. */
  readonly ids: readonly string[];
  /** Position in the log. A later line is newer, even if an edit of an unsent operation reuses the older `seq`. */
  readonly at: number;
}

/** The record after the newest settled operation of a lane. Operations still pending in that lane are older and show less. */
export interface LaneRecord {
  readonly lane: string;
  readonly record: unknown;
}

type Left = LaneRecord & { readonly seq: number; readonly at: number };

/** Copies the ids, because a substring would keep the whole text in memory. */
const idsIn = (payload: unknown): string[] =>
  [...new Set((JSON.stringify(payload) ?? '').match(/(?<![0-9A-Z])[0-9A-Z]{26}(?![0-9A-Z])/g))].map(
    (id) => Buffer.from(id, 'latin1').toString('latin1'),
  );

/** The pending operations by lane, and the record that the settled ones left in it. */
const createLanes = () => {
  const lanes = new Map<string, Kept[]>();
  const left = new Map<string, Left>();

  const leave = (one: Left): void => {
    if (one.record !== undefined && one.at > (left.get(one.lane)?.at ?? -1))
      left.set(one.lane, one);
  };

  return {
    has: (lane: string): boolean => lanes.has(lane),
    add(kept: Kept): void {
      lanes.set(kept.lane, [...(lanes.get(kept.lane) ?? []), kept]);
      // The new operation carries a newer record of its lane.
      left.delete(kept.lane);
    },
    drop(kept: Kept): void {
      const { lane, seq, text, at } = kept;
      const others = (lanes.get(lane) ?? []).filter((other) => other !== kept);
      if (others.length > 0) lanes.set(lane, others);
      else lanes.delete(lane);
      if (others.length > 0 && others.every((other) => other.at < at))
        leave({ lane, seq, at, record: operationOf(text).record });
      if (others.length === 0) left.delete(lane);
    },
    leave(one: Left): void {
      if (lanes.has(one.lane)) leave(one);
    },
    records: (): LaneRecord[] => [...left.values()].map(({ lane, record }) => ({ lane, record })),
    lines: (): string[] =>
      [...left.values()].map(({ lane, seq, record }) =>
        writeLine({ t: 'record', lane, seq, record }),
      ),
  };
};

/** Counts how often the kept lines name each id, and their size. */
const createCounts = () => {
  const naming = new Map<string, number>();
  let bytes = 0;
  return {
    names: (id: string): boolean => naming.has(id),
    bytes: (): number => bytes,
    count(kept: Pick<Kept, 'bytes' | 'ids'>, by: 1 | -1): void {
      bytes += by * kept.bytes;
      for (const id of kept.ids) {
        const more = (naming.get(id) ?? 0) + by;
        if (more > 0) naming.set(id, more);
        else naming.delete(id);
      }
    },
  };
};

export const createState = () => {
  const operations = new Map<string, Kept>();
  const settled = new Set<string>();
  const links = new Map<string, LanedLink>();
  const lanes = createLanes();
  const { count, names, bytes } = createCounts();
  const drafts = createDrafts(idsIn, count);
  let at = 0;

  const addOperation = (
    { id, seq, lane, payload, again }: JournalOperation,
    text: string,
  ): void => {
    if (operations.has(id) || (settled.has(id) && again !== true)) return;
    settled.delete(id);
    const kept = { text, bytes: Buffer.byteLength(text), seq, lane, ids: idsIn(payload), at };
    operations.set(id, kept);
    count(kept, 1);
    lanes.add(kept);
  };

  const settle = (id: string): void => {
    const kept = operations.get(id);
    if (kept !== undefined) {
      operations.delete(id);
      count(kept, -1);
      lanes.drop(kept);
    }
    settled.delete(id);
    settled.add(id);
  };

  /** @param text the serialized line */
  const apply = (line: JournalLine, text: string): void => {
    at += 1;
    if (line.t === 'operation') return addOperation(line.operation, text);
    if (line.t === 'draft' || line.t === 'ended') return drafts.apply(line, text);
    if (line.t === 'record') return lanes.leave({ ...line, at });
    for (const link of line.links) {
      links.delete(link.local_id); // re-insert at the end: newest last
      links.set(link.local_id, link);
    }
    for (const id of line.ids) settle(id);
  };

  const keptLinks = (): LanedLink[] => {
    const all = [...links.values()];
    return all.filter(
      (link, at) => at >= all.length - KEEP || link.lanes.some((lane) => lanes.has(lane)),
    );
  };

  /** The compacted log: the fewest lines that restore this state. */
  const lines = (): string[] => [
    writeLine({ t: 'settled', ids: [...settled].slice(-KEEP), links: keptLinks() }),
    ...[...operations.values()].map(({ text }) => text),
    ...lanes.lines(),
    ...drafts.lines(),
  ];

  return {
    operations,
    settled,
    drafts,
    apply,
    keptLinks,
    lines,
    names,
    bytes,
    records: lanes.records,
    list: (): JournalOperation[] =>
      [...operations.values()].sort((a, b) => a.seq - b.seq).map(({ text }) => operationOf(text)),
  };
};

export type JournalState = ReturnType<typeof createState>;
