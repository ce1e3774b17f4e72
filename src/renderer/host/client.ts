/**
 * The window's typed client for the host: every method of contract/host.ts, every REST endpoint, and the events. Responses are
 * validated before use. Nothing throws: an expected failure is a `Result`, and a response that violates the contract is a `bug`.
 */
import { type CarrierReply, carriedResult } from '../../contract/carrier.ts';
import {
  CHUNK_MAX,
  type HostAnswer,
  type HostEvent,
  type HostInput,
  type HostMethod,
  hostEvent,
  hostMethods,
  type PhotoFacts,
} from '../../contract/host.ts';
import { fail, ok, type Result } from '../../contract/problem.ts';
import type { EndpointName, Reply, RequestInput } from '../../contract/rest/index.ts';
import { pickCarrier } from './carrier.ts';
import type { WindowCarrier } from './window-carrier.ts';

type HostEventKind = HostEvent['kind'];

export interface Host {
  /** Calls one host method. Methods that return bytes answer `{output, bytes}`, all others their output. */
  call<M extends HostMethod>(
    method: M,
    input: HostInput<M>,
    bytes?: Uint8Array<ArrayBuffer>,
  ): Promise<Result<HostAnswer<M>>>;

  /** Calls one REST endpoint by its name in contract/rest. */
  /** With `account`: sent only as that account, else `cancelled`. */
  request<N extends EndpointName>(
    name: N,
    input: RequestInput<N>,
    account?: string,
  ): Promise<Result<Reply<N>>>;

  /** Subscribes to every event, or to events of one kind. Returns the function that unsubscribes. */
  listen(hear: (event: HostEvent) => void): () => void;
  listen<K extends HostEventKind>(
    kind: K,
    hear: (event: Extract<HostEvent, { kind: K }>) => void,
  ): () => void;

  /**
   * Sends a photo's bytes to the host, CHUNK_MAX at a time, so the whole file is never in memory. Resolves when the original is
   * on disk and hashed. `onProgress` receives the bytes written and the file's size. If `signal` aborts, it answers `cancelled`
   * and nothing is kept. `attachment`: a file of any kind.
   */
  sendPhoto(
    file: Blob,
    photo_id: string,
    filename: string,
    onProgress?: (written: number, size: number) => void,
    signal?: AbortSignal,
    purpose?: 'photo' | 'attachment',
  ): Promise<Result<PhotoFacts>>;
}

const bug = (detail: string): Result<never> => fail({ kind: 'bug', detail });

type Parsed = { readonly success: true; readonly data: unknown } | { readonly success: false };

export const createHost = (carrier: WindowCarrier): Host => {
  const call: Host['call'] = (method, input, bytes) =>
    judged(method, carrier.call(method, input, bytes));

  const judged = async <M extends HostMethod>(
    method: M,
    sent: Promise<CarrierReply>,
  ): Promise<Result<HostAnswer<M>>> => {
    const reply = await sent.catch((error: unknown) => ({
      result: bug(String(error)),
      bytes: undefined,
    }));
    const carried = carriedResult.safeParse(reply.result);
    if (!carried.success) return bug(`${method}: the host's answer is not a result`);
    if (!carried.data.ok) return carried.data;
    const output: Parsed = hostMethods[method].output.safeParse(carried.data.value);
    if (!output.success) return bug(`${method}: the host's answer has not the agreed shape`);
    if (hostMethods[method].bytes !== 'out') return ok(output.data as HostAnswer<typeof method>);
    if (reply.bytes === undefined) return bug(`${method}: the host's answer has no bytes`);
    return ok({ output: output.data, bytes: reply.bytes } as HostAnswer<typeof method>);
  };

  /** The file may vanish or change while it is read (a pulled memory card). */
  const writePart = async (photo_id: string, offset: number, part: Blob) => {
    const unreadable = (): Result<never> =>
      fail({ kind: 'photo_damaged', photo_id, reason: 'unreadable' });
    const input = { photo_id, offset };
    if (carrier.callWithFile === undefined) {
      const bytes = await part.arrayBuffer().catch(() => null);
      if (bytes === null) return unreadable();
      return call('photos.write', input, new Uint8Array(bytes));
    }
    const written = await judged('photos.write', carrier.callWithFile('photos.write', input, part));
    if (written.ok || written.problem.kind !== 'offline') return written;
    // Nothing arrived. Reading one byte tells whether the host or the file failed.
    const byte = await part
      .slice(0, 1)
      .arrayBuffer()
      .catch(() => null);
    return byte === null ? unreadable() : written;
  };

  const listen = (
    first: HostEventKind | ((event: HostEvent) => void),
    second?: (event: never) => void,
  ): (() => void) => {
    const hear = typeof first === 'function' ? first : (second as (event: HostEvent) => void);
    return carrier.listen((raw) => {
      const event = hostEvent.safeParse(raw);
      if (event.success && (typeof first === 'function' || event.data.kind === first))
        hear(event.data);
    });
  };

  return {
    call,
    listen,

    async request(name, input, account) {
      const { params, query, body, idempotency_key, if_match, if_none_match, doubted_id } = input;
      const answer = await call('rest.request', {
        endpoint: name,
        ...(account === undefined ? {} : { account }),
        input: {
          params: params as Record<string, string | number>,
          ...(query === undefined ? {} : { query: query as Record<string, unknown> }),
          ...(body === undefined ? {} : { body }),
          ...(idempotency_key === undefined ? {} : { idempotency_key }),
          ...(if_match === undefined ? {} : { if_match }),
          ...(if_none_match === undefined ? {} : { if_none_match }),
          ...(doubted_id === undefined ? {} : { doubted_id }),
        },
      });
      // The host validated `data` with the endpoint's reply schema; its outputs are plain JSON.
      return answer as Result<Reply<typeof name>>;
    },

    async sendPhoto(file, photo_id, filename, onProgress, signal, purpose) {
      const size = file.size;
      const begun = await call('photos.begin', {
        photo_id,
        filename,
        size,
        ...(purpose === undefined ? {} : { purpose }),
      });
      if (!begun.ok) return begun;
      for (let offset = 0; offset < file.size; offset += CHUNK_MAX) {
        if (signal?.aborted) {
          await call('photos.discard', { photo_id });
          return fail({ kind: 'cancelled' });
        }
        const written = await writePart(photo_id, offset, file.slice(offset, offset + CHUNK_MAX));
        if (!written.ok) return written;
        onProgress?.(written.value.received, file.size);
      }
      return call('photos.finish', { photo_id });
    },
  };
};

let picked: WindowCarrier | undefined;
const carrier = (): WindowCarrier => (picked ??= pickCarrier());

/** This window's host. The carrier is picked at the first call. */
export const host: Host = createHost({
  call: (method, input, bytes) => carrier().call(method, input, bytes),
  get callWithFile() {
    return carrier().callWithFile;
  },
  listen: (hear) => carrier().listen(hear),
});
