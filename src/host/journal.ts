/**
 * The second copy of every queued write, outside the browser's profile: an append-only file, fsynced before an append
 * answers. IndexedDB alone was seen to lose every record on a full disk, so "saved on this laptop" rests on this
 * file (failures: "What was measured").
 *
 * Appends that arrive together share one fsync. A reserve file is given up when the disk is full, so that a record's
 * text still fits after photos are refused. Compaction writes a new file beside the old one and renames it.
 */
import { createHash } from 'node:crypto';
import { open, readFile, stat, truncate, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { EndedDraft, IdLink, JournalDraft, JournalEntry } from '../contract/host.ts';
import { ok, type Result } from '../contract/problem.ts';
import { removeFile } from '../disk/patient.ts';
import {
  FILE_MODE,
  dropUnfinished,
  ensureFolder,
  failFile,
  freeSpace,
  isNoSpace,
  readIfThere,
  syncFolder,
  writeFileAtomic,
} from './files.ts';
import {
  entryOf,
  readLines,
  writeLine,
  type JournalLine,
  type LanedLink,
} from './journal-lines.ts';
import { createDrafts } from './journal-drafts.ts';
import { codeOf, type Log } from './log.ts';

export interface Journal {
  append(entries: readonly JournalEntry[]): Promise<Result<null>>;
  settle(entryIds: readonly string[], links: readonly IdLink[]): Promise<Result<null>>;
  list(): {
    entries: JournalEntry[];
    links: IdLink[];
    /** Lines that were set aside because they could not be read. */
    damaged: number;
    /** Ends of the file that were set aside because they were no whole line: appends that a power cut interrupted. */
    unfinished: number;
    records: LaneRecord[];
  };
  /** Drafts as they are now, and those that ended (journal-drafts.ts). */
  keepDrafts(drafts: readonly JournalDraft[], ended: readonly EndedDraft[]): Promise<Result<null>>;
  drafts(): { drafts: JournalDraft[]; ended: EndedDraft[] };
  /** Of these entries, those that are settled. */
  settled(entryIds: readonly string[]): string[];
  /** Bytes of the file and entries that are not settled. */
  usage(): { bytes: number; entries: number };
  /** Does an entry that is not settled name this photo in its payload, or a draft? */
  names(photoId: string): boolean;
  /** Does the line of an entry that is not settled hold this text? Reads all of them. */
  mentions(text: string): boolean;
  close(): Promise<void>;
}

const RESERVE_BYTES = 4 * 1024 * 1024;
const COMPACT_BYTES = 8 * 1024 * 1024;
/** What the ids and links of settled entries take at most, roughly: they stay through a compaction. */
const SETTLED_BYTES = 3 * 1024 * 1024;
/** Newest links and settled ids kept whatever their lane: an append that comes late must not send again. */
const KEEP = 10_000;

/** An entry that waits, as its line: a tenth of the memory of its objects, and compaction copies it as it is. */
interface Kept {
  readonly text: string;
  readonly bytes: number;
  readonly seq: number;
  readonly lane: string;
  /** Ids in its payload. */
  readonly ids: readonly string[];
  /** The line's place among the lines: what came later shows more. An edit of what was not sent yet takes the older entry's `seq`. */
  readonly at: number;
}

/** A record as the newest settled entry of its lane left it: what waits there still was made before and shows less. */
interface LaneRecord {
  readonly lane: string;
  readonly record: unknown;
}

type Left = LaneRecord & { readonly seq: number; readonly at: number };

/** Copied: as parts of the text they would keep the whole of it in memory. */
const idsIn = (payload: unknown): string[] =>
  [...new Set((JSON.stringify(payload) ?? '').match(/(?<![0-9A-Z])[0-9A-Z]{26}(?![0-9A-Z])/g))].map(
    (id) => Buffer.from(id, 'latin1').toString('latin1'),
  );

/** What the lines add up to. `lanes`: what waits, by lane. */
const createState = () => {
  const entries = new Map<string, Kept>();
  const settled = new Set<string>();
  const links = new Map<string, LanedLink>();
  /** How many entries name an id. */
  const naming = new Map<string, number>();
  const lanes = new Map<string, Kept[]>();
  const left = new Map<string, Left>();
  let at = 0;
  /** Of the entries' lines. */
  let bytes = 0;

  const count = (kept: Pick<Kept, 'bytes' | 'ids'>, by: 1 | -1): void => {
    bytes += by * kept.bytes;
    for (const id of kept.ids) {
      const more = (naming.get(id) ?? 0) + by;
      if (more > 0) naming.set(id, more);
      else naming.delete(id);
    }
  };
  const drafts = createDrafts(idsIn, count);
  const drop = (id: string): void => {
    const kept = entries.get(id);
    if (kept === undefined) return;
    entries.delete(id);
    count(kept, -1);
    const { lane, seq, text } = kept;
    const others = (lanes.get(lane) ?? []).filter((other) => other !== kept);
    if (others.length > 0) lanes.set(lane, others);
    else lanes.delete(lane);
    if (others.length > 0 && others.every((other) => other.at < kept.at))
      leave({ lane, seq, at: kept.at, record: entryOf(text).record });
    if (others.length === 0) left.delete(lane);
  };
  const leave = (one: Left): void => {
    if (one.record !== undefined && one.at > (left.get(one.lane)?.at ?? -1))
      left.set(one.lane, one);
  };

  /** `text`: the line as it is written. */
  const apply = (line: JournalLine, text: string): void => {
    at += 1;
    if (line.t === 'entry') {
      const { id, seq, lane, payload, again } = line.entry;
      if (entries.has(id) || (settled.has(id) && again !== true)) return;
      settled.delete(id);
      const kept = { text, bytes: Buffer.byteLength(text), seq, lane, ids: idsIn(payload), at };
      entries.set(id, kept);
      count(kept, 1);
      lanes.set(lane, [...(lanes.get(lane) ?? []), kept]);
      // The lane's own record is newer.
      left.delete(lane);
      return;
    }
    if (line.t === 'draft' || line.t === 'ended') {
      drafts.apply(line, text);
      return;
    }
    if (line.t === 'record') {
      if (lanes.has(line.lane)) leave({ ...line, at });
      return;
    }
    for (const link of line.links) {
      links.delete(link.local_id); // newest last
      links.set(link.local_id, link);
    }
    for (const id of line.ids) {
      drop(id);
      settled.delete(id);
      settled.add(id);
    }
  };

  const keptLinks = (): LanedLink[] => {
    const all = [...links.values()];
    return all.filter(
      (link, at) => at >= all.length - KEEP || link.lanes.some((lane) => lanes.has(lane)),
    );
  };

  const list = (): JournalEntry[] =>
    [...entries.values()].sort((a, b) => a.seq - b.seq).map(({ text }) => entryOf(text));

  /** The same state in as few lines as carry it. */
  const lines = (): string[] => [
    writeLine({ t: 'settled', ids: [...settled].slice(-KEEP), links: keptLinks() }),
    ...[...entries.values()].map(({ text }) => text),
    ...[...left.values()].map(({ lane, seq, record }) =>
      writeLine({ t: 'record', lane, seq, record }),
    ),
    ...drafts.lines(),
  ];
  const records = (): LaneRecord[] =>
    [...left.values()].map(({ lane, record }) => ({ lane, record }));

  return {
    entries,
    settled,
    apply,
    keptLinks,
    list,
    lines,
    naming,
    records,
    drafts,
    bytes: () => bytes,
  };
};

/** Keeps raw bytes, each once: a line of their sha256 and themselves in base64. Answers how many there are in all. */
const quarantine = async (path: string, damaged: readonly Buffer[]): Promise<number> => {
  const kept = (await readIfThere(path)) ?? '';
  const known = kept.split('\n').filter((line) => line !== '');
  const seen = new Set(known.map((line) => line.slice(0, 64)));
  const fresh = new Map(
    damaged.map((raw) => [createHash('sha256').update(raw).digest('hex'), raw] as const),
  );
  for (const sha of seen) fresh.delete(sha);
  if (fresh.size > 0) {
    const added = [...fresh].map(([sha, raw]) => `${sha} ${raw.toString('base64')}`);
    await writeFileAtomic(path, `${[...known, ...added].join('\n')}\n`);
  }
  return known.length + fresh.size;
};

/** Makes the reserve where it is not there and there is room for it. Answers whether it is there. */
const ensureReserve = async (folder: string, path: string): Promise<boolean> => {
  const size = await stat(path).then(
    (facts) => facts.size,
    () => 0,
  );
  if (size === RESERVE_BYTES) return true;
  if ((await freeSpace(folder)) < 4 * RESERVE_BYTES) return false;
  return writeFileAtomic(path, new Uint8Array(RESERVE_BYTES).fill(0x2e)).then(
    () => true,
    () => false,
  );
};

interface Waiting {
  readonly lines: readonly JournalLine[];
  readonly done: (result: Result<null>) => void;
}

/**
 * Opens (or makes) the journal in `folder`. Throws only where the folder cannot be used at all.
 * @param isOurs is the data folder still ours? Two writers of one journal would lose what the other wrote.
 */
export const openJournal = async (
  folder: string,
  log: Log,
  isOurs: () => boolean = () => true,
): Promise<Journal> => {
  await ensureFolder(folder);
  await dropUnfinished(folder);
  const path = join(folder, 'journal.log');
  const reserve = join(folder, 'reserve');
  const state = createState();

  const bytes = await readFile(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
  const read = readLines(bytes);
  for (const line of read.lines) state.apply(line, writeLine(line));

  const aside = [
    { name: 'journal.damaged', raw: read.damaged, what: 'journal lines set aside' },
    {
      name: 'journal.unfinished',
      raw: read.unfinished === null ? [] : [read.unfinished],
      what: 'an unfinished line at the end of the journal set aside',
    },
  ];
  let toSetAside = aside;
  const setAside = async (): Promise<number[]> => {
    const counts = await Promise.all(
      toSetAside.map(({ name, raw }) => quarantine(join(folder, name), raw)),
    );
    toSetAside = [];
    return counts;
  };
  for (const { raw, what } of aside)
    if (raw.length > 0) log({ level: 'warn', message: what, count: raw.length });
  const [damaged = 0, unfinished = 0] = await setAside().catch((error: unknown) => {
    // No room for a copy: they stay where they are until there is.
    log({ level: 'warn', message: 'journal lines not set aside', code: codeOf(error) });
    return aside.map(({ raw }) => raw.length);
  });

  /** Null while the file is written anew: Windows renames over no file that is open. */
  let handle: FileHandle | null = null;
  let closed = false;
  const openFile = async (): Promise<FileHandle> => {
    if (closed) throw new Error('the journal is closed');
    return (handle ??= await open(path, 'a', FILE_MODE));
  };
  const closeFile = async (): Promise<void> => {
    const was = handle;
    handle = null;
    await was?.close().catch(() => undefined);
  };
  let size = bytes.length;
  /** The file does not end with a line end: the next append begins with one. */
  let torn = read.torn;
  /** After a failed fsync nobody knows what the file holds: it is written anew from memory before the next append. */
  let suspect = false;

  const compact = async (): Promise<void> => {
    await setAside();
    const text = state.lines().join('');
    await closeFile();
    await writeFileAtomic(path, text);
    size = Buffer.byteLength(text);
    suspect = false;
    torn = false;
  };

  if (read.damaged.length > 0 || torn || size > COMPACT_BYTES)
    await compact().catch((error: unknown) => {
      log({ level: 'warn', message: 'journal not compacted', code: codeOf(error) });
    });
  await openFile();
  await syncFolder(folder);
  let hasReserve = await ensureReserve(folder, reserve);

  /** Cuts off what a failed append left. By its path: Windows cuts nothing by a handle opened for appending. */
  const cutBack = async (file: FileHandle): Promise<void> => {
    await truncate(path, size);
    await file.sync();
  };

  /** Is the open file still the one at its path, with all that was written? Another program may have removed, moved or emptied it. */
  const isThere = async (): Promise<boolean> => {
    const held = await (await openFile()).stat({ bigint: true });
    const there = await stat(path, { bigint: true }).catch(() => null);
    return there?.ino === held.ino && there.dev === held.dev && there.size >= size;
  };

  const writeOnce = async (lines: Buffer): Promise<void> => {
    if (!isOurs()) throw new Error('the data folder is no longer ours');
    if (!suspect && !(await isThere())) {
      log({ level: 'warn', message: 'the journal was taken away: written anew from memory' });
      suspect = true;
    }
    if (suspect) await compact();
    const file = await openFile();
    const data = torn ? Buffer.concat([Buffer.from('\n'), lines]) : lines;
    try {
      for (let at = 0; at < data.length;) at += (await file.write(data, at)).bytesWritten;
      await file.sync();
      size += data.length;
      torn = false;
    } catch (error) {
      suspect = true;
      await cutBack(file).then(
        () => (suspect = !isNoSpace(error)),
        () => undefined,
      );
      throw error;
    }
  };

  const write = async (data: Buffer): Promise<void> => {
    try {
      await writeOnce(data);
    } catch (error) {
      if (!isNoSpace(error)) throw error;
      log({ level: 'warn', message: 'disk full: the journal gives up its reserve' });
      hasReserve = false;
      await removeFile(reserve);
      await syncFolder(folder);
      await writeOnce(data);
    }
  };

  let waiting: Waiting[] = [];
  let busy: Promise<void> | null = null;

  /** Only what is not there already: the same entry again is no second line. */
  const fresh = (line: JournalLine, batch: Set<string>): boolean => {
    if (line.t === 'draft' || line.t === 'ended') return state.drafts.isNews(line, writeLine(line));
    if (line.t !== 'entry') return true;
    const { id, again } = line.entry;
    if (state.entries.has(id) || batch.has(id)) return false;
    if (state.settled.has(id) && again !== true) return false;
    batch.add(id);
    return true;
  };

  /** Is more than half of the file over? Else it would be written anew again and again while a long queue empties. */
  const mostlyOver = (): boolean =>
    size > COMPACT_BYTES && size > 2 * state.bytes() + SETTLED_BYTES;

  const drain = async (): Promise<void> => {
    await null; // never done before `busy` is set
    while (waiting.length > 0) {
      const now = waiting;
      waiting = [];
      const batch = new Set<string>();
      const lines = now.flatMap((one) => one.lines).filter((line) => fresh(line, batch));
      const texts = lines.map(writeLine);
      try {
        if (lines.length > 0) await write(Buffer.from(texts.join('')));
        lines.forEach((line, at) => state.apply(line, texts[at] ?? ''));
        for (const one of now) one.done(ok(null));
        if (mostlyOver()) await tidy();
        if (!hasReserve) hasReserve = await ensureReserve(folder, reserve);
      } catch (error) {
        for (const one of now) one.done(failFile(error));
      }
    }
  };

  /** One writer at a time; what arrives while it ends starts the next. */
  const begin = (): void => {
    busy ??= drain().finally(() => {
      busy = null;
      if (waiting.length > 0) begin();
    });
  };

  const tidy = async (): Promise<void> => {
    const before = size;
    await compact().catch(() => undefined);
    if (size <= before / 2) hasReserve = await ensureReserve(folder, reserve);
  };

  const put = (lines: readonly JournalLine[]): Promise<Result<null>> =>
    new Promise((done) => {
      waiting.push({ lines, done });
      begin();
    });

  return {
    append: (entries) => put(entries.map((entry): JournalLine => ({ t: 'entry', entry }))),
    settle: (ids, links) => {
      const lanes = ids.flatMap((id) => state.entries.get(id)?.lane ?? []);
      const laned = links.map((link) => ({ ...link, lanes: [...new Set(lanes)] }));
      return put([{ t: 'settled', ids: [...ids], links: laned }]);
    },
    list: () => ({
      entries: state.list(),
      links: state.keptLinks().map(({ local_id, server_id }) => ({ local_id, server_id })),
      damaged,
      unfinished,
      records: state.records(),
    }),
    keepDrafts: (drafts, ended) => {
      const ends: JournalLine[] = ended.length > 0 ? [{ t: 'ended', ended: [...ended] }] : [];
      return put([...drafts.map((draft): JournalLine => ({ t: 'draft', draft })), ...ends]);
    },
    drafts: () => state.drafts.list(),
    settled: (ids) => ids.filter((id) => state.settled.has(id)),
    usage: () => ({ bytes: size, entries: state.entries.size }),
    names: (photoId) => state.naming.has(photoId),
    mentions: (text) =>
      [...state.entries.values(), ...state.drafts.kept.values()].some((kept) =>
        kept.text.includes(text),
      ),
    close: async () => {
      while (busy) await busy;
      closed = true;
      await closeFile();
    },
  };
};
