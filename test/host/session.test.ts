/** Sessions: connecting, refused tokens, accounts, the embedded service, and what stays on disk. */
import { expect, it, onTestFinished, vi } from 'vitest';
import type { RunningService } from '../../src/host/session/embedded.ts';
import { memoryVault } from '../../src/host/vault/memory.ts';
import { makeJpeg } from '../support/jpeg.ts';
import { spawnService } from '../support/service.ts';
import { onto } from './fixtures/delivery.ts';
import { temporaryFolder, until } from './fixtures/folder.ts';
import { embeddedServiceLine } from '../../src/contract/service-line.ts';
import { filesWith } from '../support/files.ts';
import { startServerWorld, startWorld } from './fixtures/world.ts';
import { slow } from '../support/slow.ts';

it('connects to a server: names company, project and user; the token is in no file and in no answer', async () => {
  const world = await startServerWorld();
  const { demo } = world.service;
  const session = await world.call('session.get', {});
  expect(session).toMatchObject({
    state: 'ready',
    kind: 'server',
    address: world.chaos.url,
    company: { id: demo.company_id },
    project: { id: demo.project_id },
    vault: { kind: 'memory', state: 'absent' },
  });
  expect(session.account).toBe(`${world.chaos.url}/${demo.company_id}/${session.user?.id}`);
  expect(await filesWith(world.folder, demo.token)).toEqual([]);
  expect(JSON.stringify([session, world.events, world.log])).not.toContain(demo.token);
  const { address, me } = await world.call('session.try', {
    address: world.chaos.url,
    token: demo.token,
    company_id: demo.company_id,
  });
  expect(address).toBe(world.chaos.url);
  expect(me?.companies.map(({ id }) => id)).toContain(demo.company_id);
});

it('decisions §1.1: a wrong token, company or project is refused with the field it is about, and nothing changes', async () => {
  const world = await startServerWorld();
  const { demo, other } = world.service;
  const before = await world.call('session.get', {});
  const connect = {
    kind: 'server' as const,
    address: world.chaos.url,
    company_id: demo.company_id,
    project_id: demo.project_id,
    token: demo.token,
  };
  expect(await world.problem('session.connect', { ...connect, token: 'wrong' })).toMatchObject({
    kind: 'signed_out',
  });
  expect(
    await world.problem('session.connect', { ...connect, company_id: other.company_id }),
  ).toMatchObject({ status: 403 });
  const project = await world.problem('session.connect', {
    ...connect,
    project_id: other.project_id,
  });
  expect(project).toMatchObject({
    kind: 'bad_input',
    fields: { project_id: [expect.any(String)] },
  });
  expect(
    await world.problem('session.connect', { ...connect, address: 'http://8.8.8.8' }),
  ).toMatchObject({ kind: 'bad_input' });
  expect(
    await world.problem('session.choose_project', { project_id: other.project_id }),
  ).toMatchObject({ kind: 'bad_input' });
  expect(await world.call('session.get', {})).toEqual(before);
});

it('failures A9: what one account queued is sent under no other, in any of its steps', async () => {
  const world = await startServerWorld();
  const { demo, other } = world.service;
  const first = await world.call('session.get', {});
  const account = first.account ?? '';
  const request = { endpoint: 'me.show', account, input: { params: {} } };
  await world.call('rest.request', request);
  const photo_id = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
  await world.spool(photo_id, 'a.jpg', await makeJpeg({ seed: 5, bytes: 20_000 }));

  await world.call('session.connect', {
    kind: 'server',
    address: world.chaos.url,
    company_id: other.company_id,
    project_id: other.project_id,
    token: other.token,
  });
  const before = world.chaos.seen.length;
  const cancelled = { kind: 'cancelled' };
  expect(await world.problem('rest.request', request)).toEqual(cancelled);
  expect(
    await world.problem('photos.upload', { photo_id, company_id: demo.company_id, account }),
  ).toEqual(cancelled);
  const delivery = { ...onto(demo, photo_id, 1), account };
  expect(await world.problem('photos.deliver', delivery)).toEqual(cancelled);
  expect(world.chaos.seen.length).toBe(before);
});

