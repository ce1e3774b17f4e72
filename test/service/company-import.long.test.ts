/** `import FILE` as a user runs it: a spreadsheet of 5,000 lines, 20 of them bad, is all or nothing (decisions §11.5). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { clientOf, runCli, spawnService, tempDir } from '../support/service.ts';
import { databaseOf, onPostgres } from '../support/database.ts';

/** Each import is a child process, which a busy machine starts slowly. */
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const dir = tempDir('import');
const folder = join(dir.path, 'data');
let company_id = 0;

const lineOf = (stdout: string): Record<string, unknown> =>
  JSON.parse(stdout.split('\n')[0] ?? '') as Record<string, unknown>;

beforeAll(async () => {
  const made = await runCli([
    'token',
    'create',
    '--user',
    'rita',
    '--new-user',
    'Rita',
    '--new-company',
    'Rita’s firm',
    '--data-dir',
    folder,
  ]);
  company_id = Number(lineOf(made.stdout)['company_id']);
});
afterAll(async () => {
  await (await databaseOf(folder)).drop();
  dir.remove();
});

const file = (name: string, text: string | Uint8Array): string => {
  const path = join(dir.path, name);
  writeFileSync(path, text);
  return path;
};
const importFile = (path: string, kind: string, ...more: string[]) =>
  runCli([
    'import',
    path,
    '--kind',
    kind,
    '--company',
    `${company_id}`,
    '--data-dir',
    folder,
    ...more,
  ]);
const count = async (table: string): Promise<number> => {
  const [row] = await (
    await databaseOf(folder)
  ).query(`select count(*) as n from ${table} where company_id = ${company_id}`);
  return Number(row?.['n']);
};

const LINES = 5000;
/** Every 250th line is bad, each in one of four ways; the name in line 2 contains a line break. */
const vendorLine = (line: number, good: boolean): string => {
  if (good || line % 250 !== 0) return `Vendor ${line};erp-${line};yes`;
  return [
    `;erp-${line};yes`,
    `Vendor ${line};erp-4;yes`,
    `Vendor ${line};erp-${line};maybe`,
    `Vendor 4;;no`,
  ][(line / 250) % 4] as string;
};
const sheet = (good: boolean): string =>
  [
    'Name;Origin ID;Active',
    '"Vendor ""two""',
    'and so on";erp-2;no',
    ...Array.from({ length: LINES - 1 }, (_, index) => vendorLine(index + 4, good)),
  ].join('\r\n');

