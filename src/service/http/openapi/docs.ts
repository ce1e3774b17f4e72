/**
 * Serves `/openapi.json` and the page that shows it. The page's script is four megabytes, so it is loaded when the page is first
 * opened, in a separate server that never listens. The page's policy allows it to reach this service and nothing else.
 */
import Fastify, { type FastifyInstance } from 'fastify';
import type { Options } from '../../options.ts';
import { openApiDocument } from './openapi.ts';
import { ownNames } from '../pages/own-names.ts';
import type { Surface } from '../plain.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const openPages = async (): Promise<FastifyInstance> => {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const pages = Fastify();
  await pages.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Spotter API',
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      hideClientButton: true,
      showDeveloperTools: 'never',
      authentication: { preferredSecurityScheme: 'token' },
    },
  });
  await pages.ready();
  return pages;
};

export const addDocs = (server: FastifyInstance, surface: Surface, options: Options): void => {
  const checkName = ownNames(options);
  let document: string | undefined;
  server.get('/openapi.json', (request, reply) => {
    checkName(request);
    return reply
      .type('application/json; charset=utf-8')
      .send((document ??= JSON.stringify(surface.document(openApiDocument()))));
  });
  let pages: Promise<FastifyInstance> | undefined;
  const show = async (url: string) =>
    (await (pages ??= openPages())).inject({ method: 'GET', url });
  for (const url of ['/docs', '/docs/', '/docs/js/scalar.js'])
    server.get(url, async (request, reply) => {
      checkName(request);
      const page = await show(url);
      const type = page.headers['content-type'];
      const location = page.headers['location'];
      if (type !== undefined) reply.type(String(type));
      if (location !== undefined) reply.header('Location', location);
      return reply
        .code(page.statusCode)
        .header('Content-Security-Policy', POLICY)
        .send(page.rawPayload);
    });
  server.addHook('onClose', async () => {
    await (await pages)?.close();
  });
};
