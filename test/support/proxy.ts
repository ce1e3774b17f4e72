/**
 * An HTTP proxy as companies run it, on a free port of 127.0.0.1. It forwards requests (`http:`) or tunnels them (`https:`),
 * always to one target, and can refuse them. It records what it was asked for.
 */
import http from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

export interface TestProxy {
  readonly url: string;
  /** `GET http://…` and `CONNECT host:port`, in order. */
  readonly asked: string[];
  /** The `proxy-authorization` of the last request. */
  authorization: string | null;
  /** Refuses every request with this response; null forwards them. */
  refuse: { readonly status: number; readonly body: string } | null;
  /** Answers 407 to a request that does not sign in with this `proxy-authorization`. */
  sign_in: string | null;
  close(): Promise<void>;
}

/** @param target host and port that every name resolves to */
export const startProxy = async (target: { host: string; port: number }): Promise<TestProxy> => {
  const sockets = new Set<Socket>();
  const server = http.createServer((request, reply) => {
    proxy.asked.push(`${request.method} ${request.url}`);
    proxy.authorization = request.headers['proxy-authorization'] ?? null;
    if (proxy.sign_in !== null && proxy.authorization !== proxy.sign_in) {
      const [scheme = ''] = proxy.sign_in.split(' ');
      reply.writeHead(407, { 'proxy-authenticate': scheme }).end('sign in');
      request.resume();
      return;
    }
    if (proxy.refuse) {
      reply.writeHead(proxy.refuse.status, { 'content-type': 'text/html' }).end(proxy.refuse.body);
      return;
    }
    const { pathname, search } = new URL(request.url ?? '/', 'http://proxy.invalid');
    const onward = http.request(
      {
        ...target,
        method: request.method,
        path: `${pathname}${search}`,
        headers: request.headers,
      },
      (answer) => {
        reply.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(reply);
      },
    );
    onward.on('error', () => reply.writeHead(502).end());
    request.pipe(onward);
  });
  server.on('connect', (request, socket: Socket) => {
    proxy.asked.push(`CONNECT ${request.url}`);
    proxy.authorization = request.headers['proxy-authorization'] ?? null;
    socket.on('error', () => undefined);
    if (proxy.refuse) {
      const { status, body } = proxy.refuse;
      socket.end(
        `HTTP/1.1 ${status} No\r\ncontent-type: text/html\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      return;
    }
    const onward = connect(target, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    sockets.add(onward);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: TestProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    authorization: null,
    refuse: null,
    sign_in: null,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return proxy;
};
