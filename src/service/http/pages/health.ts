/**
 * `/healthz` for monitoring names each part that fails: database, files, disk space, clock. `/readyz` for load balancers asks
 * only whether this process can answer requests. A nearly full disk fails the first and not the second, because taking every
 * process out of rotation would also stop the reading (decisions §10).
 */
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { App } from '../../app.ts';
import { databaseMoment } from '../../store/webhooks/webhook-queue.ts';
import { ownNames } from './own-names.ts';

const DAMAGED =
  'Pages of the database file are damaged. Stop the service and restore a backup or a daily copy.';

const answers = (part: { ping(): Promise<boolean> }): Promise<boolean> =>
  part.ping().catch(() => false);

const databaseFault = async (app: App): Promise<string | null> => {
  if (await answers(app.store)) return null;
  return app.store.damaged() ? DAMAGED : 'The database does not answer.';
};

const filesFault = async (app: App): Promise<string | null> =>
  (await answers(app.uploads))
    ? null
    : 'The file store does not answer, or nothing can be written to it.';

const MIB = 1024 ** 2;

/** The folder of the files may be a separate volume. */
const diskSpaceFault = async ({ options }: App): Promise<string | null> => {
  if (options['free-space'] === 0) return null;
  const folders = [options['data-dir'], join(options['data-dir'], 'files')];
  const free = await Promise.all(
    folders.map((folder) =>
      statfs(folder).then(
        ({ bavail, bsize }) => bavail * bsize,
        () => Infinity, // the folder does not exist, as with a bucket
      ),
    ),
  );
  const least = Math.min(...free);
  if (least >= options['free-space']) return null;
  return `The data folder has ${Math.floor(least / MIB)} MiB left, less than --free-space.`;
};

/**
 * Milliseconds by which this machine's clock is wrong. It compares with PostgreSQL, or else with the latest moment seen: the
 * latest that the database has, and those of earlier checks. The steady clock would never agree again after a set-back.
 */
const clockError = async (app: App, latest: number): Promise<number> => {
  if (app.moment() !== databaseMoment) return latest - app.now();
  const { rows } = await sql<{ at: number }>`select ${databaseMoment} as at`.execute(
    app.store.read,
  );
  return Math.abs(Number(rows[0]?.at) - app.now());
};

const clockFault = async (app: App, latest: number): Promise<string | null> => {
  const tolerance = app.options['clock-tolerance'];
  if (tolerance === 0) return null;
  // Without a database there is nothing to compare with, and its own fault is reported.
  const error = await clockError(app, latest).catch(() => 0);
  if (error <= tolerance) return null;
  const seconds = Math.round(error / 1000);
  return app.store.shared
    ? `This machine's clock is ${seconds} s away from the database's. Synchronise both.`
    : `This machine's clock is ${seconds} s behind a time that is already recorded. Set it, or raise --clock-tolerance if the recorded time was wrong.`;
};

/** Sentences by part, in the order of the answer. Null: the part is well. */
export const faultsOf = async (app: App, latest = app.uploads.now()) => {
  const [database, files, disk_space, clock] = await Promise.all([
    databaseFault(app),
    filesFault(app),
    diskSpaceFault(app),
    clockFault(app, latest),
  ]);
  return Object.entries({ database, files, disk_space, clock });
};

export const addHealth = (server: FastifyInstance, app: App): void => {
  const checkName = ownNames(app.options);
  let latest = app.uploads.now();
  server.get('/healthz', async (request, reply) => {
    checkName(request);
    latest = Math.max(latest, app.now());
    const failing = (await faultsOf(app, latest)).filter(([, fault]) => fault !== null);
    if (failing.length === 0) return reply.send({ status: 'ok' });
    return reply.code(503).send({
      status: 'failing',
      failing: failing.map(([name]) => name),
      detail: failing.map(([, fault]) => fault).join(' '),
    });
  });
  server.get('/readyz', async (request, reply) => {
    checkName(request);
    const fault = app.stopping() ? 'The service is stopping.' : await databaseFault(app);
    if (fault === null) return reply.send({ status: 'ready' });
    return reply.code(503).send({ status: 'not ready', detail: fault });
  });
};
