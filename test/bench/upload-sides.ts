/**
 * The senders of files: our host from its spool to the service, and the peers from a folder, each with client and server in
 * separate processes.
 */
import { randomFillSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { driveHost } from '../support/host-driver.ts';
import { headersOf, listOf } from './databases.ts';
import { usage } from './machine.ts';
import { type Running, startPeer, startService, type ServiceLine } from './processes.ts';

const MIB = 1024 * 1024;
/** Concurrent files, as many as the window sends (renderer/outbox/engine/engine.ts). */
const AT_ONCE = 6;
/** How long a delivery is retried, milliseconds; the window would wait longer between attempts. */
const PATIENCE = 600_000;

export interface Files {
  readonly count: number;
  /** Bytes per file. */
  readonly size: number;
}

const inTurns = async <T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<number> => {
  const waiting = [...all];
  const began = performance.now();
  const lane = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, all.length) }, lane));
  return performance.now() - began;
};

interface Sent {
  readonly ms: number;
  /** CPU time, seconds. */
  readonly client_s: number;
  readonly server_s: number;
}

const spent = async (
  client: number,
  server: number,
  work: () => Promise<number>,
): Promise<Sent> => {
  const before = [usage(client).cpu_s, usage(server).cpu_s] as const;
  const ms = await work();
  return {
    ms,
    client_s: usage(client).cpu_s - before[0],
    server_s: usage(server).cpu_s - before[1],
  };
};

export interface Sender {
  /** The port that it sends to. */
  readonly port: number;
  /** Makes the files, then sends them, optionally through another port; returns only the time of sending. */
  send(files: Files, port?: number): Promise<Sent>;
  end(): Promise<void>;
}

/**
 * Our sender: both hashes of every segment at both ends, each upload attached to its own near miss, its bytes read back and
 * compared, until the last receipt. The form's earlier work, spooling and first hashes, is not counted.
 */
export const openOurs = async (folder: string): Promise<Sender> => {
  const service = await startService(join(folder, 'service'));
  const { first } = service;
  const headers = { ...headersOf(first), 'content-type': 'application/json' };
  const host = await driveHost(join(folder, 'host'));
  const port = Number(new URL(first.url).port);
  const incident_id = await anIncident(first);

  const connect = (to: number) => {
    const { token, company_id, project_id } = first;
    const address = `http://127.0.0.1:${to}`;
    const seat = { kind: 'server', address, token, company_id, project_id } as const;
    return host.call('session.connect', seat);
  };
  const spool = async (size: number): Promise<string> => {
    const photo_id = ulid();
    await host.call('photos.begin', { photo_id, filename: 'site.jpg', size });
    for (let offset = 0; offset < size; offset += MIB) {
      const bytes = randomFillSync(new Uint8Array(Math.min(MIB, size - offset)));
      if (offset === 0) bytes.set([0xff, 0xd8, 0xff, 0xe0]);
      await host.call('photos.write', { photo_id, offset }, bytes);
    }
    await host.call('photos.finish', { photo_id });
    return photo_id;
  };
  const deliver = async (photo_id: string): Promise<void> => {
    const near_miss = { incident_id, description: 'Of a measurement' };
    const made = await fetch(first.url + listOf(first), {
      method: 'POST',
      headers,
      body: JSON.stringify({ near_miss }),
    });
    const { id } = (await made.json()) as { id: number };
    const { company_id, project_id } = first;
    const to = { kind: 'near_miss', id, not_uploads: [] } as const;
    const job = { photo_id, company_id, project_id, to, key: ulid(), outcome_unknown: false };
    const began = performance.now();
    for (;;) {
      const done = await host.reply('photos.deliver', job);
      if (done.ok) return;
      const again = ['offline', 'timeout', 'broken_reply'].includes(done.problem.kind);
      if (!again || performance.now() - began > PATIENCE)
        throw new Error(JSON.stringify(done.problem));
    }
  };
  return {
    port,
    send: async ({ count, size }, to = port) => {
      await connect(to);
      const ids: string[] = [];
      for (let n = 0; n < count; n += 1) ids.push(await spool(size));
      return spent(host.pid, service.child.pid ?? 0, () => inTurns(ids, deliver));
    },
    end: async () => {
      await host.end();
      await service.end();
    },
  };
};

const anIncident = async (service: ServiceLine): Promise<number> => {
  const path = listOf(service).replace('incidents/near_misses', 'catalog');
  const answer = await fetch(service.url + path, { headers: headersOf(service) });
  const { incidents } = (await answer.json()) as { incidents: { id: number }[] };
  return incidents[0]?.id ?? 0;
};

/** @param name prefix of the peer's two files */
const openPeer = async (name: string, folder: string, args: readonly string[]): Promise<Sender> => {
  const there = join(folder, `${name}-files`);
  mkdirSync(there, { recursive: true });
  const server: Running<{ readonly port: number }> = await startPeer(1, `${name}-server.js`, [
    there,
  ]);
  const client = await startPeer<{ readonly ms: number }>(0, `${name}-client.js`, args);
  let made = 0;
  return {
    port: server.first.port,
    send: async ({ count, size }, to = server.first.port) => {
      const paths = Array.from({ length: count }, () => {
        const path = join(folder, `${name}-${(made += 1)}.jpg`);
        writeFileSync(path, randomFillSync(new Uint8Array(size)));
        return path;
      });
      const url = `http://127.0.0.1:${to}`;
      const job = JSON.stringify({ url, paths, at_once: AT_ONCE });
      const pids = [client.child.pid ?? 0, server.child.pid ?? 0] as const;
      return spent(...pids, async () => (await client.next(job)).ms);
    },
    end: async () => {
      await client.end();
      await server.end();
    },
  };
};

/** tus-js-client into @tus/server. @param chunk bytes per request; 0: whole files */
export const openTus = (folder: string, chunk: number): Promise<Sender> =>
  openPeer('tus', folder, [String(chunk)]);

/** lib-storage of the AWS SDK into s3rver, a server for tests. */
export const openSdk = (folder: string): Promise<Sender> => openPeer('sdk', folder, []);
