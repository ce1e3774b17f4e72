/**
 * Fetches an evidence pack for the window (decisions §19.2). The server streams it once, so it is received into a private temporary
 * file, and the window reads it from there piece by piece while it grows. One pack at a time; its file is deleted when the window closes
 * it, with the next pack, and at the next start.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { CHUNK_MAX, type HostParsed } from '../../contract/host.ts';
import { fail, ok, type Problem, type Result } from '../../contract/problem.ts';
import { removeFile, removeFolder } from '../../disk/retry-busy-file.ts';
import type { Incoming } from '../http/http-client.ts';
import { ensureFolder, failFile, FILE_MODE, fileProblem } from '../lib/files.ts';
import { openBytes, type ReadParts } from '../photos/verify.ts';
import type { Session } from '../session/session-types.ts';

export interface EvidencePacks {
  open(
    input: HostParsed<'evidence.open'>,
  ): Promise<Result<{ readonly pack: string; readonly filename: string; readonly size: number }>>;
  /** Waits until a piece from `offset` on is there. */
  read(
    pack: string,
    offset: number,
  ): Promise<
    Result<{ readonly output: Record<string, never>; readonly bytes: Uint8Array<ArrayBuffer> }>
  >;
  /** Cancels what is still coming, and deletes the file. Without a pack: the one that there is. */
  close(pack?: string): Promise<void>;
}

/** Extends the deadline for as much: videos may be large, and silence ends a transfer long before. */
const WEIGHT_BYTES = 4 * 1024 * 1024 * 1024;

const gone = (): Result<never> =>
  fail({ kind: 'bad_input', messages: ['There is no such pack any more.'], fields: {} });

/** A pack that is being received, or is here whole. */
interface Receiving {
  readonly pack: string;
  readonly path: string;
  readonly cancel: AbortController;
  size: number;
  received: number;
  problem: Problem | null;
  ended: boolean;
  /** Resolves at the next change of these. */
  changed: PromiseWithResolvers<void>;
}

const report = (one: Receiving): void => {
  const { changed } = one;
  one.changed = Promise.withResolvers();
  changed.resolve();
};

/** Writes synchronously: the receiver cannot be paused, and what waits for the disk would fill the memory. */
const receive = async (one: Receiving, incoming: Incoming): Promise<Result<null>> => {
  const size = Number(incoming.header('content-length') ?? Number.NaN);
  if (!Number.isSafeInteger(size))
    return fail({
      kind: 'broken_reply',
      status: incoming.status,
      looks_like: 'wrong_shape',
      detail: 'the pack has no length',
    });
  const file = openSync(one.path, 'wx', FILE_MODE);
  try {
    one.size = size;
    report(one);
    return await incoming.read(size, (chunk) => {
      if (one.problem !== null) return;
      try {
        for (let at = 0; at < chunk.length;) at += writeSync(file, chunk, at);
      } catch (error) {
        one.problem = fileProblem(error);
        one.cancel.abort();
        return;
      }
      one.received += chunk.length;
      report(one);
    });
  } finally {
    closeSync(file);
  }
};

export const createEvidencePacks = async (
  parts: ReadParts & { readonly session: Session; readonly folder: string },
): Promise<EvidencePacks> => {
  const { api, session, folder } = parts;
  // What a killed app left.
  await removeFolder(folder);
  let current: { readonly one: Receiving; readonly transfer: Promise<void> } | null = null;

  const close: EvidencePacks['close'] = async (pack) => {
    if (!current || (pack !== undefined && current.one.pack !== pack)) return;
    const { one, transfer } = current;
    current = null;
    one.cancel.abort();
    await transfer;
    await removeFile(one.path).catch(() => undefined);
  };

  const start = (one: Receiving, target: Parameters<typeof openBytes>[1], url: string) => {
    const run = async (): Promise<void> => {
      let result: Result<null>;
      try {
        const use = (incoming: Incoming) => receive(one, incoming);
        const { signal } = one.cancel;
        result = await openBytes(parts, target, url, WEIGHT_BYTES, use, { signal });
      } catch (error) {
        result = failFile(error);
      }
      if (!result.ok) one.problem ??= result.problem;
      one.ended = true;
      report(one);
    };
    return run();
  };

  return {
    open: async ({ project_id, near_miss_id, with_names, language, key, account }) => {
      await close();
      const target = await session.target(account);
      if (!target.ok) return target;
      const made = await session.believe(
        target.value,
        await api.call(target.value, 'near_miss_evidence.create', {
          params: { project_id, id: near_miss_id },
          body: { evidence: { with_names, language } },
          idempotency_key: key,
        }),
      );
      if (!made.ok) return made;
      const { url, filename } = made.value.data;
      try {
        await ensureFolder(folder);
      } catch (error) {
        return failFile(error);
      }
      const pack = randomUUID();
      const one: Receiving = {
        pack,
        path: join(folder, pack),
        cancel: new AbortController(),
        size: -1,
        received: 0,
        problem: null,
        ended: false,
        changed: Promise.withResolvers(),
      };
      // Another call may have begun one meanwhile.
      while (current !== null) await close();
      current = { one, transfer: start(one, target.value, url) };
      while (one.size < 0 && !one.ended) await one.changed.promise;
      if (one.problem === null) return ok({ pack, filename, size: one.size });
      await close(pack);
      return fail(one.problem);
    },
    read: async (pack, offset) => {
      const one = current?.one;
      if (one?.pack !== pack || offset > one.size) return gone();
      const wanted = Math.min(CHUNK_MAX, one.size - offset);
      while (one.received < offset + wanted && !one.ended) await one.changed.promise;
      if (one.problem !== null) return fail(one.problem);
      if (current?.one !== one) return gone();
      try {
        const handle = await open(one.path, 'r');
        try {
          const { bytesRead, buffer } = await handle.read(
            new Uint8Array(wanted),
            0,
            wanted,
            offset,
          );
          return ok({ output: {}, bytes: buffer.subarray(0, bytesRead) });
        } finally {
          await handle.close();
        }
      } catch (error) {
        return failFile(error);
      }
    },
    close,
  };
};
