/** Failures S50: held-back bodies take bounded memory, per token and in total, and release it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { rawConnection } from '../support/raw-request.ts';
import { type Client, startTestService, type TestService } from '../support/service.ts';

const KIB = 1024;

let t: TestService;
beforeAll(async () => {
  t = await startTestService({ 'bodies-per-token': 200 * KIB, 'bodies-in-all': 300 * KIB });
});
afterAll(() => t.stop());

/** Sends 90 of a body's 100 KiB, and no more. @param scheme as this client writes it */
const holdBack = ({ token, company_id, project_id }: Client, scheme = 'Bearer ') => {
  const { socket } = rawConnection(t.service.port);
  socket.write(
    `POST /rest/v1.0/projects/${project_id}/incidents HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${scheme}${token}\r\n` +
      `Service-Company-Id: ${company_id}\r\nContent-Type: application/json\r\nContent-Length: ${100 * KIB}\r\n\r\n` +
      `{"incident":{"title":"held","description":"${'x'.repeat(90 * KIB)}`,
  );
  return socket;
};

const open = (client: Client, kib: number) =>
  client.post('~/incidents', { incident: { title: 'long', description: 'x'.repeat(kib * KIB) } });

it('failures S50: beyond one token’s bytes a 429, beyond all a 503; small bodies pass, and all pass afterwards', async () => {
  const { demo, other } = t;
  const refused = (client: Client, status: number) =>
    eventually(async () => {
      const answer = await open(client, 40);
      expect(answer.status).toBe(status);
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(answer.json.errors).toHaveLength(1);
    });
  const held = [holdBack(demo), holdBack(demo, 'bearer   ')];
  await refused(demo, 429);
  held.push(holdBack(other));
  await refused(other, 503);
  expect((await open(demo, 1)).status).toBe(201);
  for (const socket of held) socket.destroy();
  await eventually(async () => expect((await open(demo, 60)).status).toBe(201));
  // The accounted memory is released each time.
  for (let turn = 0; turn < 8; turn += 1) expect((await open(demo, 60)).status).toBe(201);
});
