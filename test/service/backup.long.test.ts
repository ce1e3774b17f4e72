/**
 * `backup` during a running service and `restore` into an empty folder: compares every row of every table, every file by
 * sha256, and the responses to requests.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import SQLite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runBackup } from '../../src/service/commands/backup.ts';
import { folders } from '../../src/service/demo/words.ts';
import { onPostgres } from '../support/database.ts';
import {
  bareDemo,
  clientOf,
  runCli,
  spawnService,
  tempDir,
  type Client,
} from '../support/service.ts';
import { asOnWindows } from '../support/windows-errors.ts';
import { cut, KIB, post, put, random } from './uploads/support.ts';

const tablesOf = (path: string): Record<string, unknown[]> => {
  const db = new SQLite(path, { readonly: true });
  try {
    const names = db
      .prepare("select name from sqlite_master where type = 'table' and rootpage > 0 order by name")
      .all() as { name: string }[];
    return Object.fromEntries(
      names.map(({ name }) => [name, db.prepare(`select * from "${name}" order by 1, 2`).all()]),
    );
  } finally {
    db.close();
  }
};

/** sha256 of every stored part, by name. */
const partsOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(join(folder, 'files/parts'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => [
        entry.name,
        createHash('sha256')
          .update(readFileSync(join(entry.parentPath, entry.name)))
          .digest('hex'),
      ]),
  );

const uploadsOf = (demo: Client): string => `/rest/v1.1/companies/${demo.company_id}/uploads`;

/** One photo by form and one in segments, both on a record; one upload half sent. */
const fill = async (demo: Client, key = 'backup-1'): Promise<number> => {
  const form = (await demo.post(uploadsOf(demo), { response_filename: 'a.bin' })).json;
  await post(form, random(50 * KIB));
  const parts = cut(random(700 * KIB), 300 * KIB);
  const announced = { response_filename: 'b.bin', segments: parts.pieces };
  const segmented = (await demo.post(uploadsOf(demo), announced)).json;
  const etags = [];
  for (const [index, part] of parts.entries())
    etags.push((await put(segmented, index, part)).headers.get('etag'));
  await demo.patch(`${uploadsOf(demo)}/${segmented.uuid}`, {
    segments: etags.map((etag) => ({ etag })),
  });
  const half = (await demo.post(uploadsOf(demo), announced)).json;
  await put(half, 0, parts[0] ?? Buffer.alloc(0));
  const made = await demo.post(
    '~/incidents/near_misses',
    {
      near_miss: { incident_id: 1, description: 'kept', upload_uuids: [form.uuid, segmented.uuid] },
    },
    { 'idempotency-key': key },
  );
  expect(made.status).toBe(201);
  return made.json.id as number;
};

const scene = async () => {
  const dir = tempDir('backup');
  const folder = join(dir.path, 'data');
  const running = await spawnService(bareDemo(folder));
  onTestFinished(async () => {
    await running.end();
    dir.remove();
  });
  const demo = clientOf(running.first.url, running.first);
  return { dir: dir.path, folder, running, demo, file: join(dir.path, 'backup.tar') };
};

/** The demo’s documents, in two companies, and the three uploads of `fill`. */
const FILES = 2 * folders.flatMap(([, names]) => names).length + 3;

