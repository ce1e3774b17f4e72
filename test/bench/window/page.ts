/** The window's own code without its screens, for the measurement `drain`. */
import { ulid } from 'ulid';
import { refreshCatalog } from '../../../src/renderer/data/db/catalog.ts';
import { host } from '../../../src/renderer/host/client.ts';
import { windowClock } from '../../../src/renderer/outbox/clock.ts';
import { openDb } from '../../../src/renderer/outbox/queue/open.ts';
import { history } from '../../../src/renderer/data/near-misses/history.ts';
import { startWindow } from '../../../src/renderer/outbox/start.ts';
import { cacheMany } from '../../support/renderer-cache.ts';
import { queueMany } from '../../support/renderer-queue.ts';

interface Server {
  readonly url: string;
  readonly token: string;
  readonly company_id: number;
  readonly project_id: number;
}

const must = <T>(answer: { ok: true; value: T } | { ok: false; problem: unknown }): T => {
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
  return answer.value;
};

/** Connects to a server and reads its catalog, without an engine. */
const connect = async (server: Server) => {
  const { url: address, token, company_id, project_id } = server;
  const session = must(
    await host.call('session.connect', { kind: 'server', address, token, company_id, project_id }),
  );
  const { db } = must(await openDb());
  const deps = { db, host, clock: await windowClock(db), history };
  const scope = { account: session.account ?? '', company_id, project_id };
  const { catalog } = must(await refreshCatalog(deps, scope));
  return { deps, scope, catalog };
};

/** Fills the cache with a project of `count` near misses, as a refresh would. */
const cache = async (server: Server, count: number): Promise<void> => {
  const { deps, scope, catalog } = await connect(server);
  await cacheMany(deps.db, scope, catalog, count, Date.now());
  deps.db.close();
};

/** Connects, reads the catalog, and queues `count` near misses as the form does, without an engine. */
const queue = async (server: Server, count: number, photos = 0, size = 0): Promise<void> => {
  const { deps, scope, catalog } = await connect(server);
  const facts = [];
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  for (let n = 0; n < photos; n += 1) {
    // Each has different bytes after a JPEG's first ones, written through the host into the spool as the form does.
    bytes.set([0xff, 0xd8, 0xff, 0xe0, n & 255, n >> 8]);
    facts.push(must(await host.sendPhoto(new Blob([bytes]), ulid(), `IMG_${n}.jpg`)));
  }
  await queueMany(deps, scope, catalog, count, facts);
  deps.db.close();
};

/** From the engine's start until every record is settled in database and journal. Milliseconds. */
const drain = async (): Promise<{ ms: number; left: number; journal: number }> => {
  const answer = await startWindow(host, { history });
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
  const began = performance.now();
  const { db, engine } = answer.value;
  while ((await db.operations.count()) > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  await engine.stop();
  const ms = performance.now() - began;
  const left = (await db.operations.count()) + (await db.tombstones.count());
  const journal = must(await host.call('journal.list', {})).operations.length;
  db.close();
  return { ms, left, journal };
};

Object.assign(globalThis, { bench: { cache, queue, drain } });
