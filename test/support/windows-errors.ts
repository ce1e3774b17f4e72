/**
 * What Windows refuses and Linux does not, put into `node:fs/promises` while a test runs, so that code which would fail there
 * fails here. Each refusal with its source:
 * - rename over a file that is open, or of one: EPERM (github.com/nodejs/node/issues/29481);
 * - `truncate` of a handle opened for appending: EPERM, it has no right to write elsewhere (github.com/nodejs/node/issues/3177);
 * - `sync` of a handle opened for reading: EPERM, FlushFileBuffers "must have the GENERIC_WRITE access right" (Microsoft's page
 *   of that call).
 */
import fs, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';

const refuse = (call: string, path: string): never => {
  throw Object.assign(new Error(`EPERM: operation not permitted, ${call} '${path}'`), {
    code: 'EPERM',
    syscall: call,
  });
};

/** Replaces functions of `node:fs/promises`, including for modules that import them by name, until the test ends. */
export const replaceFs = (changed: Partial<typeof fs>): void => {
  const before = Object.fromEntries(
    Object.keys(changed).map((name) => [name, fs[name as keyof typeof fs]]),
  );
  Object.assign(fs, changed);
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(fs, before);
    syncBuiltinESMExports();
  });
};

/** Makes files behave as on Windows until the test ends. */
export const asOnWindows = (): void => {
  const { open, rename } = fs;
  const held = new Map<string, Set<FileHandle>>();
  const isHeld = (path: string): boolean => (held.get(resolve(path))?.size ?? 0) > 0;

  const watch = (handle: FileHandle, path: string, flags: string): void => {
    const close = handle.close.bind(handle);
    const mine = held.get(path) ?? new Set();
    held.set(path, mine.add(handle));
    handle.close = async () => {
      mine.delete(handle);
      await close();
    };
    if (flags.startsWith('a'))
      handle.truncate = () => Promise.resolve().then(() => refuse('ftruncate', path));
    if (flags === 'r') handle.sync = () => Promise.resolve().then(() => refuse('fsync', path));
  };

  replaceFs({
    open: async (path, flags = 'r', mode) => {
      const handle = await open(path, flags, mode);
      const isFolder = (await handle.stat()).isDirectory();
      // On Windows the app does not sync folders. Here it runs on Linux, so folders stay syncable.
      if (!isFolder) watch(handle, resolve(String(path)), String(flags));
      return handle;
    },
    rename: async (from, to) => {
      if (isHeld(String(from)) || isHeld(String(to))) refuse('rename', String(to));
      await rename(from, to);
    },
  });
};
