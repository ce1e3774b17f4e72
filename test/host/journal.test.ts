/**
 * The journal on real files: order, deduplication, quarantine of damaged lines with their bytes, torn ends, full disks,
 * compaction.
 */
import { execFileSync } from 'node:child_process';
import fs, {
  appendFile,
  mkdir,
  readFile,
  stat,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { ulid } from 'ulid';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { JournalOperation } from '../../src/contract/host.ts';
import { openJournal } from '../../src/host/journal/journal.ts';
import { writeLine } from '../../src/host/journal/journal-lines.ts';
import type { LogLine } from '../../src/host/lib/log.ts';
import { asOnWindows, replaceFs } from '../support/windows-errors.ts';
import { temporaryFolder } from './fixtures/folder.ts';
import { slow } from '../support/slow.ts';

const operation = (seq: number, more: Partial<JournalOperation> = {}): JournalOperation => ({
  id: ulid(),
  seq,
  account: 'here/1/2',
  kind: 'near_miss.create',
  version: 1,
  lane: `lane-${seq}`,
  created_at: 1,
  payload: { text: `near miss ${seq}` },
  ...more,
});

const open = async (folder: string) => {
  const journal = await openJournal(folder, () => undefined);
  onTestFinished(() => journal.close());
  return journal;
};

const reopened = async (folder: string, journal: { close(): Promise<void> }) => {
  await journal.close();
  return open(folder);
};

it('outbox promise 1: what was acknowledged is there after a restart, by seq; settled operations are not, their links are', async () => {
  const folder = await temporaryFolder();
  let journal = await open(folder);
  const operations = [3, 1, 2].map((seq) => operation(seq, { record: { note: 'ü' } }));
  expect(await journal.append(operations)).toEqual({ ok: true, value: null });
  expect(
    await journal.settle([operations[1]?.id ?? ''], [{ local_id: 'l-1', server_id: 41 }]),
  ).toMatchObject({ ok: true });
  journal = await reopened(folder, journal);
  const { operations: left, links, damaged } = journal.list();
  expect(left).toEqual([operations[2], operations[0]]);
  expect(links).toEqual([{ local_id: 'l-1', server_id: 41 }]);
  expect(damaged).toBe(0);
});

it('decisions §21.2: what was settled is not in the file after the next start', async () => {
  const folder = await temporaryFolder();
  let journal = await open(folder);
  const [sent, waiting] = [operation(1), operation(2)];
  await journal.append([sent, waiting]);
  await journal.settle([sent.id], []);
  const file = async () => readFile(join(folder, 'journal.log'), 'utf8');
  expect(await file()).toContain('near miss 1');
  journal = await reopened(folder, journal);
  expect(await file()).not.toContain('near miss 1');
  expect(await file()).toContain('near miss 2');
  const { ino } = await stat(join(folder, 'journal.log'));
  journal = await reopened(folder, journal);
  // Nothing was obsolete, so the file is not rewritten.
  expect((await stat(join(folder, 'journal.log'))).ino).toBe(ino);
  expect(journal.list().operations).toEqual([waiting]);
});

it('the same id again is no second line, also at the same moment, and a settled one does not come back', async () => {
  const folder = await temporaryFolder();
  let journal = await open(folder);
  const one = operation(1);
  await Promise.all([
    journal.append([one]),
    journal.append([one]),
    journal.append([one, operation(2)]),
  ]);
  expect(journal.list().operations).toHaveLength(2);
  await journal.settle([one.id], []);
  await journal.append([one]);
  journal = await reopened(folder, journal);
  await journal.append([one]);
  expect(journal.list().operations.map(({ seq }) => seq)).toEqual([2]);
});

it('an operation taken in from a file waits again where it was settled, over restart and compaction, until it is settled', async () => {
  const folder = await temporaryFolder();
  let journal = await open(folder);
  const one = operation(1);
  const again = { ...one, seq: 7, again: true } as const;
  await journal.append([one]);
  await journal.settle([one.id], []);
  await Promise.all([journal.append([again]), journal.append([again])]);
  expect(journal.settled([one.id])).toEqual([]);
  journal = await reopened(folder, journal);
  expect(journal.list().operations).toEqual([again]);
  // Damage triggers a rewrite of the file.
  await journal.close();
  await appendFile(join(folder, 'journal.log'), 'no line\n');
  journal = await open(folder);
  journal = await reopened(folder, journal);
  expect(journal.list().operations).toEqual([again]);
  await journal.settle([one.id], []);
  await journal.append([one]);
  journal = await reopened(folder, journal);
  expect(journal.list().operations).toEqual([]);
  expect(journal.settled([one.id])).toEqual([one.id]);
});

it('failures A18: an edit of what was not sent yet takes the older operation’s place and shows more than what came between', async () => {
  const folder = await temporaryFolder();
  let journal = await open(folder);
  const lane = 'lane';
  const of = (seq: number, version: number) => operation(seq, { lane, record: { version } });
  const [create, photo, edited] = [of(1, 1), of(2, 1), of(1, 2)];
  await journal.append([create, photo]);
  await journal.append([edited]);
  await journal.settle([create.id], []);
  expect(journal.list().records).toEqual([]);
  await journal.settle([edited.id], []);
  expect(journal.list()).toMatchObject({
    operations: [photo],
    records: [{ record: { version: 2 } }],
  });
  journal = await reopened(folder, journal);
  expect(journal.list().records).toEqual([{ lane, record: { version: 2 } }]);
});

it('outbox promise 1: a settled edit’s record is kept while older operations wait, over restart and compaction', async () => {
  const folder = await temporaryFolder();
  let journal = await open(folder);
  const lane = 'lane';
  const of = (seq: number) => operation(seq, { lane, record: { version: seq } });
  const [create, first, second, edit, newer] = [of(1), of(2), of(3), of(4), of(5)];
  await journal.append([create, first, second]);
  await journal.settle([create.id], []);
  expect(journal.list().records).toEqual([]);
  await journal.append([edit]);
  await journal.settle([edit.id, second.id], []);
  const kept = [{ lane, record: { version: 4 } }];
  expect(journal.list()).toMatchObject({ operations: [first], records: kept });
  journal = await reopened(folder, journal);
  expect(journal.list().records).toEqual(kept);
  // A damaged line makes the next start rewrite the file.
  await journal.close();
  await appendFile(join(folder, 'journal.log'), 'not a line\n');
  journal = await open(folder);
  expect(await readFile(join(folder, 'journal.log'), 'utf8')).toContain('"t":"record"');
  journal = await reopened(folder, journal);
  expect(journal.list().records).toEqual(kept);
  await journal.append([newer]);
  expect(journal.list().records).toEqual([]);
  await journal.settle([newer.id], []);
  expect(journal.list().records).toEqual([{ lane, record: { version: 5 } }]);
  await journal.settle([first.id], []);
  expect(journal.list()).toMatchObject({ operations: [], records: [] });
});

it('a hundred appends at once share their fsyncs and all are kept', async () => {
  const folder = await temporaryFolder();
  let journal = await open(folder);
  const results = await Promise.all(
    Array.from({ length: 100 }, (_, seq) => journal.append([operation(seq)])),
  );
  expect(results.every((result) => result.ok)).toBe(true);
  journal = await reopened(folder, journal);
  expect(journal.list().operations).toHaveLength(100);
});

it('failures A20: a damaged line and one of a newer version are set aside with their bytes and counted; the others go on', async () => {
  const folder = await temporaryFolder();
  let journal = await open(folder);
  await journal.append([operation(1), operation(2), operation(3)]);
  await journal.close();
  const path = join(folder, 'journal.log');
  const lines = (await readFile(path, 'utf8')).split('\n');
  const damaged = (lines[1] ?? '').replace('near miss 2', 'near miss X');
  lines[1] = damaged;
  const newer = writeLine({ t: 'poem', words: 'of a later version' } as never).trimEnd();
  await writeFile(path, [...lines.slice(0, 3), newer, ''].join('\n'));
  journal = await open(folder);
  expect(journal.list().operations.map(({ seq }) => seq)).toEqual([1, 3]);
  expect(journal.list().damaged).toBe(2);
  const kept = (await readFile(join(folder, 'journal.damaged'), 'utf8')).trim().split('\n');
  const raw = kept.map((line) => Buffer.from(line.split(' ')[1] ?? '', 'base64').toString());
  expect(raw).toEqual([damaged, newer]);
  // Unreadable lines are available to a person.
  expect(await journal.unreadable()).toEqual([damaged, newer]);
  journal = await reopened(folder, journal);
  expect(journal.list()).toMatchObject({ damaged: 2 });
  expect(journal.list().operations).toHaveLength(2);
});

slow(
  'failures A20 (property): whatever bytes are changed, undamaged lines are read and what was damaged is kept aside',
  async () => {
    const folder = await temporaryFolder();
    const flip = fc.record({ at: fc.nat(), to: fc.integer({ min: 0, max: 255 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(flip, { minLength: 1, maxLength: 6 }),
        fc.nat({ max: 50 }),
        async (flips, cut) => {
          const own = join(folder, ulid());
          await mkdir(own);
          const operations = Array.from({ length: 8 }, (_, seq) => operation(seq));
          const texts = operations.map((one) => writeLine({ t: 'operation', operation: one }));
          const bytes = Buffer.from(texts.join(''));
          for (const { at, to } of flips) bytes[at % bytes.length] = to;
          const whole = bytes.subarray(0, bytes.length - cut);
          await writeFile(join(own, 'journal.log'), whole);
          const journal = await openJournal(own, () => undefined);
          const read = journal
            .list()
            .operations.map((one) => writeLine({ t: 'operation', operation: one }));
          await journal.append([operation(100)]);
          await journal.close();
          const intact = texts.filter((text) => whole.includes(text));
          expect(intact.filter((text) => !read.includes(text))).toEqual([]);
          expect(read.filter((text) => !texts.includes(text))).toEqual([]);
          const again = await openJournal(own, () => undefined);
          expect(again.list().operations.map(({ seq }) => seq)).toContain(100);
          await again.close();
        },
      ),
      { numRuns: 60 },
    );
  },
);

it('a torn last line was never acknowledged: it is set aside, counted as unfinished and told, and the next append is whole', async () => {
  const folder = await temporaryFolder();
  let journal = await open(folder);
  await journal.append([operation(1)]);
  await journal.close();
  const torn = writeLine({ t: 'operation', operation: operation(2) }).slice(0, -20);
  await appendFile(join(folder, 'journal.log'), torn);
  const said: LogLine[] = [];
  journal = await openJournal(folder, (line) => void said.push(line));
  expect(journal.list()).toMatchObject({ damaged: 0, unfinished: 1 });
  expect(said.map(({ message }) => message)).toEqual([
    'an unfinished last line of the journal moved to a file',
  ]);
  const [kept = ''] = (await readFile(join(folder, 'journal.unfinished'), 'utf8')).split('\n');
  expect(Buffer.from(kept.split(' ')[1] ?? '', 'base64').toString()).toBe(torn);
  await journal.append([operation(3)]);
  journal = await reopened(folder, journal);
  expect(journal.list()).toMatchObject({ damaged: 0, unfinished: 1 });
  expect(journal.list().operations.map(({ seq }) => seq)).toEqual([1, 3]);
});

slow(
  'failures A20: one flipped bit in a line end, the last or another, costs no operation whose checksum is right',
  async () => {
    for (const which of [0, 1, 2]) {
      for (let bit = 0; bit < 8; bit += 1) {
        const folder = await temporaryFolder();
        const lines = [1, 2, 3].map((seq) =>
          writeLine({ t: 'operation', operation: operation(seq) }),
        );
        const bytes = Buffer.from(lines.join(''));
        const end = Buffer.byteLength(lines.slice(0, which + 1).join('')) - 1;
        bytes[end] = 10 ^ (1 << bit);
        await writeFile(join(folder, 'journal.log'), bytes);
        const journal = await open(folder);
        const { operations, damaged, unfinished } = journal.list();
        expect(operations.map(({ seq }) => seq)).toEqual([1, 2, 3]);
        expect({ damaged, unfinished }).toEqual({ damaged: 1, unfinished: 0 });
        const after = await reopened(folder, journal);
        expect(after.list().operations).toHaveLength(3);
      }
    }
  },
);

it('a whole last line whose line end a power cut took is an operation', async () => {
  const folder = await temporaryFolder();
  const text = [1, 2]
    .map((seq) => writeLine({ t: 'operation', operation: operation(seq) }))
    .join('');
  await writeFile(join(folder, 'journal.log'), text.slice(0, -1));
  const journal = await open(folder);
  expect(journal.list()).toMatchObject({ damaged: 0, unfinished: 0 });
  await journal.append([operation(3)]);
  const after = await reopened(folder, journal);
  expect(after.list().operations.map(({ seq }) => seq)).toEqual([1, 2, 3]);
});

it('where nothing can be set aside, the journal keeps the bytes itself and goes on', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'journal.log');
  const torn = writeLine({ t: 'operation', operation: operation(2) }).slice(0, -20);
  await writeFile(path, writeLine({ t: 'operation', operation: operation(1) }) + torn);
  const { rename } = fs;
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  replaceFs({ rename: () => Promise.reject(full) });
  let journal = await open(folder);
  expect(journal.list()).toMatchObject({ unfinished: 1 });
  expect(await journal.append([operation(3)])).toEqual({ ok: true, value: null });
  expect(await readFile(path, 'utf8')).toContain(`${torn}\n`);
  replaceFs({ rename });
  journal = await reopened(folder, journal);
  expect(journal.list().operations.map(({ seq }) => seq)).toEqual([1, 3]);
  expect(journal.list()).toMatchObject({ damaged: 1 });
});

it('as on Windows: after a torn tail the app starts, twice, and the journal is written anew', async () => {
  asOnWindows();
  const folder = await temporaryFolder();
  await writeFile(
    join(folder, 'journal.log'),
    writeLine({ t: 'operation', operation: operation(1) }) +
      writeLine({ t: 'operation', operation: operation(2) }).slice(0, -20),
  );
  let journal = await open(folder);
  await journal.append([operation(3)]);
  journal = await reopened(folder, journal);
  expect(journal.list().operations.map(({ seq }) => seq)).toEqual([1, 3]);
});

slow('as on Windows: the journal is compacted while it is in use', async () => {
  asOnWindows();
  const folder = await temporaryFolder();
  const path = join(folder, 'journal.log');
  const journal = await open(folder);
  const payload = 'x'.repeat(500_000);
  const sizes: number[] = [];
  for (let seq = 1; seq <= 40; seq += 1) {
    const one = operation(seq, { payload });
    expect((await journal.append([one])).ok).toBe(true);
    expect((await journal.settle([one.id], [])).ok).toBe(true);
    sizes.push((await stat(path)).size);
  }
  expect(Math.max(...sizes)).toBeLessThan(10 * 1024 * 1024);
});

it('as on Windows: a failed append is cut off again, and the next one is taken', async () => {
  asOnWindows();
  const folder = await temporaryFolder();
  let journal = await open(folder);
  await journal.append([operation(1)]);
  const path = join(folder, 'journal.log');
  const before = (await stat(path)).size;
  const failing = await fs.open(path, 'r+');
  const { write } = Object.getPrototypeOf(failing) as FileHandle;
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  const halfWritten = vi
    .spyOn(Object.getPrototypeOf(failing) as FileHandle, 'write')
    .mockImplementation(async function (this: FileHandle, data: unknown) {
      await write.call(this, (data as Buffer).subarray(0, 10) as never);
      throw full;
    } as never);
  await failing.close();
  expect(await journal.append([operation(2)])).toMatchObject({ problem: { kind: 'no_space' } });
  halfWritten.mockRestore();
  expect((await stat(path)).size).toBe(before);
  expect(await journal.append([operation(3)])).toMatchObject({ ok: true });
  journal = await reopened(folder, journal);
  expect(journal.list()).toMatchObject({ damaged: 0, unfinished: 0 });
  expect(journal.list().operations.map(({ seq }) => seq)).toEqual([1, 3]);
});

slow('compacts itself without losing an operation, a link or a settlement', async () => {
  const folder = await temporaryFolder();
  let journal = await open(folder);
  const big = 'x'.repeat(200_000);
  const kept = operation(0, { lane: 'kept' });
  await journal.append([kept]);
  const settled: JournalOperation[] = [];
  for (let seq = 1; seq <= 60; seq += 1) {
    const one = operation(seq, { payload: big });
    await journal.append([one]);
    await journal.settle([one.id], [{ local_id: `l-${seq}`, server_id: seq }]);
    settled.push(one);
  }
  await journal.close();
  expect((await stat(join(folder, 'journal.log'))).size).toBeLessThan(9 * 1024 * 1024);
  journal = await open(folder);
  expect(journal.list().operations).toEqual([kept]);
  expect(journal.list().links).toHaveLength(60);
  await journal.append(settled.slice(0, 5));
  expect(journal.list().operations).toEqual([kept]);
});

slow(
  'failures A29: while a long queue empties the file is rewritten a few times, not at every answer',
  async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'journal.log');
    const journal = await open(folder);
    const payload = { text: 'é'.repeat(1_000) };
    const all = Array.from({ length: 8_000 }, (_, seq) => operation(seq, { payload }));
    for (let at = 0; at < all.length; at += 200) await journal.append(all.slice(at, at + 200));
    let written = 0;
    let file = (await stat(path)).ino;
    for (let at = 0; at < all.length; at += 50) {
      await journal.settle(
        all.slice(at, at + 50).map(({ id }) => id),
        [],
      );
      const { ino } = await stat(path);
      if (ino !== file) written += 1;
      file = ino;
    }
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThan(5);
    expect(journal.list().operations).toEqual([]);
  },
);

