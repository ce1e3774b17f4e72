/**
 * Caddy and nginx of Debian with the configurations of resources/server, TLS, and two service processes on one PostgreSQL behind
 * them: what a laptop does through a proxy (decisions §10).
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { request, type RequestOptions } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canMakeCertificates } from '../../support/certificate.ts';
import { debianProgram } from '../../support/debian.ts';
import { caddy, NAME, nginx, startProxied, type Proxied } from '../../support/proxied-services.ts';
import { tempDir } from '../../support/service.ts';
import { walkThrough } from '../../support/walk-through.ts';

const PUBLIC = `https://${NAME}`;
const MIB = 1024 ** 2;

const proxies = [
  {
    name: 'caddy',
    start: caddy,
    program: await debianProgram('caddy', '/usr/bin/caddy', ['version']),
  },
  { name: 'nginx', start: nginx, program: await debianProgram('nginx', '/usr/sbin/nginx', ['-v']) },
];

/** Bytes of all files below a folder. */
const bytesBelow = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, { parentPath, name }) =>
        sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );

for (const { name, start, program } of proxies) {
  const runs = program !== null && canMakeCertificates;
  describe.skipIf(!runs)(
    `behind ${name}${runs ? '' : ' (needs Debian’s package, and openssl)'}`,
    () => {
      let proxied: Proxied;
      beforeAll(async () => {
        proxied = await startProxied(start, program ?? '');
      }, 300_000);
      afterAll(() => proxied?.stop());

      const api = async (path: string, init: { method?: string; body?: unknown } = {}) => {
        const { token, company_id } = proxied.services[0].first;
        const answer = await proxied.send(path.startsWith('https:') ? path : PUBLIC + path, {
          method: init.method ?? (init.body === undefined ? 'GET' : 'POST'),
          headers: {
            authorization: `Bearer ${token}`,
            'service-company-id': String(company_id),
            'content-type': 'application/json',
          },
          ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
        });
        const text = await answer.text();
        const isJson = text.startsWith('{') || text.startsWith('[');
        // eslint-disable-next-line @typescript-eslint/no-explicit-any
        const json: any = isJson ? JSON.parse(text) : null;
        return { status: answer.status, headers: answer.headers, json };
      };
      const list = () =>
        `/rest/v1.0/projects/${proxied.services[0].first.project_id}/incidents/near_misses`;
      const announce = (body: object) =>
        api(`/rest/v1.1/companies/${proxied.services[0].first.company_id}/uploads`, { body });

      it('decisions §10: curl does the main job: segments, and a photo read back from its public address', async () => {
        const work = tempDir('proxied-work');
        const line = JSON.stringify({ ...proxied.services[0].first, url: PUBLIC });
        const id = await walkThrough(work.path, line, proxied.curl);
        work.remove();
        const { json } = await api(`${list()}/${id}`);
        const [{ url, thumbnail_url }] = json.attachments as [Record<string, string>];
        for (const address of [url, thumbnail_url]) expect(address).toMatch(`${PUBLIC}/`);
      });

      it('decisions §2.2: Link leads through the proxy, and its pages follow each other', async () => {
        const first = await api(`${list()}?per_page=100`);
        const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
        expect(next).toMatch(`${PUBLIC}/rest/`);
        const second = await api(next);
        expect([second.status, second.json.length]).toEqual([200, 100]);
        expect(second.json[0].id).not.toBe(first.json[0].id);
      });

      it('decisions §5.2: a large form post passes through as it arrives, and is not kept by the proxy', async () => {
        const { json } = await announce({ response_filename: 'long.mp4' });
        expect(json.url).toMatch(`${PUBLIC}/`);
        const half = Buffer.alloc(48 * MIB, 7);
        const before = Object.entries(json.fields as Record<string, string>)
          .map(
            ([key, value]) =>
              `--cut\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
          )
          .join('');
        const head = `${before}--cut\r\nContent-Disposition: form-data; name="file"; filename="long.mp4"\r\n\r\n`;
        const tail = '\r\n--cut--\r\n';
        const address = new URL(json.url as string);
        const options: RequestOptions = {
          socketPath: proxied.socket,
          servername: NAME,
          ca: readFileSync(proxied.cert),
          method: 'POST',
          path: address.pathname + address.search,
          headers: {
            host: NAME,
            'content-type': 'multipart/form-data; boundary=cut',
            'content-length': head.length + 2 * half.length + tail.length,
          },
        };
        const sending = request(options);
        const answered = once(sending, 'response');
        answered.catch(() => undefined);
        const had = bytesBelow(proxied.data);
        sending.write(head);
        sending.write(half);
        // The client has not ended: a proxy that collects the body first would hold it.
        await expect.poll(() => bytesBelow(proxied.data) - had).toBeGreaterThan(40 * MIB);
        sending.write(half);
        sending.end(tail);
        const [answer] = (await answered) as [{ statusCode: number; resume(): void }];
        answer.resume();
        expect(answer.statusCode).toBe(204);
        expect(bytesBelow(proxied.folder)).toBeLessThan(MIB);
      });

      it('decisions §10: pages without a token stay inside', async () => {
        for (const page of ['/metrics', '/healthz', '/readyz'])
          expect((await api(page)).status, page).toBe(404);
        expect((await api('/openapi.json')).status).toBe(200);
      });

      it('no client certificate is asked for', async () => {
        const { stdout } = await promisify(execFile)('bash', [
          '-c',
          'openssl s_client -unix "$1" -servername "$2" -CAfile "$3" -msg </dev/null 2>&1',
          'bash',
          proxied.socket,
          NAME,
          proxied.cert,
        ]);
        expect(stdout).toContain('Verify return code: 0 (ok)');
        expect(stdout).toContain('ServerHello');
        expect(stdout).not.toContain('CertificateRequest');
      });

      it('decisions §10, failures S51: one process stops, and no request is lost', async () => {
        const answered = (index: 0 | 1) =>
          proxied.services[index].stderr().split('"route":"/rest/').length - 1;
        for (let n = 0; n < 20; n += 1)
          expect((await api(`${list()}?per_page=1`)).status).toBe(200);
        expect(Math.min(answered(0), answered(1))).toBeGreaterThan(0);
        const { child } = proxied.services[0];
        const ended = proxied.services[0].end();
        const statuses: number[] = [];
        const near_miss = { incident_id: 1, description: 'one process stops' };
        const ask = async () => statuses.push((await api(list(), { body: { near_miss } })).status);
        while (child.exitCode === null) await ask();
        for (let n = 0; n < 20; n += 1) await ask();
        expect((await ended).code).toBe(0);
        expect(statuses.filter((status) => status !== 201)).toEqual([]);
      });
    },
  );
}
