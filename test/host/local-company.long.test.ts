/**
 * A local company next to the sample data: created once with its given names, and always a separate account, service and
 * folder.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runServiceCommand, startServiceChild } from '../../src/browser/service-child.ts';
import type { HostOptions } from '../../src/host/index.ts';
import { temporaryFolder } from './fixtures/folder.ts';
import { startWorld, type World } from './fixtures/world.ts';

/** Several starts of the service, on a machine that may be busy. */
const patient = { timeout: 300_000 } as const;

const quiet = (): void => undefined;

/** The options that the browser shell gives to the host. */
const laptop = async (): Promise<Partial<HostOptions>> => {
  const root = await temporaryFolder();
  const [sample, company] = [join(root, 'service'), join(root, 'local-company')];
  return {
    start_service: startServiceChild(sample, 'sample', quiet),
    run_command: runServiceCommand(sample),
    local_company: {
      folder: company,
      start: startServiceChild(company, 'company', quiet),
      command: runServiceCommand(company),
    },
  };
};

const names = { company: '--Rita & "Sons"', project: 'Harbour; $(east) ñ', user: 'Rita O’Neil' };

const catalogOf = async (world: World) => {
  const session = await world.call('session.get', {});
  const answer = await world.call('rest.request', {
    endpoint: 'catalog.show',
    input: { params: { project_id: session.project?.id ?? 0 } },
  });
  return answer.data as {
    readonly vendors: unknown[];
    readonly people: readonly { readonly name: string }[];
  };
};

it(
  'a local company is made as it was called, beside the sample data, and both are there again',
  patient,
  async () => {
    const options = await laptop();
    const world = await startWorld(options);
    expect(await world.call('app.info', {})).toMatchObject({ local_company: false });
    expect(await world.problem('session.connect', { kind: 'local_company' })).toEqual({
      kind: 'not_connected',
    });
    const sample = await world.call('session.connect', { kind: 'this_laptop' });
    expect((await catalogOf(world)).vendors.length).toBeGreaterThan(0);

    const localCompany = await world.call('session.connect', { kind: 'local_company', names });
    expect(localCompany).toMatchObject({
      state: 'ready',
      kind: 'local_company',
      address: null,
      company: { name: names.company },
      project: { name: names.project },
      user: { name: names.user },
    });
    expect(localCompany.account).not.toBe(sample.account);
    expect(await catalogOf(world)).toMatchObject({ vendors: [], people: [{ name: names.user }] });
    expect(await world.call('app.info', {})).toMatchObject({ local_company: true });

    // Created once: a second request, even with other names, returns the existing company.
    const others = { company: 'Another', project: 'Another', user: 'Another' };
    expect(await world.call('session.connect', { kind: 'local_company', names: others })).toEqual(
      localCompany,
    );
    expect(await world.call('session.connect', { kind: 'this_laptop' })).toEqual(sample);
    expect(await world.call('session.connect', { kind: 'local_company' })).toEqual(localCompany);
    await world.door.stop();

    const again = await startWorld({ ...options, data_dir: world.folder });
    expect(await again.call('session.get', {})).toEqual(localCompany);
    expect(await catalogOf(again)).toMatchObject({ people: [{ name: names.user }] });
    expect(await again.call('copies.list', {})).toHaveProperty('copies');
  },
);

it(
  'a local company that cannot be made is a problem that says so, and nothing is connected',
  patient,
  async () => {
    const options = await laptop();
    const why = 'SQLITE_FULL: database or disk is full';
    const world = await startWorld({
      ...options,
      local_company: {
        folder: await temporaryFolder(),
        start: () => Promise.reject(new Error('never')),
        command: () => Promise.resolve({ said: null, code: 1, why }),
      },
    });
    expect(await world.problem('session.connect', { kind: 'local_company', names })).toEqual({
      kind: 'no_space',
      detail: why,
    });
    expect(await world.call('session.get', {})).toMatchObject({ state: 'none', kind: null });
  },
);