it('a photo is needed as long as an operation that is not settled names it in its payload', async () => {
  const journal = await open(await temporaryFolder());
  const photo_id = ulid();
  const one = operation(1, { payload: { photos: [{ photo_id }] } });
  await journal.append([one, operation(2, { payload: undefined })]);
  expect(journal.names(photo_id)).toBe(true);
  expect(journal.names(ulid())).toBe(false);
  await journal.settle([one.id], []);
  expect(journal.names(photo_id)).toBe(false);
});

const canMount = process.platform === 'linux' && process.getuid?.() === 0;
const onSmallDisk = it.skipIf(!canMount);

/** A folder on a tmpfs of `bytes` bytes; null if this process may not mount one. */
const smallDisk = async (bytes: number): Promise<string | null> => {
  const folder = await temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
  } catch {
    return null;
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  return folder;
};

onSmallDisk(
  canMount
    ? 'failures A16: on a full disk an append is refused before it is acknowledged; all that was acknowledged is intact; the reserve carried records further'
    : 'failures A16: full disk [skipped: needs Linux and root, to mount a small tmpfs]',
  async (test) => {
    const disk = await smallDisk(24 * 1024 * 1024);
    if (disk === null) return test.skip('needs the right to mount a tmpfs');
    const folder = join(disk, 'journal');
    let journal = await open(folder);
    await writeFile(join(disk, 'filler'), Buffer.alloc(19 * 1024 * 1024)).catch(() => undefined);
    const acknowledged: string[] = [];
    let refused = 0;
    for (let seq = 1; seq <= 200 && refused < 5; seq += 1) {
      const one = operation(seq, { payload: 'x'.repeat(50_000) });
      const result = await journal.append([one]);
      if (result.ok) acknowledged.push(one.id);
      else {
        refused += 1;
        expect(result.problem.kind).toBe('no_space');
      }
    }
    expect(refused).toBe(5);
    expect(acknowledged.length * 50_000).toBeGreaterThan(3_500_000); // the reserve of 4 MiB
    expect(journal.list().operations.map(({ id }) => id)).toEqual(acknowledged);
    journal = await reopened(folder, journal);
    expect(journal.list().operations.map(({ id }) => id)).toEqual(acknowledged);
    expect(journal.list().damaged).toBe(0);
    execFileSync('rm', [join(disk, 'filler')]);
    expect(await journal.append([operation(999)])).toMatchObject({ ok: true });
  },
);

