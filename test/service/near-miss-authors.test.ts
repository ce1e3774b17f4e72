/** [ours] Who created a near miss (decisions §3.8). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService } from '../support/service.ts';
import { makeWorld, type World } from './matrix-world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld(await startTestService({ 'allow-private-webhooks': true }));
});
afterAll(() => world.t.stop());

describe('decisions §3.8: who created a near miss', () => {
  const list = '~/incidents/near_misses';
  const bin = '~/recycle_bin/incidents/near_misses';

  it('decisions §3.8: the author stays, whoever edits, recycles or restores it', async () => {
    const { owner, colleague } = world;
    const author = (await colleague.get('/rest/v1.0/me')).json.user;
    const other = (await owner.get('/rest/v1.0/me')).json.user;
    const incident = await owner.post('~/incidents', { incident: { title: 'Of the owner' } });
    const near_miss = { incident_id: incident.json.id, description: 'Of the colleague' };
    const made = await colleague.post(list, { near_miss: { ...near_miss, created_by: other } });
    const path = `${list}/${made.json.id}`;
    expect(made.json).toMatchObject({ created_by: author, incident_created_by: other });
    const inList = async (of: string) =>
      (await owner.get(of)).json.find(({ id }: { id: number }) => id === made.json.id);
    expect((await owner.get(path)).json.created_by).toEqual(author);
    expect((await inList(list)).created_by).toEqual(author);
    const changes = { description: 'Changed', created_by: other, created_by_id: other.id };
    const changed = await owner.patch(path, { near_miss: changes });
    expect(changed.json).toMatchObject({ description: 'Changed', created_by: author });
    await owner.delete(path);
    expect((await inList(bin)).created_by).toEqual(author);
    const restored = await owner.patch(`${bin}/${made.json.id}/restore`, {});
    expect(restored.json.created_by).toEqual(author);
    expect((await inList(list)).created_by).toEqual(author);
  });

  it('decisions §3.8, §1.5: a create that is replayed shows the same author', async () => {
    const { colleague } = world;
    const incident_id = (await colleague.get('~/incidents')).json[0].id;
    const body = { near_miss: { incident_id, description: 'Sent twice' } };
    const key = { 'Idempotency-Key': 'author-twice' };
    const [first, second] = [
      await colleague.post(list, body, key),
      await colleague.post(list, body, key),
    ];
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.json).toEqual(first.json);
    expect(first.json.created_by.login).toBe('colleague@example.com');
  });
});
