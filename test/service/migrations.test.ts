/**
 * The way from one version's database to the next, by a made-up second version with one more migration, on both databases
 * (decisions §10). Killed in the middle of it: migration-killed.long.test.ts.
 */
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { databaseOf, onPostgres, type TestDatabase } from '../support/database.ts';
import { asSecondVersion, FIRST, RELEASED, SECOND } from '../support/second-version.ts';
import { bareDemo, clientOf, runCli, spawnService, tempDir } from '../support/service.ts';
import { SLOW, slow } from '../support/slow.ts';

interface Scene {
  readonly path: string;
  readonly database: TestDatabase;
  /** Command line of a command on this database. */
  readonly list: readonly string[];
}

const emptyFolder = async (): Promise<Scene> => {
  const dir = tempDir('migrations');
  const database = await databaseOf(dir.path);
  onTestFinished(async () => {
    await database.drop();
    dir.remove();
  });
  return { path: dir.path, database, list: ['token', 'list', '--data-dir', dir.path] };
};

/** On SQLite the demo's records are made once, and each test works on a copy of that folder. */
const filled = tempDir('migrations-filled');
afterAll(filled.remove);
const copied = join(filled.path, 'data');

/** A database of the first version with the demo's records. */
const withRecords = async (): Promise<Scene> => {
  const scene = await emptyFolder();
  if (!onPostgres && existsSync(copied)) cpSync(copied, scene.path, { recursive: true });
  else {
    const service = await spawnService(bareDemo(scene.path));
    expect(await service.end()).toMatchObject({ code: 0 });
    if (!onPostgres) cpSync(scene.path, copied, { recursive: true });
  }
  return scene;
};

const contentOf = async ({ query }: TestDatabase) => ({
  migrations: (await query('select name from kysely_migration order by name')).map(
    ({ name }) => name,
  ),
  near_misses: await query(
    'select id, number, description, custom_fields, search, version from near_misses order by id',
  ),
  incidents: await query('select id, title, status from incidents order by id'),
});

const count = async ({ query }: TestDatabase, from: string): Promise<number> =>
  Number((await query(`select count(*) as n from ${from}`))[0]?.['n']);

const list = '~/incidents/near_misses';

describe('decisions §10: a database of the first version', () => {
  slow(
    'decisions §10: the second version migrates it, keeps every record and works on it',
    async () => {
      const { path, database } = await withRecords();
      const before = await contentOf(database);
      expect(before.migrations).toEqual(RELEASED);
      expect(before.near_misses.length).toBeGreaterThan(200);

      const service = await spawnService(bareDemo(path), asSecondVersion());
      onTestFinished(async () => void (await service.end()));
      const after = await contentOf(database);
      expect(after).toEqual({ ...before, migrations: [...RELEASED, SECOND] });
      expect(await count(database, 'inspections')).toBe(before.near_misses.length);
      expect(await count(database, "near_misses where severity = 'high'")).toBe(
        await count(database, 'near_misses where recordable = 1'),
      );

      const client = clientOf(service.first.url, service.first);
      const said = { near_miss: { incident_id: 1, description: 'After the migration' } };
      expect((await client.post(list, said)).status).toBe(201);
      const found = await client.get(`${list}?filters[query]=after the migration`);
      expect(found.json).toMatchObject([{ description: 'After the migration' }]);
    },
  );

  slow('decisions §10: two processes of the second version at once migrate it once', async () => {
    const { list: tokens, database } = await withRecords();
    const met = tempDir('met');
    onTestFinished(met.remove);
    const version = asSecondVersion({ meets: met.path });
    const ended = await Promise.all([1, 2].map(() => runCli(tokens, version)));
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    expect((await contentOf(database)).migrations).toEqual([...RELEASED, SECOND]);
    expect(await count(database, 'inspections')).toBe(await count(database, 'near_misses'));
  });

  slow(
    'decisions §10: a migration that fails is a sentence and exit 1, and leaves it as it was',
    async () => {
      const { path, list: tokens, database } = await withRecords();
      const before = await contentOf(database);
      for (const argv of [bareDemo(path), tokens]) {
        const said = await runCli(argv, asSecondVersion({ fails: true }));
        expect([said.code, said.stdout]).toEqual([1, '']);
        expect(said.stderr).toMatch(/there_is_no_such_table/);
        expect(said.stderr.trim().split('\n')).toHaveLength(1);
      }
      expect(await contentOf(database)).toEqual(before);
      const [row] = await database.query('select * from near_misses limit 1');
      expect(row).not.toHaveProperty('severity');
      expect(await runCli(tokens)).toMatchObject({ code: 0, stderr: '' });
    },
  );
});

slow(
  'decisions §10: a database that a newer version wrote is a sentence and exit 1, for the service and its commands',
  async () => {
    const { path, list: tokens, database } = await withRecords();
    expect(await runCli(tokens, asSecondVersion())).toMatchObject({ code: 0, stderr: '' });
    const before = await contentOf(database);
    for (const argv of [bareDemo(path), tokens]) {
      const said = await runCli(argv);
      expect([said.code, said.stdout]).toEqual([1, '']);
      expect(said.stderr).toMatch(/written by a newer version of Spotter \(9999-second\)/);
      expect(said.stderr.trim().split('\n')).toHaveLength(1);
    }
    expect(await contentOf(database)).toEqual(before);
  },
);

