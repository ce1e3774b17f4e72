/**
 * Every event type offered to triggers occurs, and every event that occurs is offered (decisions §9.3). The owner calls every
 * route, one upload is left until it is swept, and the resulting events are those that `webhooks/resources` names.
 */
import { expect, onTestFinished } from 'vitest';
import { endpointNames, endpoints } from '../../src/contract/rest/index.ts';
import { startTestService } from '../support/service.ts';
import { askRow, rows, victimFor } from './matrix-rows.ts';
import { makeWorld } from './matrix-world.ts';
import { slow } from '../support/slow.ts';

slow(
  'decisions §9.3: the events of all routes are those that are offered, no more and no fewer',
  async () => {
    const t = await startTestService({
      'allow-private-webhooks': true,
      'webhook-max-hooks': 1000,
      'upload-sweep-interval': 50,
    });
    onTestFinished(() => t.stop());
    const world = await makeWorld(t);
    for (const name of endpointNames) {
      const row = rows[name];
      // A sign-in needs an identity provider and makes no event.
      if (row === undefined || endpoints[name].method === 'GET' || name === 'sign_ins.create')
        continue;
      const answer = await askRow(
        name,
        row,
        await victimFor(world, name),
        world.owner,
        world.owner,
      );
      expect(answer.status, `${name}: ${answer.text}`).toBe(endpoints[name].status);
    }
    const offered = (await t.demo.get('/rest/v1.0/webhooks/resources')).json as {
      readonly name: string;
      readonly event_types: readonly string[];
    }[];
    t.clock.advance(8 * 24 * 3_600_000);
    const happened = async (): Promise<string[]> =>
      (await t.database.query('select distinct resource_name, event_type from events'))
        .map((row) => `${row['resource_name']} ${row['event_type']}`)
        .sort();
    await expect.poll(happened).toContain('Company Uploads delete');
    expect(await happened()).toEqual(
      offered.flatMap(({ name, event_types }) => event_types.map((one) => `${name} ${one}`)).sort(),
    );
  },
);
