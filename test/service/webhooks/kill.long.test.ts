/**
 * SIGKILL while events are pending and being sent: failures S17. Real processes, and a real endpoint that sometimes fails. A
 * short form. The title contains the seed; SPOTTER_SEED sets it.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { bareDemo, clientOf, spawnService, tempDir } from '../../support/service.ts';
import { makeHook, startEndpoint, until } from './support.ts';

const dir = tempDir('webhook-kill');
afterAll(() => dir.remove());

const ROUNDS = 4;
const seed = Number(process.env['SPOTTER_SEED'] ?? Date.now() % 1_000_000);

const randomFrom = (start: number): (() => number) => {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
};

describe('failures S17: SIGKILL with pending deliveries', () => {
  it(`failures S17, decisions §9.5: every acknowledged change is told at least once, in order, same event id (seed ${seed})`, async () => {
    const random = randomFrom(seed);
    const e = await startEndpoint((response) => {
      setTimeout(() => response.writeHead(random() < 0.1 ? 503 : 200).end(), random() * 15);
    });
    const argv = bareDemo(
      dir.path,
      '--allow-private-webhooks',
      '--embedded',
      '--webhook-first-retry=20ms',
      '--webhook-longest-retry=50ms',
      '--webhook-timeout=200ms',
      '--webhook-interval=20ms',
      '--log-level=warn',
    );
    const acknowledged: number[] = [];
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        const service = await spawnService(argv);
        const client = clientOf(service.first.url, service.first);
        if (round === 0) await makeHook(client, e.url);
        let killed: Promise<unknown> | undefined;
        let timer: NodeJS.Timeout | undefined;
        while (killed === undefined) {
          const near_miss = { incident_id: 1, description: `kill ${round}` };
          const made = await client
            .post('~/incidents/near_misses', { near_miss })
            .catch(() => null);
          if (made?.status === 201) acknowledged.push(made.json.id as number);
          // Starts at the first answer, so that a slow machine has answered something before the kill.
          timer ??= setTimeout(() => (killed = service.end('SIGKILL')), random() * 400);
        }
        clearTimeout(timer);
        await killed;
      }
      const last = await spawnService(argv);
      const told = () => new Set(e.received.map(({ body }) => body.resource_id));
      await until(() => acknowledged.every((id) => told().has(id)), 'every event told');
      expect((await last.end('SIGTERM')).code).toBe(0);
      expect(acknowledged.length).toBeGreaterThan(ROUNDS);

      const ulids = new Map<number | string, Set<string>>();
      for (const { body, headers } of e.received) {
        expect(headers['webhook-id']).toBe(body.ulid);
        const ofRecord = ulids.get(body.resource_id) ?? new Set();
        ulids.set(body.resource_id, ofRecord.add(body.ulid));
      }
      for (const [id, ofRecord] of ulids) expect(ofRecord.size, `record ${id}`).toBe(1);
      // First deliveries are in the order of the events.
      const firsts = [...new Set(e.received.map(({ body }) => body.id))];
      expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
    } finally {
      await e.close();
    }
  }, 300_000);
});
