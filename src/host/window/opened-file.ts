/**
 * Lets the window read a file that the system handed to the shell. The window reads it by a key and never names a path. Only
 * the latest file is kept, because opening another replaces it.
 */
import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { WindowAsk } from '../../contract/asks.ts';
import { fail, ok, type Result } from '../../contract/problem.ts';
import { wordsOf } from '../lib/log.ts';

export interface OpenedFile {
  /** @param path absolute path */
  offer(path: string): void;
  read(
    key: string,
    offset: number,
    length: number,
  ): Promise<
    Result<{ readonly output: { readonly size: number }; readonly bytes: Uint8Array<ArrayBuffer> }>
  >;
}

const refused = (why: string) => fail({ kind: 'bad_input', messages: [why], fields: {} });

export const createOpenedFile = (ask: (ask: WindowAsk) => void): OpenedFile => {
  let offered: { readonly key: string; readonly path: string } | null = null;
  return {
    offer: (path) => {
      const key = randomUUID();
      offered = { key, path };
      ask({ ask: 'import', key, name: basename(path).slice(-255) });
    },
    read: async (key, offset, length) => {
      if (offered?.key !== key) return refused('another file was opened since');
      try {
        const handle = await open(offered.path, 'r');
        try {
          const about = await handle.stat();
          if (!about.isFile()) return refused('what was opened is no file');
          const { size } = about;
          const wanted = Math.max(0, Math.min(length, size - offset));
          const { bytesRead, buffer } = await handle.read(
            new Uint8Array(wanted),
            0,
            wanted,
            offset,
          );
          return ok({ output: { size }, bytes: buffer.subarray(0, bytesRead) });
        } finally {
          await handle.close();
        }
      } catch (error) {
        return refused(`the file cannot be read: ${wordsOf(error)}`);
      }
    },
  };
};
