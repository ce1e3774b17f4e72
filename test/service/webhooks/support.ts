/** Real local endpoints, friendly and hostile, and shared helpers of the webhook tests. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { WebhookNotification } from '../../../src/contract/rest/webhooks.ts';
import type { Options } from '../../../src/service/options.ts';
import { startTestService, type Client, type TestService } from '../../support/service.ts';
import { PATIENCE_MS } from '../../support/patience.ts';

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: WebhookNotification;
}

export interface Endpoint {
  readonly url: string;
  readonly port: number;
  readonly received: readonly Received[];
  /** TCP connections made so far. */
  connections(): number;
  /** Sets the answer for later requests. */
  answer(how: Answering): void;
  close(): Promise<void>;
}

/** @param count number of earlier requests */
export type Answering = (response: ServerResponse, count: number) => void;

export const answering =
  (status: number, headers: Readonly<Record<string, string>> = {}, body = ''): Answering =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

/** An HTTP endpoint on a free port of this machine. */
export const startEndpoint = async (first: Answering = answering(200)): Promise<Endpoint> => {
  let how = first;
  const received: Received[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const { method = '', url = '', headers } = request;
      received.push({ method, url, headers, text, body: JSON.parse(text) as WebhookNotification });
      how(response, received.length - 1);
    });
  });
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    connections: () => connections,
    answer: (next) => {
      how = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

/** Runs `talk` on each raw TCP connection. */
export const startRaw = async (
  talk: (socket: Socket) => void,
): Promise<{ readonly url: string; open(): number; close(): Promise<void> }> => {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    // Input must be read, because otherwise the end of the connection would go unnoticed.
    socket
      .resume()
      .on('error', () => undefined)
      .on('close', () => sockets.delete(socket));
    talk(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    open: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};

/** Waits until `check` is truthy and returns its result. */
export const until = async <T>(
  check: () => T | Promise<T>,
  what = 'what was waited for',
): Promise<T> => {
  for (const end = Date.now() + PATIENCE_MS; ;) {
    const found = await check();
    if (found) return found;
    if (Date.now() > end) throw new Error(`${what} did not happen in ${PATIENCE_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

/** An endpoint for the current test, closed at its end. */
export const endpoint = async (first?: Answering): Promise<Endpoint> => {
  const e = await startEndpoint(first);
  onTestFinished(() => e.close());
  return e;
};

/** A service that may send to this machine and polls its outbox often. */
export const startSender = (options: Partial<Options> = {}): Promise<TestService> =>
  startTestService({
    'allow-private-webhooks': true,
    'webhook-interval': 20,
    // The clock stands still, so an attempt that timed out on a busy machine would never be retried.
    'webhook-timeout': 5000,
    ...options,
  });

/** The same for the current test, stopped at its end. */
export const sender = async (options: Partial<Options> = {}): Promise<TestService> => {
  const t = await startSender(options);
  onTestFinished(() => t.stop());
  return t;
};

export const HOOKS = '/rest/v1.0/webhooks/hooks';

/** Creates a company's hook with triggers and returns it as created. */
export const makeHook = async (
  client: Client,
  destination_url: string,
  {
    project_id,
    headers = {},
    triggers = [['Near Misses', 'create']],
  }: {
    readonly project_id?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly triggers?: readonly (readonly [string, string])[];
  } = {},
) => {
  const scope = project_id === undefined ? { company_id: client.company_id } : { project_id };
  const made = await client.post(HOOKS, {
    ...scope,
    hook: { api_version: 'v2', destination_url, destination_headers: headers },
  });
  if (made.status !== 201) throw new Error(made.text);
  for (const [resource_name, event_type] of triggers) {
    const trigger = { resource_name, event_type };
    const answer = await client.post(`${HOOKS}/${made.json.id}/triggers`, {
      ...scope,
      api_version: 'v2',
      trigger,
    });
    if (answer.status !== 201) throw new Error(answer.text);
  }
  return made.json as { id: number; signing_secret: string };
};

export const makeNearMiss = async (client: Client, description = 'webhook'): Promise<number> => {
  const near_miss = { incident_id: 1, description };
  const made = await client.post('~/incidents/near_misses', { near_miss });
  if (made.status !== 201) throw new Error(made.text);
  return made.json.id as number;
};

/** Newest first. */
export const deliveriesOf = async (client: Client, hook_id: number, query = '') =>
  (await client.get(`${HOOKS}/${hook_id}/deliveries${query}`)).json as {
    id: number;
    event_id: string;
    outcome: string;
    response_status: number | null;
    response_error: string | null;
    response_body: string;
    response_headers: Record<string, string>;
    started_at: string;
    completed_at: string;
  }[];
