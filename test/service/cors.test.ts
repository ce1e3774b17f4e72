/** [ours] CORS (decisions §1.8): pages of listed origins may call the API, all others may not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseOptions } from '../../src/service/options.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { slow } from '../support/slow.ts';

const BOARD = 'https://board.example';
const OTHER = 'http://localhost:5173';
const LIST = '~/incidents/near_misses';

let t: TestService;
beforeAll(async () => {
  t = await startTestService({ 'allowed-origins': `${BOARD}, ${OTHER}` });
});
afterAll(() => t.stop());

const corsOf = ({ headers }: { readonly headers: Headers }) =>
  [...headers].filter(([name]) => name.startsWith('access-control-'));

const preflight = (origin: string, path: string, method = 'PATCH') =>
  fetch(t.url + path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,service-company-id',
    },
  });
const path = () => `/rest/v1.0/projects/${t.demo.project_id}/incidents/near_misses`;

describe('decisions §1.8: a listed origin', () => {
  it('decisions §1.8: a preflight is answered without a token, with the methods and headers of the API', async () => {
    for (const origin of [BOARD, OTHER])
      for (const to of [path(), '/vapid/webhooks/hooks', '/storage/segments/1/x/0', '/rest/none']) {
        const answer = await preflight(origin, to);
        expect([answer.status, await answer.text()], to).toEqual([204, '']);
        expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
        expect(answer.headers.get('access-control-allow-methods')).toContain('PATCH');
        const allowed = answer.headers.get('access-control-allow-headers')?.split(', ');
        expect(allowed).toEqual(
          expect.arrayContaining(['Authorization', 'Service-Company-Id', 'Idempotency-Key']),
        );
        expect(answer.headers.get('access-control-max-age')).toBe('600');
        expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
        expect(answer.headers.get('vary')).toBe('Origin');
      }
  });

  it('decisions §1.8: answers and refusals name the origin, and the headers that a page may read', async () => {
    const listed = await t.demo.get(`${LIST}?per_page=10`, { origin: BOARD });
    const refused = await t.demo.get(LIST, { origin: BOARD, authorization: '' });
    const unknown = await t.demo.get('/rest/v9', { origin: BOARD });
    expect([listed, refused, unknown].map(({ status }) => status)).toEqual([200, 401, 404]);
    for (const answer of [listed, refused, unknown]) {
      expect(answer.headers.get('access-control-allow-origin')).toBe(BOARD);
      expect(answer.headers.get('access-control-expose-headers')).toContain(
        'Link, Per-Page, Total',
      );
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    }
    // A list that is long enough to be compressed varies by both.
    expect(listed.headers.get('vary')).toMatch(/^Origin, accept-encoding$/i);
    const made = await t.demo.post('~/incidents', { incident: { title: 'x' } }, { origin: OTHER });
    expect([made.status, made.headers.get('access-control-allow-origin')]).toEqual([201, OTHER]);
  });

  it('decisions §1.8: a request without an origin is answered as before', async () => {
    const answer = await t.demo.get(LIST);
    expect([answer.status, corsOf(answer)]).toEqual([200, []]);
    expect(answer.headers.get('vary')).toContain('Origin');
  });

  slow('decisions §1.8: pages that ask for no token stay closed', async () => {
    for (const page of ['/healthz', '/readyz', '/openapi.json', '/docs/', '/metrics']) {
      const answer = await fetch(t.url + page, { headers: { origin: BOARD } });
      expect([answer.status, corsOf(answer)], page).toEqual([200, []]);
      expect((await preflight(BOARD, page, 'GET')).status, page).toBe(405);
    }
  });
});

describe('decisions §1.8: every other origin', () => {
  it.each([
    'https://board.example.evil.example',
    'http://board.example',
    'https://board.example:8443',
    'https://BOARD.example',
    'null',
    '*',
  ])('decisions §1.8: %s gets no header, and its preflight is a 405', async (origin) => {
    const asked = await preflight(origin, path());
    expect([asked.status, corsOf(asked)]).toEqual([405, []]);
    expect(corsOf(await t.demo.get(LIST, { origin }))).toEqual([]);
  });

  it('decisions §1.8: without the option there is no CORS header and no Vary', async () => {
    const own = await startTestService();
    try {
      const answer = await own.demo.get(LIST, { origin: BOARD });
      expect([answer.status, corsOf(answer)]).toEqual([200, []]);
      expect(answer.headers.get('vary') ?? '').not.toContain('Origin');
      const asked = await fetch(own.url + path(), {
        method: 'OPTIONS',
        headers: { origin: BOARD, 'access-control-request-method': 'GET' },
      });
      expect([asked.status, corsOf(asked)]).toEqual([405, []]);
    } finally {
      await own.stop();
    }
  });
});

describe('decisions §1.8: the option', () => {
  it('decisions §1.8: it is read from the command line and the environment', () => {
    const flag = parseOptions([`--allowed-origins=${BOARD}`]);
    const variable = parseOptions([], { SPOTTER_ALLOWED_ORIGINS: `${BOARD},${OTHER}` });
    expect(flag['allowed-origins']).toBe(BOARD);
    expect(variable['allowed-origins']).toBe(`${BOARD},${OTHER}`);
    expect(parseOptions([])['allowed-origins']).toBe('');
  });

  it.each([
    '*',
    'null',
    'board.example',
    'https://board.example/',
    'https://board.example/app',
    'https://user:secret@board.example',
    'https://*.example',
    'ftp://board.example',
    'https://board.example https://two.example',
    'https://board.example:443',
  ])('decisions §1.8: %s is refused before the start', (origins) => {
    expect(() => parseOptions([`--allowed-origins=${origins}`])).toThrow(
      /--allowed-origins must be/,
    );
  });
});