const withoutAddresses = (text: string): string =>
  text.replace(/http:\/\/[^/"]+/g, '').replace(/expires=\d+&signature=[0-9a-f]+/g, '');

// PostgreSQL has its own backup tools, and the command says so.
describe.skipIf(onPostgres)('backup and restore', () => {
  it('the data folder may be written in any way, and Windows makes the backup durable', async () => {
    const { dir, folder } = await scene();
    const here = relative(process.cwd(), folder);
    const spellings = [
      here,
      `./${here}`,
      `${folder}/`,
      `${folder}//`,
      join(folder, 'files') + '/..',
      `${here}/../data`,
    ];
    asOnWindows();
    for (const [at, spelling] of spellings.entries()) {
      const file = join(dir, `backup-${at}.tar`);
      expect(await runBackup([file, '--data-dir', spelling], {}), spelling).toMatchObject({
        files: FILES - 3,
        damaged: [],
      });
    }
    const target = relative(process.cwd(), join(dir, 'restored'));
    const restored = await runCli([
      'restore',
      join(dir, 'backup-0.tar'),
      '--data-dir',
      `./${target}/`,
    ]);
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    expect(partsOf(target)).toEqual(partsOf(folder));
  });

  it('what is restored is what was backed up: all rows, all files, the same answers, while the service ran', async () => {
    const { dir, folder, running, demo, file } = await scene();
    const id = await fill(demo);
    const backup = await runCli(['backup', file, '--data-dir', folder]);
    expect([backup.code, backup.stderr]).toEqual([0, '']);
    expect(JSON.parse(backup.stdout)).toMatchObject({ backup: file, files: FILES, damaged: [] });
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
    const paths = [
      `~/incidents/near_misses/${id}`,
      '~/incidents/near_misses?per_page=300',
      '/rest/v1.0/me',
      '~/incidents',
      '/rest/v1.0/signing_keys',
    ];
    const before = await Promise.all(paths.map((path) => demo.get(path)));
    await running.end();
    const expected = { tables: tablesOf(join(folder, 'spotter.db')), parts: partsOf(folder) };

    const target = join(dir, 'restored');
    const restored = await runCli(['restore', file, '--data-dir', target]);
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    expect(JSON.parse(restored.stdout)).toEqual({ restored: target, files: FILES });
    const tables = tablesOf(join(target, 'spotter.db'));
    expect(Object.keys(tables)).toEqual(Object.keys(expected.tables));
    // The service ran on briefly after the backup, and the restored one continues counting past all ids given out since.
    // Its stamps of changes begin after all of the lost time.
    const counted = ({
      last_near_miss_number: _number,
      changed_at: _stamp,
      ...row
    }: Record<string, unknown>) => row;
    const rowsOf = (all: unknown[] = []) => all.map((row) => counted(row as never));
    for (const [name, rows] of Object.entries(tables))
      if (!['service_state', 'id_counters'].includes(name))
        expect(rowsOf(rows), name).toEqual(rowsOf(expected.tables[name]));
    expect(partsOf(target)).toEqual(expected.parts);

    // With the demo, because a start without it revokes the demo's tokens.
    const again = await spawnService(bareDemo(target));
    try {
      const client = clientOf(again.first.url, demo);
      for (const [index, path] of paths.entries()) {
        const answer = await client.get(path);
        expect(answer.status).toBe(200);
        expect(withoutAddresses(answer.text), path).toBe(
          withoutAddresses(before[index]?.text ?? ''),
        );
      }
      const [photo] = (await client.get(paths[0] ?? '')).json.attachments;
      // The private half of the signing key came along (decisions §19.1).
      expect((await client.post(`${paths[0]}/evidence`, {})).status).toBe(201);
      const bytes = Buffer.from(await (await fetch(photo.url)).arrayBuffer());
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(photo.sha256);
      const replayed = await client.post(
        '~/incidents/near_misses',
        {},
        { 'idempotency-key': 'backup-1' },
      );
      expect(replayed.status, 'the key is known, its body differs').toBe(422);
    } finally {
      await again.end();
    }
  });

  it('a backup while records and photos are written is whole in itself', async () => {
    const { dir, folder, demo, file } = await scene();
    let going = true;
    const writer = (async () => {
      for (let turn = 0; going; turn += 1) await fill(demo, `backup-${turn}`);
    })();
    await expect
      .poll(
        async () => (await demo.get('~/incidents/near_misses?per_page=1')).headers.get('total'),
        { timeout: 20_000 },
      )
      .not.toBe('250');
    const backup = await runCli(['backup', file, '--data-dir', folder]);
    going = false;
    await writer;
    expect(JSON.parse(backup.stdout)).toMatchObject({ damaged: [] });
    const restored = await runCli(['restore', file, '--data-dir', join(dir, 'again')]);
    expect([restored.code, restored.stderr]).toEqual([0, '']);
  });

  it('nothing is overwritten, and nothing damaged or strange is restored', async () => {
    const { dir, folder, demo, file } = await scene();
    await fill(demo);
    const run = (...argv: string[]) => runCli(argv);
    expect((await run('backup', file, '--data-dir', folder)).code).toBe(0);
    for (const [argv, words] of [
      [['backup', file, '--data-dir', folder], /is there already/],
      [['backup', join(dir, 'x.tar'), '--data-dir', join(dir, 'empty')], /no database/],
      [['backup'], /backup FILE/],
      [['restore', join(dir, 'none.tar')], /There is no file/],
    ] as const) {
      const answer = await run(...argv);
      expect([answer.code, answer.stdout], argv.join(' ')).toEqual([2, '']);
      expect(answer.stderr).toMatch(words);
    }
    const busy = await run('restore', file, '--data-dir', folder);
    expect([busy.code, busy.stderr]).toEqual([1, expect.stringMatching(/Another Spotter service/)]);

    const target = join(dir, 'target');
    const damaged = join(dir, 'damaged.tar');
    const bytes = readFileSync(file);
    // A hundred bytes into the last file, however small: its header has 512 bytes with this word at 257.
    const at = bytes.lastIndexOf('ustar') + 255 + 100;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(damaged, bytes);
    const cut = join(dir, 'cut.tar');
    writeFileSync(cut, readFileSync(file));
    truncateSync(cut, Math.floor(statSync(file).size / 2));
    const strange = join(dir, 'strange.tar');
    writeFileSync(strange, 'this is no archive');
    for (const one of [damaged, cut, strange]) {
      const answer = await run('restore', one, '--data-dir', target);
      expect([answer.code, answer.stdout], one).toEqual([2, '']);
      expect(existsSync(join(target, 'spotter.db')), one).toBe(false);
    }
    expect(
      (await run('restore', file, '--data-dir', target)).code,
      'the good one still fits in',
    ).toBe(0);
  });
});
