/**
 * A refresh of 250 near misses over a slow line: bytes and time of a plain response, a compressed one, and "not changed". The
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

interface Measured {
  readonly what: string;
  readonly bytes: number;
  readonly ms: number;
}

const measure = async (what: string, above: number, times: number): Promise<Measured[]> => {
  const service = await startTestService({ 'compress-above': above }, undefined, true);
  const line = await slowLine(Number(new URL(service.url).port));
  const transport = createTransport(usualLimits);
  const large = createLargeReplies(REPLY_WORKER);
  const api = createApi(transport, systemClock, large);
  const { token, company_id, project_id } = service.demo;
  const target = { base: line.url, token, company_id };
  const measured: Measured[] = [];
  for (let n = 0; n < times; n += 1) {
    line.counted.bytes = 0;
    const began = performance.now();
    for (const name of ['near_misses.list', 'recycled_near_misses.list'] as const) {
      const answer = await api.call(target, name, {
        params: { project_id },
        query: { per_page: '500' } as never,
      });
      if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
    }
    const ms = Math.round(performance.now() - began);
    const again = n === 0 ? '' : ', again';
    measured.push({ what: what + again, bytes: line.counted.bytes, ms });
  }
  await transport.stop();
  await large.stop();
  line.close();
  await service.stop();
  return measured;
};

export const refresh = async (): Promise<void> => {
  const rows = [...(await measure('as it is', 0, 1)), ...(await measure('packed', 1024, 3))];
  console.table(rows);
  keep('refresh', {
    machine: machine(),
    bits_per_second: BITS_PER_SECOND,
    delay_ms: DELAY_MS,
    rows,
  });
};
