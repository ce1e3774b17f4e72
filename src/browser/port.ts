/**
 * The port of this laptop's window. A browser keeps IndexedDB per address, port included, so the port is drawn once
 * at random and then kept in the data folder, for good. Where another program has it, this start waits a little, then takes the
 * next of the ports it took before, or draws one and adds it behind: the first one is never forgotten, and the next start goes
 * back to it. What was typed on one port comes to the other through the host's journal.
 */
import { randomInt } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

// Below the ranges that systems hand out to outgoing connections (Linux 32768, macOS and Windows 49152).
const FROM = 20_000;
const TO = 32_000;
/** How long the first one is waited for, and how often it is looked at, milliseconds: a program that ends lets go of it. */
const WAIT = 3_000;
const EVERY = 100;

export interface WindowPort {
  readonly port: number;
  /** The first one, where another program has it. */
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

/** In the order they were taken. */
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

/** Another program has it, or Windows keeps a range of ports for itself (Hyper-V), of which EACCES tells. */
export const isPortKept = ({ code, syscall }: NodeJS.ErrnoException): boolean =>
  code === 'EADDRINUSE' || (code === 'EACCES' && syscall === 'listen');

/** @param folder the data folder, which exists */
export const windowPort = async (folder: string, wait = WAIT): Promise<WindowPort> => {
  const file = join(folder, 'window-port');
  const [first, ...others] = remembered(file);
  if (first !== undefined && (await isFreeSoon(first, wait))) return { port: first, taken: null };
  for (const port of others) if (await isFree(port)) return { port, taken: first ?? null };
  const port = await draw();
  if (first === undefined) writeFileSync(file, `${port}\n`, { mode: 0o600 });
  // A line that was cut short must not grow into this one.
  else appendFileSync(file, `\n${port}\n`);
  return { port, taken: first ?? null };
};
