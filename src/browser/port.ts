/**
 * Chooses the window's port. A browser keeps IndexedDB per origin, port included, so the port is drawn once at random and kept
 * in the data folder. When another program has it, a start waits briefly, then takes an earlier fallback port or draws and
 * appends a new one. The first port is never forgotten, and the next start returns to it. The host's journal carries unsent
 * records and drafts to the other port.
 */
import { randomInt } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

// Below the ephemeral port ranges (Linux from 32768, macOS and Windows from 49152).
const FROM = 20_000;
const TO = 32_000;
/** How long to wait for the first port, and how often to check it, in milliseconds. A program that ends releases its port. */
const WAIT = 3_000;
const EVERY = 100;

export interface WindowPort {
  readonly port: number;
  /** The first port, when another program has it; null otherwise. */
  readonly taken: number | null;
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

const isFreeSoon = async (port: number, wait: number): Promise<boolean> => {
  const end = performance.now() + wait;
  while (!(await isFree(port))) {
    if (performance.now() >= end) return false;
    await new Promise((resolve) => setTimeout(resolve, EVERY));
  }
  return true;
};

/** Reads the remembered ports in the order they were taken. */
const remembered = (file: string): readonly number[] => {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map(Number)
      .filter((port) => Number.isInteger(port) && port > 1023 && port < 65_536);
  } catch {
    return [];
  }
};

const draw = async (): Promise<number> => {
  for (let tries = 0; tries < 50; tries++) {
    const port = randomInt(FROM, TO);
    if (await isFree(port)) return port;
  }
  throw new Error('no free port on 127.0.0.1');
};

/** Another program has the port, or Windows has reserved its range (Hyper-V), which fails with EACCES. */
export const isPortKept = ({ code, syscall }: NodeJS.ErrnoException): boolean =>
  code === 'EADDRINUSE' || (code === 'EACCES' && syscall === 'listen');

/** @param folder the data folder, which must exist */
export const windowPort = async (folder: string, wait = WAIT): Promise<WindowPort> => {
  const file = join(folder, 'window-port');
  const [first, ...others] = remembered(file);
  if (first !== undefined && (await isFreeSoon(first, wait))) return { port: first, taken: null };
  for (const port of others) if (await isFree(port)) return { port, taken: first ?? null };
  const port = await draw();
  if (first === undefined) writeFileSync(file, `${port}\n`, { mode: 0o600 });
  // Starts with a line break, so that a truncated last line does not merge with this one.
  else appendFileSync(file, `\n${port}\n`);
  return { port, taken: first ?? null };
};
