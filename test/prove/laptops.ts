/**
 * 200 laptops that replay at once: against one service on SQLite, then against two on one PostgreSQL, which also send webhooks
 * to one endpoint. Each create is there once, whatever was answered; no event is sent twice at once; a company of 20 laptops
 * does not wait for one of 180. Short form: test/service/laptops.long.test.ts.
 */
import { join } from 'node:path';
import { databaseUrl, startPostgres } from '../support/postgres-server.ts';
import {
  bareDemo,
  clientOf,
  spawnService,
  tempDir,
  type ServiceProcess,
} from '../support/service.ts';
import {
  compareFleet,
  type FleetReport,
  fleetWords,
  listen,
  playFleet,
  type Seat,
  seatAt,
  startListener,
  toldAll,
} from './fleet.ts';
import type { Case, Outcome } from './run.ts';

/** One laptop in ten belongs to the other company. */
const OTHER = 10;

/** Assigns laptops to the services in turn, every tenth in the second company. */
export const seatsOf = async (
  services: readonly Pick<ServiceProcess, 'first'>[],
  laptops: number,
): Promise<readonly Seat[]> => {
  const [first] = services;
  if (!first) throw new Error('no service');
  const big = await seatAt(first.first.url, first.first);
  const small = await seatAt(first.first.url, first.first.other);
  return Array.from({ length: laptops }, (_, at) => ({
    ...(at % OTHER === 0 ? small : big),
    url: services[Math.floor(at / OTHER) % services.length]?.first.url ?? big.url,
  }));
};

/** One seat per company. */
export const companiesOf = (seats: readonly Seat[]): readonly Seat[] => [
  ...new Map(seats.map((seat) => [seat.company_id, seat])).values(),
];

const judge = async (
  name: string,
  seats: readonly Seat[],
  report: FleetReport,
  each: number,
): Promise<readonly string[]> => {
  const expected = seats.length * each;
  const few = report.acknowledged.size === expected ? [] : ['not all were answered'];
  return [
    ...few,
    ...report.failures,
    ...(await compareFleet({ name }, companiesOf(seats), report)),
  ];
};

export const onSqlite = async (laptops: number, each: number): Promise<Outcome> => {
  const folder = tempDir('prove-laptops');
  const service = await spawnService(bareDemo(folder.path, '--log-level=error'));
  try {
    const seats = await seatsOf([service], laptops);
    const report = await playFleet({ name: 'sqlite', seats, each });
    const failures = await judge('sqlite', seats, report, each);
    return { runs: seats.length * each, failures, note: fleetWords(report) };
  } finally {
    await service.end('SIGKILL');
    folder.remove();
  }
};

export const onPostgres = async (laptops: number, each: number): Promise<Outcome> => {
  const folder = tempDir('prove-laptops');
  const server = await startPostgres(true);
  const listener = await startListener();
  const services: ServiceProcess[] = [];
  try {
    for (let n = 0; n < 2; n += 1)
      services.push(
        await spawnService(
          bareDemo(
            join(folder.path, 'data'),
            `--database-url=${databaseUrl(server.socket, 'postgres')}`,
            '--allow-private-webhooks',
            '--log-level=error',
          ),
        ),
      );
    const seats = await seatsOf(services, laptops);
    for (const seat of companiesOf(seats)) await listen(clientOf(seat.url, seat), listener);
    const report = await playFleet({ name: 'postgres', seats, each });
    const untold = await toldAll(listener, report.acknowledged.values());
    const twice = [...listener.told.values()].filter((times) => times > 1).length;
    return {
      runs: seats.length * each,
      failures: [
        ...(await judge('postgres', seats, report, each)),
        ...(untold === 0 ? [] : [`${untold} were told nowhere`]),
        ...listener.at_once.map((id) => `${id} was told twice at once`),
        ...(twice === 0 ? [] : [`${twice} were told again without need`]),
      ],
      note: fleetWords(report),
    };
  } finally {
    for (const service of services) await service.end('SIGKILL');
    await listener.close();
    await server.stop();
    folder.remove();
  }
};

const LAPTOPS = 200;
const EACH = 50;

const ofCase = (title: string, run: typeof onSqlite): Case => ({
  name: 'laptops',
  title,
  run: (_seed, _replay, share) =>
    run(Math.ceil(LAPTOPS * Math.sqrt(share)), Math.ceil(EACH * Math.sqrt(share))),
});

export const laptopsSqlite = ofCase('200 laptops at once, one service on SQLite', onSqlite);
export const laptopsPostgres = ofCase(
  '200 laptops at once, two services on one PostgreSQL',
  onPostgres,
);
