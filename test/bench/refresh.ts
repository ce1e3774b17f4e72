/**
 * Refreshes over a slow line: of 250 near misses, a plain response, a compressed one, and "not changed"; of a large project
 * after a day offline, everything and only what changed (`BENCH_COUNT`, `BENCH_CHANGED`: near misses, and changes of a day). The
 * line is a TCP relay in this process with a limited bit rate each way.
 */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../src/host/lib/clock.ts';
import { createLargeReplies } from '../../src/host/http/parse-in-worker.ts';
import { REPLY_WORKER } from '../../src/host/http/reply-worker-source.ts';
import { createApi } from '../../src/host/http/request.ts';
import { createTransport, usualLimits } from '../../src/host/http/http-client.ts';
import { seedNearMisses } from '../support/seed.ts';
import { startTestService } from '../support/service.ts';
import { keep, machine } from './machine.ts';

const BITS_PER_SECOND = 1_000_000;
/** One-way delay, milliseconds. */
const DELAY_MS = 20;

/** A slow line to `port` that counts the bytes of the responses. */
const slowLine = async (port: number) => {
  const counted = { bytes: 0 };
  const sockets = new Set<Socket>();
  const carry = async (from: Socket, to: Socket, back: boolean): Promise<void> => {
    // Time when the line is free again, so that late timers do not slow it.
    let free = 0;
    for await (const chunk of from as AsyncIterable<Buffer>)
      for (let at = 0; at < chunk.length; at += 1400) {
        const part = chunk.subarray(at, at + 1400);
        if (back) counted.bytes += part.length;
        const now = performance.now();
        free = Math.max(free, now - 50) + (part.length * 8 * 1000) / BITS_PER_SECOND;
        if (free > now) await pause(free - now);
        setTimeout(() => to.write(part), DELAY_MS);
      }
    setTimeout(() => to.end(), DELAY_MS);
  };
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port, host: '127.0.0.1', noDelay: true });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    void carry(near, far, false).catch(() => far.destroy());
    void carry(far, near, true).catch(() => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counted,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};

/** Near misses of the large project, and how many of them change in a day. */
const COUNT = Number(process.env['BENCH_COUNT'] ?? 100_000);
const CHANGED = Math.min(COUNT, Number(process.env['BENCH_CHANGED'] ?? 200));
/** As the window asks (data/near-misses/refresh.ts, follow.ts). */
const PAGE_SIZE = 500;

interface Measured {
  readonly what: string;
  readonly requests: number;
  readonly bytes: number;
  readonly ms: number;
}

/** A service behind the slow line, and our host's client of it. */
const openLine = async (above: number) => {
  const service = await startTestService({ 'compress-above': above }, undefined, true);
  const line = await slowLine(Number(new URL(service.url).port));
  const transport = createTransport(usualLimits);
  const large = createLargeReplies(REPLY_WORKER);
  const api = createApi(transport, systemClock, large);
  const { token, company_id, project_id } = service.demo;
  const target = { base: line.url, token, company_id };
  const list = async (name: ListName, query: Record<string, unknown>) => {
    const answer = await api.call(target, name, { params: { project_id }, query: query as never });
    if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
    return answer.value;
  };
  /** Bytes of the answers, and time. */
  const timed = async (what: string, work: () => Promise<number>): Promise<Measured> => {
    line.counted.bytes = 0;
    const began = performance.now();
    const requests = await work();
    return {
      what,
      requests,
      bytes: line.counted.bytes,
      ms: Math.round(performance.now() - began),
    };
  };
  const end = async (): Promise<void> => {
    await transport.stop();
    await large.stop();
    line.close();
    await service.stop();
  };
  return { service, list, timed, end };
};
type ListName = 'near_misses.list' | 'recycled_near_misses.list';

const measure = async (what: string, above: number, times: number): Promise<Measured[]> => {
  const { list, timed, end } = await openLine(above);
  const measured: Measured[] = [];
  for (let n = 0; n < times; n += 1)
    measured.push(
      await timed(n === 0 ? what : `${what}, again`, async () => {
        for (const name of ['near_misses.list', 'recycled_near_misses.list'] as const)
          await list(name, { per_page: '500' });
        return 2;
      }),
    );
  await end();
  return measured;
};

/** A laptop comes back after a day: every page of the project, and what changed since the last change it knows. */
const afterADay = async (): Promise<Measured[]> => {
  const { service, list, timed, end } = await openLine(1024);
  const { demo } = service;
  await seedNearMisses(service.service.app.store, demo, COUNT);
  const step = Math.floor((COUNT * 0.8) / CHANGED);
  const [last] = (await list('near_misses.list', { sort: '-updated_at', per_page: 1 })).data;
  for (let n = 0; n < CHANGED; n += 1) {
    const [one] = (await list('near_misses.list', { per_page: 1, page: 1 + n * step })).data;
    const { status, text } = await demo.patch(`~/incidents/near_misses/${one?.id}`, {
      near_miss: { description: `Checked on day ${n}` },
    });
    if (status !== 200) throw new Error(text);
  }
  const all = await timed('a large project, every page', async () => {
    const pages = Math.ceil(COUNT / PAGE_SIZE);
    for (let page = 1; page <= pages; page += 1)
      await list('near_misses.list', { page, per_page: PAGE_SIZE });
    return pages;
  });
  const changed = await timed('a large project, what changed in a day', async () => {
    let [at, after_id, requests] = [last?.updated_at ?? '', last?.id ?? 0, 0];
    for (;;) {
      const filters = { updated_at: `${at}...` };
      const follow = { sort: 'updated_at', include_deleted: true, filters, after_id };
      const { data, paging } = await list('near_misses.list', { ...follow, per_page: PAGE_SIZE });
      requests += 1;
      const end = data.at(-1);
      if (end === undefined || (paging?.total ?? 0) <= data.length) return requests;
      [at, after_id] = [end.updated_at ?? '', end.id];
    }
  });
  await end();
  return [all, changed];
};

export const refresh = async (): Promise<void> => {
  const rows = [
    ...(await measure('as it is', 0, 1)),
    ...(await measure('packed', 1024, 3)),
    ...(await afterADay()),
  ];
  console.table(rows);
  keep('refresh', {
    machine: machine(),
    bits_per_second: BITS_PER_SECOND,
    delay_ms: DELAY_MS,
    rows,
  });
};
