/** Fetches the evidence pack of a near miss through the host (decisions §19.2), as a stream that is read piece by piece. Works online only. */
import { ulid } from 'ulid';
import type { Language } from '../../../contract/languages.ts';
import { fail, ok, type Problem, type Result } from '../../../contract/problem.ts';
import type { Deps, NearMissRow } from '../db/db.ts';

export interface PackWanted {
  readonly with_names: boolean;
  readonly language: Language;
}

export interface EvidencePack {
  /** Its body fails with a `PackFailed`. */
  readonly response: Response;
  readonly filename: string;
  /** Bytes of the whole. */
  readonly size: number;
  /** Deletes the host's copy. Cancels what has not arrived yet. */
  readonly close: () => Promise<unknown>;
}

export class PackFailed extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.kind);
    this.problem = problem;
  }
}

export const fetchEvidence = async (
  { host }: Pick<Deps, 'host'>,
  { project_id, server_id, account }: Pick<NearMissRow, 'project_id' | 'server_id' | 'account'>,
  wanted: PackWanted,
): Promise<Result<EvidencePack>> => {
  if (server_id === null) return fail({ kind: 'gone', status: 404, messages: [] });
  const place = { project_id, near_miss_id: server_id, account };
  const opened = await host.call('evidence.open', { ...place, ...wanted, key: ulid() });
  if (!opened.ok) return opened;
  const { pack, filename, size } = opened.value;
  let offset = 0;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: async (controller) => {
      if (offset >= size) return controller.close();
      const read = await host.call('evidence.read', { pack, offset });
      if (!read.ok) return controller.error(new PackFailed(read.problem));
      offset += read.value.bytes.length;
      controller.enqueue(read.value.bytes);
    },
  });
  const close = () => host.call('evidence.close', { pack });
  return ok({ response: new Response(stream), filename, size, close });
};
