/**
 * Sends a request of the host through Chromium's network stack, which signs in at a proxy as the system's user (Negotiate, NTLM: always
 * allowed for proxies, net/http/http_auth_handler_negotiate.cc) and shows a client certificate of the system's store.
 */
import { PassThrough, type Readable } from 'node:stream';
import type { ClientRequest, Net, Session } from 'electron';
import type { SystemRequest, SystemResponse, SystemSend } from '../../host/http/system-send.ts';

/**
 * In memory, so no cookie and no response is stored. Separate from the window's session, which refuses every request to
 * a server.
 */
export const SERVER_PARTITION = 'server';

/** Headers that docs/api/client-request.md, setHeader, lets no app set. Chromium writes them itself. */
const OWN = new Set(['content-length', 'host', 'te', 'trailer', 'keep-alive', 'transfer-encoding']);

/**
 * Milliseconds between readings of an upload's progress. Far below the shortest deadline for silence in http-client.ts.
 */
const PROGRESS_MS = 1000;

const headersOf = (given: SystemRequest['headers']): Record<string, string> => ({
  // Otherwise Chromium asks for a compressed answer, which has no length.
  'accept-encoding': 'identity',
  ...Object.fromEntries(Object.entries(given).filter(([name]) => !OWN.has(name.toLowerCase()))),
});

/** Writes the body and ends the request. Electron holds it in memory and sends it with its length, which S3 asks for. */
const write = async (request: ClientRequest, body: ReturnType<SystemRequest['body']>) => {
  if (typeof body === 'string') request.write(body);
  else if (body !== null) for await (const chunk of body) request.write(Buffer.from(chunk));
  request.end();
};

/** Reports progress while bytes are sent. The body cannot show it, because Chromium buffers it long before. */
const watchProgress = (request: ClientRequest, progressed: () => void): (() => void) => {
  let before = 0;
  const timer = setInterval(() => {
    const { current = 0 } = request.getUploadProgress();
    if (current > before) progressed();
    before = current;
  }, PROGRESS_MS);
  return () => clearInterval(timer);
};

const answerOf = (
  statusCode: number,
  { 'content-encoding': _decoded, ...headers }: SystemResponse['headers'],
  body: Readable,
): SystemResponse => ({ statusCode, headers, body });

/** @param net Electron's @param session asked for at each request, because none exists before the app is ready */
export function sendBySystem(net: Pick<Net, 'request'>, session: () => Session): SystemSend {
  return ({ method, url, headers, body, signal, progressed }) =>
    new Promise((resolve, reject) => {
      const request = net.request({
        method,
        url,
        headers: headersOf(headers),
        session: session(),
        redirect: 'manual',
        cache: 'no-store',
      });
      const end = () => request.abort();
      const stop = watchProgress(request, progressed);
      signal.addEventListener('abort', end, { once: true });
      request.on('close', () => {
        stop();
        signal.removeEventListener('abort', end);
      });
      request.on('abort', () => reject(new Error('aborted')));
      request.on('error', reject);
      // Not followed, so Electron cancels the request.
      request.on('redirect', (status, _method, _url, given) =>
        resolve(answerOf(status, given, new PassThrough().end())),
      );
      // docs/api/incoming-message.md: "implements the Readable Stream interface", which electron.d.ts leaves out.
      request.on('response', (answer) =>
        resolve(answerOf(answer.statusCode, answer.headers, answer as unknown as Readable)),
      );
      if (signal.aborted) end();
      else
        write(request, body()).catch((error: unknown) => {
          request.abort();
          reject(error as Error);
        });
    });
}
