/**
 * `net`: requests of the main process by Chromium's network stack, here by Node's. They go through the system's proxy
 * (`STAND_IN_PROXY`), and sign in there as the system's user (`STAND_IN_SIGN_IN`), as Chromium does for Negotiate and NTLM:
 * net/http/http_auth_handler_negotiate.cc, AllowsDefaultCredentials, is true for every proxy.
 */
import { EventEmitter } from 'node:events';
import http from 'node:http';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import type * as Electron from 'electron';
import { known } from './known.ts';
import { note } from './line.ts';
import { needReady } from './readiness.ts';
import { partitions } from './session.ts';

/** docs/api/client-request.md, setHeader: headers "restricted from being set by apps". */
const restricted =
  /^(content-length|host|trailer|te|upgrade|cookie2|keep-alive|transfer-encoding)$/i;

const proxy = (): URL | null => {
  const place = /^PROXY (\S+?);?( |$)/.exec(process.env['STAND_IN_PROXY'] ?? '')?.[1];
  return place === undefined ? null : new URL(`http://${place}`);
};

class StandInRequest
  extends EventEmitter
  implements Pick<Electron.ClientRequest, 'abort' | 'getUploadProgress'>
{
  readonly #options: Electron.ClientRequestConstructorOptions;
  readonly #chunks: Buffer[] = [];
  #sent: http.ClientRequest | null = null;
  #closed = false;

  constructor(options: Electron.ClientRequestConstructorOptions) {
    super();
    for (const name of Object.keys(options.headers ?? {}))
      if (restricted.test(name)) throw new Error(`net::ERR_INVALID_ARGUMENT: ${name}`);
    if (new URL(options.url ?? '').protocol !== 'http:')
      throw new Error('electron: only http: is known to the stand-in’s net.request');
    this.#options = options;
  }

  /** docs/api/client-request.md, chunkedEncoding: without it the body is "internally buffered inside Electron process memory". */
  write(chunk: Buffer | string): void {
    this.#chunks.push(Buffer.from(chunk));
  }
  end(): this {
    this.#send({});
    return this;
  }
  abort(): void {
    if (this.#closed) return;
    this.#sent?.destroy();
    this.emit('abort');
    this.#close();
  }
  getUploadProgress = (): Electron.UploadProgress => ({
    active: !this.#closed,
    started: this.#sent !== null,
    current: this.#sent?.socket?.bytesWritten ?? 0,
    total: this.#chunks.reduce((sum, { byteLength }) => sum + byteLength, 0),
  });

  #close(): void {
    if (!this.#closed) this.emit('close');
    this.#closed = true;
  }
  #fail(error: Error): void {
    if (this.#closed) return;
    this.emit('error', error);
    this.#close();
  }

  #send(signIn: Record<string, string>): void {
    const { url = '', method = 'GET', headers = {} } = this.#options;
    const by = proxy();
    const body = Buffer.concat(this.#chunks);
    const sent = http.request(by ?? url, {
      method,
      agent: false,
      ...(by === null ? {} : { path: url }),
      headers: {
        ...headers,
        ...signIn,
        host: new URL(url).host,
        ...(this.#chunks.length > 0 ? { 'content-length': body.byteLength } : {}),
      },
    });
    this.#sent = sent;
    // net/base/net_error_list.h
    sent.on('error', ({ message }) =>
      this.#fail(new Error(`net::ERR_CONNECTION_FAILED ${message}`)),
    );
    sent.on('response', (answer) => this.#answer(answer, signIn));
    sent.end(body);
  }

  #answer(answer: http.IncomingMessage, signIn: Record<string, string>): void {
    const { statusCode = 0, headers } = answer;
    const user = process.env['STAND_IN_SIGN_IN'];
    if (statusCode === 407 && user !== undefined && Object.keys(signIn).length === 0) {
      answer.resume();
      this.#send({ 'proxy-authorization': `${headers['proxy-authenticate']} ${user}` });
      return;
    }
    // docs/api/client-request.md, redirect: with `manual` it is cancelled unless followed at once.
    if ([301, 302, 303, 307, 308].includes(statusCode)) {
      answer.resume();
      this.emit('redirect', statusCode, answer.method, headers.location, headers);
      this.#fail(new Error('Redirect was cancelled'));
      return;
    }
    answer.on('close', () => this.#close());
    // Chromium decompresses and keeps the header (net/url_request/url_request_http_job.cc, SetUpSourceStream).
    const packed = { br: createBrotliDecompress, gzip: createGunzip }[
      headers['content-encoding'] ?? ''
    ];
    const body = packed === undefined ? answer : answer.pipe(packed());
    this.emit('response', Object.assign(body, { statusCode, headers }));
  }
}

export const net = known('net', {
  /** docs/api/net.md: "can be used only after the application emits the ready event". */
  request(options: Electron.ClientRequestConstructorOptions): StandInRequest {
    needReady('net');
    if (!partitions.has(options.session))
      throw new Error('electron: net.request is known only with a session of fromPartition');
    note('net.request', { ...options, session: undefined });
    return new StandInRequest(options);
  },
});
