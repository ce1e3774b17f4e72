/** The window's port is the origin of everything its browser keeps: it is never forgotten, whoever has it meanwhile (A18). */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { isPortKept, windowPort } from '../../src/browser/port.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spotter-port-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});
const hold = async (port: number) => {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.close();
    await once(server, 'close');
  };
  return close;
};

it('A33: drawn once, kept; taken: another one, the same each time; free again: the first', async () => {
  const { port: first, taken } = await windowPort(folder);
  expect(taken).toBeNull();
  expect(await windowPort(folder)).toEqual({ port: first, taken: null });
  const free = await hold(first);
  const second = await windowPort(folder, 0);
  expect(second.taken).toBe(first);
  expect(second.port).not.toBe(first);
  expect(await windowPort(folder, 0)).toEqual(second);
  const both = await hold(second.port);
  const third = await windowPort(folder, 0);
  expect(new Set([first, second.port, third.port]).size).toBe(3);
  await both();
  expect(await windowPort(folder, 0)).toEqual(second);
  await free();
  expect(await windowPort(folder)).toEqual({ port: first, taken: null });
});

it('one that is let go of in a moment is waited for', async () => {
  const { port } = await windowPort(folder);
  const free = await hold(port);
  const asked = windowPort(folder, 20_000);
  await free();
  expect(await asked).toEqual({ port, taken: null });
});

it('a file that cannot be read is written again', async () => {
  writeFileSync(join(folder, 'window-port'), '\0\0\0');
  const { port: drawn } = await windowPort(folder);
  expect(readFileSync(join(folder, 'window-port'), 'utf8')).toBe(`${drawn}\n`);
});

it('a port that another program has, or that Windows keeps for itself, is told as taken; a refused file is not', async () => {
  const { port } = await windowPort(folder);
  const free = await hold(port);
  const refused = createServer().listen(port, '127.0.0.1');
  const [taken] = (await once(refused, 'error')) as [NodeJS.ErrnoException];
  await free();
  expect(isPortKept(taken)).toBe(true);
  // What Node says where Hyper-V has the range.
  const kept = { code: 'EACCES', syscall: 'listen', address: '127.0.0.1', port: 50_100 };
  expect(isPortKept(Object.assign(new Error('listen EACCES: permission denied'), kept))).toBe(true);
  const file = { code: 'EACCES', syscall: 'open', path: '/data/journal' };
  expect(isPortKept(Object.assign(new Error('EACCES: permission denied'), file))).toBe(false);
});
