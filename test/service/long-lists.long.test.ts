/** A page of 10,000 large records is streamed while it is read: it blocks nobody and is never one string (failures S28). */
import { expect, it, onTestFinished } from 'vitest';
import { insertNearMisses } from '../../src/service/store/near-misses/near-misses.ts';
import { startTestService } from '../support/service.ts';

const list = '~/incidents/near_misses';

it('failures S28: a long page of large records comes in parts; others are answered meanwhile; it is the page asked for', async () => {
  const t = await startTestService();
  onTestFinished(() => t.stop());
  const { store } = t.service.app;
  const [like] = await store.read.selectFrom('near_misses').selectAll().limit(1).execute();
  if (!like) throw new Error('the demo has no near miss');
  const text = 'a long report '.repeat(3500);
  for (let at = 0; at < 300; at += 100)
    await store.write((tx) =>
      insertNearMisses(
        tx,
        Array.from({ length: 100 }, (_, n) => ({
          ...like,
          id: 1_000_000 + at + n,
          number: 1_000_000 + at + n,
          attachment_count: 0,
          deleted_at: null,
          description: text,
          description_plain_text: text,
          search: '',
        })),
      ),
    );
  const response = await fetch(
    `${t.url}/rest/v1.0/projects/${t.demo.project_id}/incidents/near_misses?per_page=10000&sort=number`,
    {
      headers: {
        authorization: `Bearer ${t.demo.token}`,
        'service-company-id': String(t.demo.company_id),
      },
    },
  );
  expect(response.status).toBe(200);
  const total = Number(response.headers.get('total'));
  expect([response.headers.get('per-page'), total > 500]).toEqual(['10000', true]);
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  const first = await reader?.read();
  if (first?.value) chunks.push(first.value);
  // The client has read a little of thirty megabytes and pauses; others are answered.
  expect((await t.demo.get('/rest/v1.0/me')).status).toBe(200);
  const other = await t.demo.patch(`${list}/1000299`, { near_miss: { description: 'changed' } });
  expect(other.status).toBe(200);
  for (let more = await reader?.read(); more?.value; more = await reader?.read())
    chunks.push(more.value);
  const rows = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
    id: number;
    number: number;
    description: string;
  }[];
  expect(rows).toHaveLength(total);
  const numbers = rows.map(({ number }) => number);
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  // Read after the change: rows that are not yet sent are not yet in memory.
  expect(rows.at(-1)).toMatchObject({ id: 1_000_299, description: 'changed' });
  const short = (await t.demo.get(`${list}?per_page=50&sort=number`)).json as { id: number }[];
  const long = (await t.demo.get(`${list}?per_page=150&sort=number`)).json as { id: number }[];
  expect(long.slice(0, 50).map(({ id }) => id)).toEqual(short.map(({ id }) => id));
}, 300_000);

it('failures S28: a client that goes away in the middle of one costs nothing more', async () => {
  const t = await startTestService();
  onTestFinished(() => t.stop());
  const abort = new AbortController();
  const response = await fetch(
    `${t.url}/rest/v1.0/projects/${t.demo.project_id}/incidents/near_misses?per_page=250`,
    {
      signal: abort.signal,
      headers: {
        authorization: `Bearer ${t.demo.token}`,
        'service-company-id': String(t.demo.company_id),
      },
    },
  );
  expect(response.status).toBe(200);
  abort.abort();
  expect((await t.demo.get(`${list}?per_page=250`)).json).toHaveLength(250);
});
