/**
 * `/metrics` for Prometheus: requests by route and status, durations, received file bytes, and queue lengths. Routes are
 * labelled by template, because a path would create a series per record. By default only connections from this machine may read it
 * (`--metrics`); to others the address is a 404. A proxy is recognised by its headers, so one on this machine that sends none of them
 * must not pass the address on.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { App } from '../../app.ts';
import { notFound } from '../../domain/problem.ts';
import { faultsOf } from './health.ts';
import { ownNames } from './own-names.ts';
import { countUploads } from '../../store/uploads.ts';
import { countWaiting } from '../../store/webhooks/webhook-queue.ts';

/** Upper bounds in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];

const LOOPBACK = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;

const mayRead = (app: App, request: FastifyRequest): boolean => {
  if (app.options.metrics === 'all') return true;
  if (app.options.metrics !== 'loopback') return false;
  const { headers } = request;
  const proxied = headers['x-forwarded-for'] ?? headers['forwarded'] ?? headers['x-real-ip'];
  return proxied === undefined && LOOPBACK.test(request.ip);
};

/** `GET /rest/v1.0/projects/:project_id/…`, or one label for all unknown addresses. */
const routeOf = (request: FastifyRequest): string => request.routeOptions.url ?? 'none';

const countRequests = (server: FastifyInstance, registry: Registry): void => {
  const labelNames = ['method', 'route', 'status'] as const;
  const registers = [registry];
  const requests = new Counter({
    name: 'spotter_requests_total',
    help: 'Requests answered, by route and status',
    labelNames,
    registers,
  });
  const durations = new Histogram({
    name: 'spotter_request_duration_seconds',
    help: 'From the headers of a request to the end of its answer',
    labelNames: ['method', 'route'] as const,
    buckets: BUCKETS,
    registers,
  });
  const received = new Counter({
    name: 'spotter_upload_bytes_total',
    help: 'Bytes of form posts and segments taken in through the service',
    registers,
  });
  server.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const route = routeOf(request);
    requests.inc({ method, route, status: String(reply.statusCode) });
    durations.observe({ method, route }, reply.elapsedTime / 1000);
    const length = Number(request.headers['content-length'] ?? 0);
    if (route.startsWith('/storage/') && reply.statusCode < 300 && Number.isSafeInteger(length))
      if (method === 'PUT' || method === 'POST') received.inc(length);
    done();
  });
};

/** Queries the counts only when Prometheus collects. */
const gaugeUploads = (app: App, registry: Registry): void => {
  new Gauge({
    name: 'spotter_uploads',
    help: 'Uploads by status; "deleting" waits for the sweeper',
    labelNames: ['status'] as const,
    registers: [registry],
    async collect() {
      this.reset();
      // Without a database the other metrics matter most.
      for (const { status, n } of await countUploads(app.store.read).catch(() => []))
        this.set({ status }, n);
    },
  });
};

/** 1 or 0 for each part of `/healthz`. */
const gaugeHealth = (app: App, registry: Registry): void => {
  new Gauge({
    name: 'spotter_part_healthy',
    help: '1 while this part of /healthz is well, else 0',
    labelNames: ['part'] as const,
    registers: [registry],
    async collect() {
      for (const [part, fault] of await faultsOf(app)) this.set({ part }, fault === null ? 1 : 0);
    },
  });
};

/** NaN, which Prometheus takes for unknown, while the database is away. */
const waitingOf = (app: App) =>
  countWaiting(app.store.read, app.moment()).catch(() => ({ pending: NaN, paused: NaN }));

const gaugeWebhooks = (app: App, registry: Registry): void => {
  const registers = [registry];
  new Gauge({
    name: 'spotter_webhook_pending_deliveries',
    help: 'Events that a hook has still to be told',
    registers,
    async collect() {
      this.set((await waitingOf(app)).pending);
    },
  });
  new Gauge({
    name: 'spotter_webhook_paused_hooks',
    help: 'Hooks whose endpoint failed and is waited for',
    registers,
    async collect() {
      this.set((await waitingOf(app)).paused);
    },
  });
};

export const addMetrics = (server: FastifyInstance, app: App): void => {
  const registry = new Registry();
  countRequests(server, registry);
  gaugeUploads(app, registry);
  gaugeWebhooks(app, registry);
  gaugeHealth(app, registry);
  const checkName = ownNames(app.options);
  let whole = false;
  server.get('/metrics', async (request, reply) => {
    if (!mayRead(app, request)) throw notFound();
    checkName(request);
    if (!whole) collectDefaultMetrics({ register: registry }); // memory, event loop, garbage collection
    whole = true;
    return reply.type(registry.contentType).send(await registry.metrics());
  });
  server.addHook('onClose', () => registry.clear());
};
