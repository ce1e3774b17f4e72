/**
 * Write-ahead log of every queued write, outside the browser's profile. The file is append-only and fsynced before an append
 * resolves. In tests, IndexedDB lost every record on a full disk, so "saved on this laptop" rests on this file (failures: "What
 * was measured").
 *
 * Concurrent appends share one fsync (group commit). Compaction writes a new file and renames it.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EndedDraft, IdLink, JournalDraft, JournalOperation } from '../../contract/host.ts';
import { ok, type Result } from '../../contract/problem.ts';
import { dropUnfinished, ensureFolder, failFile, syncFolder } from '../lib/files.ts';
import { codeOf, type Log } from '../lib/log.ts';
import {
  appendWithReserve,
  createJournalFile,
  createReserve,
  type JournalFile,
  type Reserve,
} from './journal-file.ts';
import { readLines, writeLine, type JournalLine } from './journal-lines.ts';
import { openQuarantine, readQuarantined, type Quarantine } from './journal-quarantine.ts';
import { createState, type JournalState, type LaneRecord } from './journal-state.ts';

export interface Journal {
  append(operations: readonly JournalOperation[]): Promise<Result<null>>;
  settle(entryIds: readonly string[], links: readonly IdLink[]): Promise<Result<null>>;
  list(): {
    operations: JournalOperation[];
    links: IdLink[];
    /** Number of unreadable lines in quarantine. */
    damaged: number;
    /** Number of incomplete last lines in quarantine, left by appends that a power cut interrupted. */
    unfinished: number;
    records: LaneRecord[];
  };
  /** The quarantined lines as text, newest last (contract/host.ts). */
  unreadable(): Promise<string[]>;
  /** Saves the current state of drafts, and records which drafts ended (journal-drafts.ts). */
  keepDrafts(drafts: readonly JournalDraft[], ended: readonly EndedDraft[]): Promise<Result<null>>;
  drafts(): { drafts: JournalDraft[]; ended: EndedDraft[] };
  /** Returns the ids that are settled. */
  settled(entryIds: readonly string[]): string[];
  /** Size of the file in bytes, and number of unsettled operations. */
  usage(): { bytes: number; operations: number };
  /** True if an unsettled operation's payload or a draft contains this photo's id. */
  names(photoId: string): boolean;
  /** True if an unsettled operation or a draft contains this text. Scans all of them. */
  mentions(text: string): boolean;
  close(): Promise<void>;
}

const COMPACT_BYTES = 8 * 1024 * 1024;
/** Approximate maximum size of settled ids and links, in bytes. They survive compaction. */
const SETTLED_BYTES = 3 * 1024 * 1024;

interface Waiting {
  readonly lines: readonly JournalLine[];
  readonly done: (result: Result<null>) => void;
}

/** Idempotent append: false if the line would change nothing. */
const isNews = (state: JournalState, line: JournalLine, batch: Set<string>): boolean => {
  if (line.t === 'draft' || line.t === 'ended') return state.drafts.isNews(line, writeLine(line));
  if (line.t !== 'operation') return true;
  const { id, again } = line.operation;
  if (state.operations.has(id) || batch.has(id)) return false;
  if (state.settled.has(id) && again !== true) return false;
  batch.add(id);
  return true;
};

