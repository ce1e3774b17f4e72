/**
 * The service on the infrastructure of a growing company, all real and from Debian's packages: two services behind PgBouncer in
 * transaction mode, a primary and a synchronous standby. While many laptops drain, the primary is killed and the standby takes
 * over. Nothing acknowledged is lost, nothing is duplicated, each record's event is sent, and never twice at once.
 */
import { join } from 'node:path';
import {
  bareDemo,
  clientOf,
  spawnService,
  tempDir,
  type ServiceProcess,
} from '../support/service.ts';
import { clusterMissing, startPair } from './cluster/postgres-pair.ts';
import { compareFleet, fleetWords, listen, playFleet, startListener, toldAll } from './fleet.ts';
import { companiesOf, seatsOf } from './laptops.ts';
import type { Case, Outcome } from './run.ts';

const LAPTOPS = 100;
const EACH = 40;
/** Kills the primary once this share of all creates is answered. */
const KILLED_AT = 0.4;

const run = async (share: number): Promise<Outcome> => {
  const missing = clusterMissing();
  if (missing !== null) return { runs: 0, failures: [missing] };
  const each = Math.ceil(EACH * share);
  const folder = tempDir('prove-cluster');
  const pair = await startPair();
  const listener = await startListener();
  const services: ServiceProcess[] = [];
  try {
    for (let n = 0; n < 2; n += 1)
      services.push(
        await spawnService(
          bareDemo(
            join(folder.path, 'data'),
            `--database-url=${pair.url}`,
            '--database-pooler',
            '--allow-private-webhooks',
            '--log-level=error',
          ),
        ),
      );
    const seats = await seatsOf(services, LAPTOPS);
    for (const seat of companiesOf(seats)) await listen(clientOf(seat.url, seat), listener);
    const all = LAPTOPS * each;
    const counted = async () =>
      Number(
        (
          await pair.query(
            "select count(*) as n from near_misses where description like 'cluster-%'",
          )
        )[0]?.['n'],
      );
    const failing = (async () => {
      while ((await counted()) < all * KILLED_AT) await new Promise((next) => setTimeout(next, 20));
      const began = performance.now();
      await pair.failOver();
      return performance.now() - began;
    })();
    const report = await playFleet({ name: 'cluster', seats, each });
    const taken_over = await failing;
    const untold = await toldAll(listener, report.acknowledged.values());
    const failures = [
      ...(report.acknowledged.size === all ? [] : ['not all were answered']),
      ...report.failures,
      ...(await compareFleet({ name: 'cluster' }, companiesOf(seats), report)),
      ...(report.again === 0 ? ['nobody noticed that the primary was killed'] : []),
      ...(untold === 0 ? [] : [`${untold} were told nowhere`]),
      ...listener.at_once.map((id) => `${id} was told twice at once`),
    ];
    const note = `${fleetWords(report)}; standby promoted in ${taken_over.toFixed(0)} ms`;
    return { runs: all, failures, note };
  } finally {
    for (const service of services) await service.end('SIGKILL');
    await listener.close();
    await pair.stop();
    folder.remove();
  }
};

export const cluster: Case = {
  name: 'cluster',
  title: 'PgBouncer, a standby that takes over, two services, 100 laptops',
  run: (_seed, _replay, share) => run(share),
};