describe('decisions §11.5: import FILE', () => {
  it('decisions §11.5: of 5,000 lines 20 are bad: each is told by line and field, and nothing is half done', async () => {
    const path = file('vendors.csv', `\ufeff${sheet(false)}\r\n\r\n`);
    const bad = Array.from({ length: 20 }, (_, index) => 250 * (index + 1));
    for (const more of [['--dry-run'], []]) {
      const refused = await importFile(path, 'vendors', ...more);
      expect(refused.code, refused.stderr).toBe(1);
      expect(lineOf(refused.stdout)).toMatchObject({ imported: false, kind: 'vendors', bad: 20 });
      const told = refused.stderr.split('\n').filter((line) => line.startsWith('line '));
      expect(told.map((line) => Number(/^line (\d+), /.exec(line)?.[1]))).toEqual(bad);
      expect(told.slice(0, 4)).toEqual([
        'line 250, name: means the same record as line 4',
        expect.stringMatching(/^line 500, active: /),
        'line 750, name: means the same record as line 4',
        'line 1000, name: is required',
      ]);
      expect(await count('vendors')).toBe(0);
    }
  });

  it('decisions §11.5: the same lines without fault are all there; once more, nothing changes', async () => {
    const path = file('good.csv', sheet(true));
    const dry = await importFile(path, 'vendors', '--dry-run');
    expect([dry.code, lineOf(dry.stdout)]).toMatchObject([
      0,
      { imported: false, created: LINES, bad: 0 },
    ]);
    expect(await count('vendors')).toBe(0);
    const done = await importFile(path, 'vendors');
    expect([done.code, lineOf(done.stdout)]).toEqual([
      0,
      { imported: true, kind: 'vendors', created: LINES, updated: 0, unchanged: 0, bad: 0 },
    ]);
    expect(await count('vendors')).toBe(LINES);
    const again = await importFile(path, 'vendors');
    expect(lineOf(again.stdout)).toMatchObject({ created: 0, updated: 0, unchanged: LINES });
    const rows = await (
      await databaseOf(folder)
    ).query("select name, active from vendors where origin_id = 'erp-2'");
    expect(rows).toEqual([{ name: 'Vendor "two"\r\nand so on', active: 0 }]);
  });

  it('decisions §11.5: JSON as a list and as lines; a bad one is told by its element or line', async () => {
    const people = [{ name: 'Ana', login: 'ana' }, { name: 'Bo', login: 'ana' }, { name: 'x\0' }];
    const list = await importFile(file('people.json', JSON.stringify(people)), 'people');
    expect([list.code, lineOf(list.stdout)['errors']]).toEqual([
      1,
      [
        'element 2, login: is that of another record',
        'element 3, name: must be valid text without NUL',
      ],
    ]);
    const text = `{"name":"Ana","login":"ana"}\n\n{"name":"Bo","logn":"x"}\n`;
    const lines = await importFile(file('people.jsonl', text), 'people');
    expect(lineOf(lines.stdout)['errors']).toEqual(['line 3, logn: is unknown']);
    const good = await importFile(file('people.jsonl', text.replace('logn', 'login')), 'people');
    expect(lineOf(good.stdout)).toMatchObject({ imported: true, created: 2 });
    const fields = file(
      'fields.csv',
      'label,data_type,options,required\nGround,select,Dry|Wet,no\n',
    );
    expect(lineOf((await importFile(fields, 'custom_field_definitions')).stdout)).toMatchObject({
      created: 1,
    });
  });

  it('decisions §11.5: what cannot be read at all is a sentence with the line, and no stack', async () => {
    const cases: readonly [string, string | Uint8Array, RegExp][] = [
      ['column.csv', 'Nmae,active\nx,yes\n', /line 1: "Nmae" is no column of vendors/],
      ['twice.csv', 'name,name\nx,y\n', /line 1: the column name is there twice/],
      ['quote.csv', `name\nx\n"never closed\n${'y\n'.repeat(600_000)}`, /line \d+: .*quote/],
      ['latin.csv', new Uint8Array([...Buffer.from('name\nJos'), 0xe9, 10]), /not UTF-8/],
      ['empty.csv', '', /empty/],
      ['broken.json', '[{"name":', /not valid JSON/],
      ['object.json', '{"name":"x"}', /not a JSON list/],
      ['broken.jsonl', '{"name":"x"}\n{"name"\n', /line 2: this is not valid JSON/],
    ];
    const before = await count('vendors');
    // Errors in a file do not depend on the database, except that its good first line is rolled back.
    const asked = onPostgres ? cases.filter(([name]) => name === 'broken.jsonl') : cases;
    expect(asked).not.toEqual([]);
    for (const [name, text, sentence] of asked) {
      const refused = await importFile(file(name, text), 'vendors');
      expect([name, refused.code, refused.stdout]).toEqual([name, 2, '']);
      expect(refused.stderr).toMatch(sentence);
      expect(refused.stderr.trim().split('\n')).toHaveLength(1);
    }
    const missing = await importFile(join(dir.path, 'none.csv'), 'vendors');
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringMatching(/There is no file/)]);
    const kind = await importFile(file('x.csv', 'name\n'), 'ships');
    expect(kind.stderr).toMatch(/--kind incidents \| projects \| people/);
    expect(await count('vendors')).toBe(before);
  });
});

describe.skipIf(onPostgres)('beside a running service, on SQLite', () => {
  it('decisions §11.5: a very long file goes in at once, and every write of the service meanwhile waits for it', async () => {
    const made = await runCli([
      'token',
      'create',
      '--user=beside',
      '--new-user=Sam',
      '--new-company=Beside',
      `--data-dir=${folder}`,
    ]);
    const { token, company_id: own } = lineOf(made.stdout) as { token: string; company_id: number };
    const args = ['--port=0', '--rate-limit=0', '--log-level=error'];
    const patience = '--database-busy-timeout=100ms';
    const service = await spawnService([...args, patience, `--data-dir=${folder}`]);
    try {
      const client = clientOf(service.first.url, { token, company_id: own, project_id: 1 });
      const rows = Array.from({ length: 30_000 }, (_, at) => `Long ${at},L-${at}`);
      const path = file('very-long.csv', ['name,origin_id', ...rows].join('\n'));
      let over = false;
      const importing = importFile(path, 'vendors').finally(() => (over = true));
      const statuses: number[] = [];
      let longest = 0;
      for (let n = 0; !over; n += 1) {
        const began = performance.now();
        const body = { vendor: { name: `Beside ${n}` } };
        const { status } = await client.post(`/rest/v1.0/companies/${own}/vendors`, body);
        longest = Math.max(longest, performance.now() - began);
        statuses.push(status);
      }
      const { code, stdout } = await importing;
      expect([code, lineOf(stdout)]).toMatchObject([0, { imported: true, created: 30_000 }]);
      expect(new Set(statuses)).toEqual(new Set([201]));
      // At least one request overlapped with the import.
      expect(longest).toBeGreaterThan(100);
      const list = await client.get(`/rest/v1.0/companies/${own}/vendors?per_page=1`);
      expect(Number(list.headers.get('total'))).toBe(statuses.length);
    } finally {
      await service.end();
    }
  });
});
