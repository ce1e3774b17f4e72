/** A bucket that is unreachable while the service runs: the responses to clients, and the health for operators. */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { credentials, startBucket } from '../support/s3.ts';
import { startTestService, testClock } from '../support/service.ts';
import { startCuttingProxy } from '../support/cutting-proxy.ts';
import { post, random } from './uploads/support.ts';
import { slow } from '../support/slow.ts';

beforeAll(() => {
  Object.assign(process.env, credentials);
});

/** Accepts connections and stays silent. */
const startSilence = async (): Promise<number> => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
};

const start = async () => {
  const bucket = await startBucket();
  const good = Number(new URL(bucket.endpoint).port);
  let target = good;
  const way = await startCuttingProxy(() => target);
  onTestFinished(() => way.close());
  const address = bucket.address.replace(bucket.endpoint, `http://127.0.0.1:${way.port}`);
  const t = await startTestService({ 'file-store': address }, testClock(Date.now()));
  onTestFinished(() => t.stop());
  /** Ends open connections, so that the next request goes to the new target. */
  const lead = (port: number): void => {
    target = port;
    way.reachable(false);
    way.reachable(true);
  };
  return { t, way, lead, good };
};

slow(
  'decisions §10: /healthz is a 503 soon, not never, while the bucket does not answer',
  async () => {
    const { t, lead, good } = await start();
    const health = async () => (await fetch(`${t.url}/healthz`)).status;
    expect(await health()).toBe(200);
    lead(await startSilence());
    const signal = AbortSignal.timeout(30_000);
    expect((await fetch(`${t.url}/healthz`, { signal })).status).toBe(503);
    lead(good);
    expect(await health()).toBe(200);
  },
);

it('decisions §1.2: a photo whose bucket is away is a 503 that says when to ask again', async () => {
  const { t, way } = await start();
  const uploads = `/rest/v1.1/companies/${t.demo.company_id}/uploads`;
  const form = (await t.demo.post(uploads, { response_filename: 'a.bin' })).json;
  await post(form, random(2000));
  const near_miss = { incident_id: 1, description: 'kept', upload_uuids: [form.uuid] };
  const made = await t.demo.post('~/incidents/near_misses', { near_miss });
  const { url } = made.json.attachments[0];
  expect((await fetch(url)).status).toBe(200);
  way.reachable(false);
  const away = await fetch(url);
  expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5']);
  const next = (await t.demo.post(uploads, { response_filename: 'b.bin' })).json;
  expect((await t.demo.get(`${uploads}/${next.uuid}`)).status).toBe(503);
  way.reachable(true);
  expect((await fetch(url)).status).toBe(200);
});