it('failures A28: every kind of line is read as the first version writes it, and the file goes on', async () => {
  const written = [
    'd70dcb28 {"t":"settled","ids":["01M7Y6PD90TJ94R1Y5N8T1E98X"],"links":[{"local_id":"a","server_id":41,"lanes":["a"]}]}',
    '96892039 {"t":"operation","operation":{"id":"01M7Y6PDAJQ48GPMCZW05715HX","seq":4,"account":"b","kind":"k","version":1,"lane":"c","created_at":5,"payload":{"d":6}}}',
    '1191c0bc {"t":"record","lane":"c","seq":3,"record":{"e":7}}',
    '9538a4bb {"t":"draft","draft":{"id":"f","account":"b","at":8,"draft":{"g":9},"photos":[]}}',
    '44c38eae {"t":"ended","ended":[{"id":"h","at":10}]}',
  ];
  const folder = await temporaryFolder();
  const text = `${written.join('\n')}\n`;
  await writeFile(join(folder, 'journal.log'), text);
  let journal = await open(folder);
  const read = { ...journal.list(), ...journal.drafts() };
  expect(read).toEqual({
    operations: [
      {
        id: '01M7Y6PDAJQ48GPMCZW05715HX',
        seq: 4,
        account: 'b',
        kind: 'k',
        version: 1,
        lane: 'c',
        created_at: 5,
        payload: { d: 6 },
      },
    ],
    links: [{ local_id: 'a', server_id: 41 }],
    records: [{ lane: 'c', record: { e: 7 } }],
    drafts: [{ id: 'f', account: 'b', at: 8, draft: { g: 9 }, photos: [] }],
    ended: [{ id: 'h', at: 10 }],
    damaged: 0,
    unfinished: 0,
  });
  expect(journal.settled(['01M7Y6PD90TJ94R1Y5N8T1E98X'])).toHaveLength(1);
  await journal.append([operation(500)]);
  journal = await reopened(folder, journal);
  expect(journal.list().operations).toHaveLength(2);
  expect(await readFile(join(folder, 'journal.log'), 'utf8')).toContain(text);
});
