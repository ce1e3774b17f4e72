/** Serves the built window's files at `app://spotter/…`. security.ts decides which files may be served. */
import { readFile } from 'node:fs/promises';
import { type Session, protocol } from 'electron';
import { answerHeaders, fileOf, SCHEME, schemePrivileges } from './security.ts';

/** Must run before the app is ready. */
export const declareProtocol = (): void =>
  protocol.registerSchemesAsPrivileged([{ scheme: SCHEME, privileges: schemePrivileges }]);

/** @param root the built window's folder */
export const serveWindow = (session: Session, root: string): void =>
  session.protocol.handle(SCHEME, async (request) => {
    const plain = answerHeaders('text/plain; charset=utf-8');
    if (request.method !== 'GET') return new Response('GET only', { status: 405, headers: plain });
    const file = await fileOf(root, request.url);
    if (file === null) return new Response('not found', { status: 404, headers: plain });
    return new Response(new Uint8Array(await readFile(file.path)), {
      headers: answerHeaders(file.type),
    });
  });
