/** `/openapi.json` and `/docs`: decisions §10. */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyEndpoint, endpointNames, endpoints } from '../../src/contract/rest/index.ts';
import { chromiumFlags, findChromium } from '../../src/setup/chromium.ts';
import { openApiDocument } from '../../src/service/http/openapi/openapi.ts';
import { checkAnswer } from '../support/openapi.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** This machine's Chromium, else Playwright's. */
const browserPath = [findChromium() ?? '', chromium.executablePath()].find((path) =>
  existsSync(path),
);
const needs = browserPath === undefined ? ' (needs a Chromium)' : '';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const exampleIn = (described: unknown): unknown =>
  (described as { content: Record<string, { example: unknown }> }).content['application/json']
    ?.example;

describe('decisions §10: OpenAPI', () => {
  it('decisions §10: 3.1, every endpoint, additions marked', async () => {
    const document = (await (await fetch(`${t.url}/openapi.json`)).json()) as {
      openapi: string;
      paths: Record<
        string,
        Record<string, { operationId: string; 'x-extension'?: boolean; responses: object }>
      >;
    };
    expect(document.openapi).toMatch(/^3\.1\./);
    for (const name of endpointNames) {
      const { method, path, extension, status } = anyEndpoint(name);
      const operation = document.paths[path]?.[method.toLowerCase()];
      expect(operation?.operationId).toBe(name);
      expect(operation?.['x-extension'] === true, name).toBe(extension);
      expect(operation?.responses).toHaveProperty(String(status));
    }
    const operations = Object.values(document.paths).flatMap((path) => Object.keys(path));
    expect(operations).toHaveLength(endpointNames.length);
  });

  it('reference: ids in a path are integers, and texts in the v2.0 path; lists of ids say what they hold (reference R-endpoints-3, R-memberships-12)', async () => {
    const document = (await (await fetch(`${t.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, object>>;
    };
    const { path, method } = endpoints['project_memberships.bulk_remove'];
    expect(document.paths[path]?.[method.toLowerCase()]).toMatchObject({
      parameters: [
        { name: 'company_id', in: 'path', schema: { type: 'string' } },
        { name: 'project_id', in: 'path', schema: { type: 'string' } },
        { name: 'Service-Company-Id' },
        { name: 'Idempotency-Key' },
        { name: 'If-Match' },
      ],
      requestBody: {
        content: {
          'application/json': {
            schema: { properties: { party_ids: { type: 'array', items: { type: 'integer' } } } },
          },
        },
      },
    });
    expect(document.paths[endpoints['insurances.show'].path]?.['get']).toMatchObject({
      parameters: [
        { name: 'project_id', schema: { type: 'integer' } },
        { name: 'vendor_id', schema: { type: 'integer' } },
        { name: 'id', schema: { type: 'integer' } },
        { name: 'Service-Company-Id' },
        { name: 'If-None-Match' },
      ],
    });
  });

  it('every body and answer has an example that its own schema takes', () => {
    const document = openApiDocument() as {
      paths: Record<string, Record<string, Record<string, unknown>>>;
    };
    for (const name of endpointNames) {
      const spec = anyEndpoint(name);
      const operation = document.paths[spec.path]?.[spec.method.toLowerCase()];
      if (spec.body.def.type !== 'undefined') {
        const parsed = spec.body.safeParse(exampleIn(operation?.['requestBody']));
        expect(parsed.error, `${name}: request`).toBeUndefined();
      }
      if (spec.status === 204) continue;
      const responses = operation?.['responses'] as Record<string, unknown>;
      const parsed = spec.reply.safeParse(exampleIn(responses[String(spec.status)]));
      expect(parsed.error, `${name}: answer`).toBeUndefined();
    }
  });

  it('an answer that the document does not describe fails the test that asked', () => {
    const got = {
      method: 'GET',
      url: `${t.url}/rest/v1.0/me`,
      headers: new Headers({ etag: '"x"' }),
    };
    const good = JSON.stringify({
      id: 1,
      login: 'a',
      name: 'A',
      user: { id: 1, login: 'a', name: 'A' },
      companies: [],
      token: { id: '3f9c2a7b10de', name: null, expires_at: null },
      projects: [],
    });
    expect(() => checkAnswer({ ...got, status: 200, text: good })).not.toThrow();
    expect(() => checkAnswer({ ...got, status: 200, text: '{}' })).toThrow(/not as OpenAPI says/);
    expect(() => checkAnswer({ ...got, status: 202, text: good })).toThrow(/does not name/);
    expect(() => checkAnswer({ ...got, status: 404, text: '{"error":1}' })).toThrow(
      /not as OpenAPI/,
    );
    const unknown = { ...got, url: `${t.url}/rest/v1.0/unknown` };
    expect(() => checkAnswer({ ...unknown, status: 200, text: '' })).toThrow(/not in OpenAPI/);
  });

  it('decisions §10: no $ref leads nowhere', async () => {
    const text = await (await fetch(`${t.url}/openapi.json`)).text();
    const document = JSON.parse(text) as Record<string, unknown>;
    for (const [, ref = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      let at: unknown = document;
      for (const step of ref.split('/')) at = (at as Record<string, unknown> | undefined)?.[step];
      expect(at, ref).toBeDefined();
    }
  });

  it.skipIf(needs !== '')(
    `decisions §10: /docs shows it in a browser and asks nobody but this service${needs}`,
    async () => {
      const browser = await chromium.launch({
        executablePath: browserPath,
        args: chromiumFlags(),
      });
      try {
        const page = await browser.newPage();
        const asked: string[] = [];
        page.on('request', (request) => asked.push(request.url()));
        await page.goto(`${t.url}/docs`);
        await page.getByText('Create a near miss').first().waitFor();
        // Scalar's developer tools, which it shows on loopback addresses only.
        expect(await page.getByText('Developer Tools').count()).toBe(0);
        const elsewhere = asked.filter(
          (url) => !url.startsWith(t.url) && !/^(data|blob):/.test(url),
        );
        expect(elsewhere).toEqual([]);
        expect(asked).toContain(`${t.url}/openapi.json`);
      } finally {
        await browser.close();
      }
    },
  );
});