it('failures A9: a 401 ends the session, tells the window, the queue stays; signing in goes on as the same account', async () => {
  const vault = memoryVault();
  const world = await startServerWorld({ vault });
  const { demo } = world.service;
  const { account } = await world.call('session.get', {});
  const operation = {
    id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    seq: 1,
    account: account ?? '',
    kind: 'k',
    version: 1,
    lane: 'l',
    created_at: 1,
    payload: 1,
  };
  await world.call('journal.append', { operations: [operation] });
  world.chaos.plan = () => ({
    kind: 'answer',
    status: 401,
    headers: { 'content-type': 'application/json' },
    body: '{"errors":["expired"]}',
  });
  const request = { endpoint: 'me.show', input: { params: {} } };
  expect(await world.problem('rest.request', request)).toEqual({
    kind: 'signed_out',
    detail: 'expired',
  });
  expect(world.events.at(-1)).toMatchObject({
    kind: 'session.changed',
    session: { state: 'signed_out', account },
  });
  // The token is kept, because the refusal may have been a mistake.
  expect(await vault.get(account ?? '')).toEqual({ state: 'ok', token: demo.token });
  world.chaos.plan = () => null;
  expect(await world.problem('rest.request', request)).toMatchObject({ kind: 'signed_out' });
  expect((await world.call('journal.list', {})).operations).toEqual([operation]);
  const again = await world.call('session.connect', {
    kind: 'server',
    address: world.chaos.url,
    company_id: demo.company_id,
    project_id: demo.project_id,
    token: demo.token,
  });
  expect(again).toMatchObject({ state: 'ready', account });
});

it('decisions §11.7, §11.4: a company and a project with a new name are called so at once, whoever gave it', async () => {
  const world = await startServerWorld();
  const { company_id, project_id } = world.service.demo;
  const ask = (endpoint: string, params: Record<string, number>, body?: object) =>
    world.call('rest.request', { endpoint, input: { params, ...(body && { body }) } });
  await ask('company.update', { company_id }, { company: { name: 'Rita & Ñandú' } });
  await ask('projects.update', { company_id, id: project_id }, { project: { name: 'North gate' } });
  expect(await world.call('session.get', {})).toMatchObject({
    company: { id: company_id, name: 'Rita & Ñandú' },
    project: { id: project_id, name: 'North gate' },
  });
  expect(world.events.at(-1)).toMatchObject({
    kind: 'session.changed',
    session: { project: { name: 'North gate' } },
  });
  // Renamed by another user; `/me` reports it.
  const path = `/rest/v1.0/companies/${company_id}`;
  await world.service.demo.patch(path, { company: { name: 'By another' } });
  await ask('me.show', {});
  expect(await world.call('session.get', {})).toMatchObject({ company: { name: 'By another' } });
});

it('signing out forgets the token and stays signed out over a restart; a token kept in memory only is gone after one', async () => {
  const world = await startServerWorld();
  await world.call('session.sign_out', {});
  await world.door.stop();
  const second = await startWorld({ data_dir: world.folder });
  expect(await second.call('session.get', {})).toMatchObject({
    state: 'signed_out',
    address: world.chaos.url,
  });
});

it("outbox promise 6: receipts carry the server's time", async () => {
  const world = await startServerWorld();
  const { server_time } = await world.call('reach.check', {});
  expect(Math.abs((server_time ?? 0) - Date.now())).toBeLessThan(5_000);
});

/** The service as a shell starts it: in a child process. */
const launcher = async () => {
  const folder = await temporaryFolder();
  const children: { pid: number; kill(): void }[] = [];
  const start = async (): Promise<RunningService> => {
    const child = await spawnService(['--port', '0', '--data-dir', folder, '--embedded']);
    onTestFinished(() => child.end('SIGKILL').then(() => undefined));
    const exited = new Promise((resolve) => child.child.once('exit', resolve));
    children.push({ pid: child.child.pid ?? 0, kill: () => void child.child.kill('SIGKILL') });
    return { ...child.first, exited, stop: () => child.end().then(() => undefined) };
  };
  return { start, children };
};

slow(
  'failures A4: this laptop’s service starts, starts again after SIGKILL, and keeps its account though its port changes',
  async () => {
    const { start, children } = await launcher();
    const world = await startWorld({ start_service: start });
    const session = await world.call('session.connect', { kind: 'this_laptop' });
    expect(session).toMatchObject({ state: 'ready', kind: 'this_laptop', address: null });
    expect(session.account).toBe(`this-laptop/${session.company?.id}/${session.user?.id}`);
    children[0]?.kill();
    await until(
      () => world.events.some((event) => event.kind === 'service.state' && !event.running),
      'the end of the service to be told',
    );
    await until(() => children.length === 2, 'a second start');
    await until(
      async () => (await world.reply('reach.check', {})).result.ok,
      'the service to answer again',
    );
    expect(await world.call('session.get', {})).toEqual(session);
    await world.door.stop();

    const again = await startWorld({ data_dir: world.folder, start_service: start });
    expect(await again.call('session.get', {})).toEqual(session);
    // A call waits some seconds for a start; on a busy machine it may take longer.
    await until(
      async () => (await again.reply('reach.check', {})).result.ok,
      'the service to answer after the restart',
    );
  },
);

