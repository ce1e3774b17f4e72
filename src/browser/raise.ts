/**
 * Lets a second start bring the first one's window to the front. The first start listens on a random port of 127.0.0.1 and
 * writes port and secret into a file that only the user may read. A program that cannot read the file is refused, and so is any
 * web page.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { removeFile } from '../disk/retry-busy-file.ts';
import { readIfThere, writeFileAtomic } from '../host/lib/files.ts';
import { same } from './guard.ts';

const { createServer } = process.getBuiltinModule('node:http');

const fileOf = (folder: string): string => join(folder, 'raise.json');
const schema = z.object({ port: z.number().int().min(1).max(65_535), secret: z.string().min(32) });

/** Time limit for the first start's answer, in milliseconds. */
const PATIENCE_MS = 5_000;

/** A POST from a web page always carries its origin; the second start's request has none. */
const mayAsk = ({ method, headers }: IncomingMessage, host: string, secret: string): boolean =>
  method === 'POST' &&
  headers.host === host &&
  headers.origin === undefined &&
  headers['sec-fetch-site'] === undefined &&
  same(headers.authorization ?? '', `Bearer ${secret}`);

/** Answers requests until `end` is called. `raise` returns false when there is no window to bring to the front. */
export async function answerRaises(
  folder: string,
  raise: () => Promise<boolean>,
): Promise<{ end(): Promise<void> }> {
  const secret = randomBytes(32).toString('base64url');
  const server = createServer((request, answer) => {
    const { port } = server.address() as AddressInfo;
    if (!mayAsk(request, `127.0.0.1:${port}`, secret)) return answer.writeHead(403).end();
    return void raise().then(
      (raised) => answer.writeHead(raised ? 204 : 404).end(),
      () => answer.writeHead(500).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await writeFileAtomic(fileOf(folder), JSON.stringify({ port, secret }));
  return {
    async end() {
      server.close();
      server.closeAllConnections();
      await removeFile(fileOf(folder));
    },
  };
}

/** Asks the running start to show its window. False when it cannot, or when none answers. */
export async function raiseOther(folder: string): Promise<boolean> {
  try {
    const { port, secret } = schema.parse(JSON.parse((await readIfThere(fileOf(folder))) ?? ''));
    const answer = await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return answer.status === 204;
  } catch {
    // The file is missing, or a killed start left it behind and nothing answers on its port.
    return false;
  }
}