/** The single writer of the file. Lines that arrive while it writes share the next append. */
const createWriter = (state: JournalState, file: JournalFile, reserve: Reserve, log: Log) => {
  let waiting: Waiting[] = [];
  let busy: Promise<void> | null = null;

  /**
   * Compact only if more than half of the file is obsolete. Otherwise a long queue would be rewritten repeatedly while it
   * drains.
   */
  const isMostlyObsolete = (): boolean =>
    file.size() > COMPACT_BYTES && file.size() > 2 * state.bytes() + SETTLED_BYTES;

  const tidy = async (): Promise<void> => {
    const before = file.size();
    await file.compact().catch(() => undefined);
    if (file.size() <= before / 2) await reserve.fill();
  };

  const drain = async (): Promise<void> => {
    await null; // makes `drain` finish only after `busy` is set
    while (waiting.length > 0) {
      const now = waiting;
      waiting = [];
      const batch = new Set<string>();
      const lines = now.flatMap((one) => one.lines).filter((line) => isNews(state, line, batch));
      const texts = lines.map(writeLine);
      try {
        if (lines.length > 0)
          await appendWithReserve(file, reserve, Buffer.from(texts.join('')), log);
        lines.forEach((line, at) => state.apply(line, texts[at] ?? ''));
        for (const one of now) one.done(ok(null));
        if (isMostlyObsolete()) await tidy();
        if (!reserve.isThere()) await reserve.fill();
      } catch (error) {
        for (const one of now) one.done(failFile(error));
      }
    }
  };

  const begin = (): void => {
    busy ??= drain().finally(() => {
      busy = null;
      if (waiting.length > 0) begin();
    });
  };

  return {
    put: (lines: readonly JournalLine[]): Promise<Result<null>> =>
      new Promise((done) => {
        waiting.push({ lines, done });
        begin();
      }),
    idle: async (): Promise<void> => {
      while (busy) await busy;
    },
  };
};

interface OpenParts {
  readonly folder: string;
  readonly state: JournalState;
  readonly quarantine: Quarantine;
  readonly file: JournalFile;
  readonly writer: ReturnType<typeof createWriter>;
}

const journalOf = ({ folder, state, quarantine, file, writer }: OpenParts): Journal => ({
  append: (operations) =>
    writer.put(operations.map((operation): JournalLine => ({ t: 'operation', operation }))),
  settle: (ids, links) => {
    const lanes = ids.flatMap((id) => state.operations.get(id)?.lane ?? []);
    const laned = links.map((link) => ({ ...link, lanes: [...new Set(lanes)] }));
    return writer.put([{ t: 'settled', ids: [...ids], links: laned }]);
  },
  list: () => ({
    operations: state.list(),
    links: state.keptLinks().map(({ local_id, server_id }) => ({ local_id, server_id })),
    damaged: quarantine.damaged,
    unfinished: quarantine.unfinished,
    records: state.records(),
  }),
  unreadable: () => readQuarantined(folder),
  keepDrafts: (drafts, ended) => {
    const ends: JournalLine[] = ended.length > 0 ? [{ t: 'ended', ended: [...ended] }] : [];
    return writer.put([...drafts.map((draft): JournalLine => ({ t: 'draft', draft })), ...ends]);
  },
  drafts: () => state.drafts.list(),
  settled: (ids) => ids.filter((id) => state.settled.has(id)),
  usage: () => ({ bytes: file.size(), operations: state.operations.size }),
  names: state.names,
  mentions: (text) =>
    [...state.operations.values(), ...state.drafts.kept.values()].some((kept) =>
      kept.text.includes(text),
    ),
  close: async () => {
    await writer.idle();
    await file.close();
  },
});

/**
 * Opens or creates the journal in `folder`. Throws only if the folder is unusable.
 * @param isOurs returns whether the data folder is still locked by us; with two writers, each would lose the other's writes
 */
export const openJournal = async (
  folder: string,
  log: Log,
  isOurs: () => boolean = () => true,
): Promise<Journal> => {
  await ensureFolder(folder);
  await dropUnfinished(folder);
  const path = join(folder, 'journal.log');
  const bytes = await readFile(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
  const state = createState();
  const read = readLines(bytes);
  for (const line of read.lines) state.apply(line, writeLine(line));
  const quarantine = await openQuarantine(folder, read, log);
  const replacement = async (): Promise<string> => {
    await quarantine.complete();
    return state.lines().join('');
  };
  const size = bytes.length;
  const file = createJournalFile({ path, size, torn: read.torn, replacement, isOurs, log });
  // A report that was delivered, or a draft that was changed, does not stay on the disk until the file is large.
  const kept = state.lines().reduce((sum, line) => sum + Buffer.byteLength(line), 0);
  if (read.damaged.length > 0 || read.torn || size > kept)
    await file.compact().catch((error: unknown) => {
      log({ level: 'warn', message: 'journal not compacted', code: codeOf(error) });
    });
  await file.open();
  await syncFolder(folder);
  const reserve = createReserve(folder);
  await reserve.fill();
  const writer = createWriter(state, file, reserve, log);
  return journalOf({ folder, state, quarantine, file, writer });
};
