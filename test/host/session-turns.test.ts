/** Two windows change the session at once: the second request applies to the session that it saw. */
import { expect, it } from 'vitest';
import { startServerWorld } from './fixtures/world.ts';

it('failures A21: a project chosen while another window connects elsewhere is not written over what that connected to', async () => {
  const world = await startServerWorld();
  const { demo, other } = world.service;
  const connecting = world.call('session.connect', {
    kind: 'server',
    address: world.chaos.url,
    company_id: other.company_id,
    project_id: other.project_id,
    token: other.token,
  });
  const chosen = world.reply('session.choose_project', { project_id: demo.project_id });
  expect((await connecting).project?.id).toBe(other.project_id);
  expect((await chosen).result).toMatchObject({ ok: false, problem: { kind: 'cancelled' } });
  expect(await world.call('session.get', {})).toMatchObject({
    company: { id: other.company_id },
    project: { id: other.project_id },
  });
});
