/** The daily local backups of the embedded service: listed, and restored while the service is stopped. */
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { runServiceCommand, startServiceChild } from '../../src/browser/service-child.ts';
import type { StartService } from '../../src/host/session/embedded.ts';
import type { OwnServiceKind } from '../../src/host/session/embedded-service.ts';
import { temporaryFolder, until } from './fixtures/folder.ts';
import { startServerWorld, startWorld, type World } from './fixtures/world.ts';

/** Three starts of the service and as many commands, on a machine that may be busy. */
const patient = { timeout: 300_000 } as const;

interface Starts {
  /** Number of services that ran at the same time as another. */
  together: number;
  count: number;
}

/** A host with the embedded service, as the browser shell starts it. */
const startLaptop = async (kind: OwnServiceKind) => {
  const folder = await temporaryFolder();
  const start = startServiceChild(folder, kind, () => undefined);
  const starts: Starts = { together: 0, count: 0 };
  let running = 0;
  const counted: StartService = async () => {
    starts.count += 1;
    if (running > 0) starts.together += 1;
    const service = await start();
    running += 1;
    void service.exited.then(() => (running -= 1));
    return service;
  };
  const world = await startWorld({
    start_service: counted,
    run_command: runServiceCommand(folder),
  });
  // On a starved machine the service may start later than a single call waits.
  await until(
    async () => (await world.reply('session.connect', { kind: 'this_laptop' })).result.ok,
    'a session with this laptop',
  );
  const session = await world.call('session.get', {});
  await until(
    async () => (await world.call('copies.list', {})).copies.length === 1,
    'the first daily copy',
  );
  return { world, folder, starts, project_id: session.project?.id ?? 0 };
};

const create = async (world: World, project_id: number, title: string): Promise<number> => {
  const answer = await world.call('rest.request', {
    endpoint: 'incidents.create',
    input: { params: { project_id }, body: { incident: { title } } },
  });
  expect(answer.status).toBe(201);
  return (answer.data as { id: number }).id;
};

const titlesOf = async (world: World, project_id: number): Promise<string[]> => {
  const answer = await world.call('rest.request', {
    endpoint: 'incidents.list',
    input: { params: { project_id }, query: { per_page: 500 } },
  });
  return (answer.data as { title: string }[]).map(({ title }) => title);
};

it(
  'decisions §10: a copy restored through the host: what came later is set aside, and no id comes back',
  patient,
  async () => {
    const { world, folder, starts, project_id } = await startLaptop('sample');
    const [copy] = (await world.call('copies.list', {})).copies;
    if (copy === undefined) throw new Error('no copy');
    expect(copy.bytes).toBeGreaterThan(4096);
    const session = await world.call('session.get', {});
    const later = await create(world, project_id, 'after the copy');
    expect(await titlesOf(world, project_id)).toContain('after the copy');

    const restoring = world.call('copies.restore', { name: copy.name });
    // A concurrent call waits for the service; no second service starts during the restore.
    const meanwhile = world.reply('reach.check', {});
    const { replaced, running } = await restoring;
    expect(running).toBe(true);
    await meanwhile;
    expect(starts).toEqual({ count: 2, together: 0 });
    expect(await world.call('session.get', {})).toEqual(session);
    const titles = await titlesOf(world, project_id);
    expect(titles).not.toContain('after the copy');
    expect(titles.length).toBeGreaterThan(0);
    const old = new SQLite(join(folder, replaced, 'spotter.db'), { readonly: true });
    expect(old.prepare('select title from incidents where id = ?').get(later)).toEqual({
      title: 'after the copy',
    });
    old.close();
    expect(await create(world, project_id, 'after the restore')).toBeGreaterThan(later);
  },
);

it(
  'a copy that is damaged or not there changes nothing, says so, and the service runs on',
  patient,
  async () => {
    const { world, folder, project_id } = await startLaptop('company');
    await create(world, project_id, 'kept');
    const bad = join(folder, 'copies', 'spotter-2026-01-31.db');
    await writeFile(bad, 'no database at all');
    await appendFile(bad, Buffer.alloc(20_000, 0xff));
    expect(await world.problem('copies.restore', { name: 'spotter-2026-01-31.db' })).toMatchObject({
      kind: 'bad_input',
      fault: 'copy_damaged',
    });
    expect(await world.problem('copies.restore', { name: 'spotter-2026-02-01.db' })).toMatchObject({
      kind: 'bad_input',
      fault: 'copy_unknown',
    });
    expect(await world.problem('copies.restore', { name: '../spotter.db' })).toMatchObject({
      kind: 'bad_input',
    });
    expect(await titlesOf(world, project_id)).toContain('kept');
    expect((await readdir(folder)).filter((name) => name.startsWith('replaced-'))).toEqual([]);
    expect((await readFile(bad)).subarray(0, 2).toString()).toBe('no');
  },
);

it('a session with a server has no copies here, and its host restores none', async () => {
  const folder = await temporaryFolder();
  const world = await startServerWorld({ run_command: runServiceCommand(folder) });
  const refused = { kind: 'bad_input', fault: 'copies_elsewhere' };
  expect(await world.problem('copies.list', {})).toMatchObject(refused);
  expect(await world.problem('copies.restore', { name: 'spotter-2026-01-31.db' })).toMatchObject(
    refused,
  );
  expect(await readdir(folder)).toEqual([]);
});
