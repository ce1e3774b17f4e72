/**
 * The port of this laptop's window. A browser keeps IndexedDB per address, port included, so the port is drawn once
 * at random and then kept in the data folder. Where it is taken, another is drawn, and the window rebuilds its queue
 * from the journal.
 */
import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

// Below the ranges that systems hand out to outgoing connections (Linux 32768, macOS and Windows 49152).
const FROM = 20_000;
const TO = 32_000;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

const remembered = (file: string): number | undefined => {
  try {
    const port = Number(readFileSync(file, 'utf8'));
    return Number.isInteger(port) && port > 1023 && port < 65_536 ? port : undefined;
  } catch {
    return undefined;
  }
};

/** @param folder the data folder, which exists */
export const windowPort = async (folder: string): Promise<number> => {
  const file = join(folder, 'window-port');
  const last = remembered(file);
  if (last !== undefined && (await isFree(last))) return last;
  for (let tries = 0; tries < 50; tries++) {
    const port = randomInt(FROM, TO);
    if (!(await isFree(port))) continue;
    writeFileSync(file, `${port}\n`, { mode: 0o600 });
    return port;
  }
  throw new Error('no free port on 127.0.0.1');
};