slow(
  'a first start may take its time: a slow laptop does not report that nothing answers while it starts',
  async () => {
    const { start } = await launcher();
    const gate = Promise.withResolvers<void>();
    const world = await startWorld({
      start_service: async () => {
        await gate.promise;
        return start();
      },
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const connecting = world.reply('session.connect', { kind: 'this_laptop' });
    await vi.advanceTimersByTimeAsync(120_000);
    vi.useRealTimers();
    gate.resolve();
    expect((await connecting).result).toMatchObject({ ok: true, value: { state: 'ready' } });
  },
);

slow(
  'a service that cannot be started is offline with the reason, and is tried again',
  async () => {
    const { start } = await launcher();
    let fails = 1;
    const world = await startWorld({
      start_service: () => (fails-- > 0 ? Promise.reject(new Error('no database')) : start()),
    });
    expect(await world.problem('session.connect', { kind: 'this_laptop' })).toMatchObject({
      kind: 'offline',
      detail: 'Error: no database',
    });
    await until(
      async () => (await world.reply('session.connect', { kind: 'this_laptop' })).result.ok,
      'a later start',
    );
  },
);

slow(
  'back to a server that was left in this run needs no token; signed out of, it does',
  async () => {
    const world = await startServerWorld();
    const { demo, other } = world.service;
    const before = await world.call('session.get', {});
    const account = before.account ?? '';
    const there = {
      kind: 'server' as const,
      address: world.chaos.url,
      company_id: other.company_id,
      project_id: other.project_id,
      token: other.token,
    };
    const elsewhere = await world.call('session.connect', there);
    const { address, company, project, user } = before;
    expect(elsewhere.left).toEqual([{ account, address, company, project, user }]);
    // Neither in a response nor on disk.
    expect(JSON.stringify([elsewhere, world.events, world.log])).not.toContain(demo.token);
    expect(await filesWith(world.folder, demo.token)).toEqual([]);

    const back = await world.call('session.connect', { kind: 'left', account });
    expect(back).toMatchObject({ state: 'ready', account, project });
    await world.call('reach.check', {});

    await world.call('session.connect', there);
    expect(await world.call('session.sign_out', {})).toMatchObject({ left: [] });
    expect(await world.problem('session.connect', { kind: 'left', account })).toMatchObject({
      kind: 'signed_out',
    });
  },
);

slow('the sample data is looked through the eyes of each level, also after a restart', async () => {
  const folder = await temporaryFolder();
  const start = async (): Promise<RunningService> => {
    const child = await spawnService([
      '--port',
      '0',
      '--data-dir',
      folder,
      '--demo',
      '--demo-bare',
    ]);
    const exited = new Promise((resolve) => child.child.once('exit', resolve));
    const { url, ...access } = embeddedServiceLine.parse(child.first);
    return { url, ...access, exited, stop: () => child.end().then(() => undefined) };
  };
  const world = await startWorld({ start_service: start });
  const admin = await world.call('session.connect', { kind: 'this_laptop' });
  expect(admin.level).toBe('admin');
  const accounts = new Set([admin.account]);
  for (const level of ['standard', 'reporter', 'read_only'] as const) {
    const view = await world.call('session.connect', { kind: 'this_laptop', level });
    expect(view.level).toBe(level);
    accounts.add(view.account);
  }
  // What waits under one user is never sent as another.
  expect(accounts.size).toBe(4);
  const params = { company_id: admin.company?.id ?? 0 };
  const change = {
    endpoint: 'company.update',
    input: { params, body: { company: { name: 'Another' } } },
  };
  const refused = await world.problem('rest.request', change);
  expect(refused).toMatchObject({ kind: 'refused', status: 403 });
  await world.door.stop();

  const again = await startWorld({ data_dir: world.folder, start_service: start });
  const { account, level } = await again.call('session.get', {});
  expect([accounts.has(account), level]).toEqual([true, 'read_only']);
  await until(
    async () => (await again.reply('reach.check', {})).result.ok,
    'the service to answer after the restart',
  );
  expect(await again.problem('rest.request', change)).toEqual(refused);
});