/** The tables of the newest migrations that made any: they depend on all before them. */
const MAIL = ['mails', 'mail_preferences'];
const EVIDENCE = ['admin_acts', 'signing_keys'];
const NOTICES = ['help_contact', 'privacy_notice'];
const PLANS = ['plan_files', 'plan_revisions', 'plans'];
const COMMENTS = ['near_miss_comments'];
const RETENTION = ['retention_years', 'retention_bin_days'];
const HOLDS = ['legal_holds'];
const ERASURES = ['erasure_items', 'erasures'];

slow(
  'decisions §12.1: a database from before levels: the first user of each company is its admin, later ones are standard',
  async () => {
    const { list: command, database } = await withRecords();
    const { query } = database;
    // Back to the state of the first version.
    const tables = [
      'enrolment_codes',
      'service_account_secrets',
      'shifts',
      'near_miss_history',
      'tombstones',
      'incident_losses',
      ...MAIL,
      ...EVIDENCE,
      ...PLANS,
      ...COMMENTS,
      ...HOLDS,
      ...ERASURES,
    ];
    for (const table of tables) await query(`drop table ${table}`);
    for (const column of [...NOTICES, ...RETENTION])
      await query(`alter table companies drop column ${column}`);
    for (const index of [
      'tokens_by_user',
      'near_misses_by_author',
      'near_misses_by_change',
      'incidents_by_change',
      'users_by_login',
      'events_of_near_misses',
    ])
      await query(`drop index ${index}`);
    for (const [table, columns] of Object.entries({
      company_users: ['level', 'project_ids', 'active', 'since', 'tokens_ended_at'],
      users: ['service_account'],
      tokens: ['level', 'expires_at', 'last_used_at', 'secret_id'],
      time_and_material_entry_attachments: ['created_by', 'updated_at'],
      project_memberships: ['updated_at'],
      webhook_triggers: ['updated_at'],
      companies: ['changed_at'],
      near_misses: ['created_with', 'comment_count', 'anonymised_at', 'erased_at'],
    }))
      for (const column of columns) await query(`alter table ${table} drop column ${column}`);
    await query(`delete from kysely_migration where name <> '${FIRST}'`);
    expect(await runCli(command)).toMatchObject({ code: 0, stderr: '' });
    const users = await query(`select cu.company_id, cu.level, cu.active, cu.project_ids, u.login
    from company_users cu join users u on u.id = cu.user_id order by cu.company_id, u.id`);
    const [first, ...later] = users.filter(({ company_id }) => Number(company_id) === 1);
    expect(first).toMatchObject({ level: 'admin', active: 1, project_ids: null });
    expect(first?.['login']).toBe('maria.kovacs@northline.example');
    expect(later.map(({ level }) => level)).toEqual(['standard', 'standard', 'standard']);
    expect(users.at(-1)).toMatchObject({ level: 'admin', login: 'sam.whitaker@calder.example' });
  },
);

slow(
  'decisions §12.4, §14.4: in a database without times of memberships, a deactivated user’s tokens ended',
  async () => {
    const { list: command, database } = await withRecords();
    const { query } = database;
    const login = 'maria.kovacs@northline.example';
    await query(`update company_users set active = 0
    where user_id = (select id from users where login = '${login}')`);
    for (const column of ['since', 'tokens_ended_at'])
      await query(`alter table company_users drop column ${column}`);
    for (const column of [...NOTICES, ...RETENTION])
      await query(`alter table companies drop column ${column}`);
    for (const table of [...MAIL, ...EVIDENCE, ...PLANS, ...COMMENTS, ...HOLDS, ...ERASURES])
      await query(`drop table ${table}`);
    await query('alter table near_misses drop column comment_count');
    await query('drop index users_by_login');
    await query('drop index events_of_near_misses');
    for (const column of ['anonymised_at', 'erased_at'])
      await query(`alter table near_misses drop column ${column}`);
    await query("delete from kysely_migration where name >= '0006-memberships'");
    expect(await runCli(command)).toMatchObject({ code: 0, stderr: '' });
    const users = await query(`select cu.since, cu.tokens_ended_at, u.created_at, u.login,
      (select max(t.created_at) from tokens t where t.user_id = u.id) as latest
    from company_users cu join users u on u.id = cu.user_id`);
    expect(users.length).toBeGreaterThan(1);
    for (const { since, tokens_ended_at, created_at, latest, login: whose } of users) {
      expect(since).toBe(created_at);
      expect(tokens_ended_at).toBe(whose === login ? latest : 0);
    }
    expect(users.map(({ latest }) => Number(latest)).every((at) => at > 0)).toBe(true);
  },
);

it.skipIf(onPostgres)(
  'failures S29: a command that only reads opens a database that another process writes to',
  SLOW,
  async () => {
    const { path, list: tokens } = await withRecords();
    const writer = new SQLite(join(path, 'spotter.db'));
    onTestFinished(() => void writer.close());
    writer.exec('begin immediate');
    expect(await runCli(tokens)).toMatchObject({ code: 0, stderr: '' });
  },
);

slow('decisions §10: two processes at once on an empty database make its tables once', async () => {
  const { list: tokens, database } = await emptyFolder();
  await database.empty();
  const met = tempDir('met');
  onTestFinished(met.remove);
  const version = asSecondVersion({ meets: met.path });
  const ended = await Promise.all([1, 2].map(() => runCli(tokens, version)));
  expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ''],
    [0, ''],
  ]);
  expect((await contentOf(database)).migrations).toEqual([...RELEASED, SECOND]);
});
