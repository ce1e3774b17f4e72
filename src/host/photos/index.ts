/** The photos' part of the door: spool, upload, receipt, and what keeps two calls for one photo apart. */
import { join } from 'node:path';
import type { HostEvent } from '../../contract/host.ts';
import { fail, ok, type Result } from '../../contract/problem.ts';
import type { Clock } from '../clock.ts';
import { failFile } from '../files.ts';
import type { Api } from '../request.ts';
import type { Session } from '../session.ts';
import type { Transport } from '../transport.ts';
import { createProgress } from './announce.ts';
import { openCheckpoints } from './checkpoint.ts';
import { createDeliveries, type DeliveriesParts } from './deliveries.ts';
import { openFreed, type FreedSoFar } from './freed.ts';
import { createKeeper } from './keeper.ts';
import { createLink } from './layout.ts';
import { openUnclaimedPhotos } from './unclaimed-photos.ts';
import type { SpoolUsage } from './spool-index.ts';
import { openSpool } from './spool.ts';
import { uploadPhoto } from './upload.ts';
import { fetchAttachment, type FileOf, type Wanted } from './fetch.ts';
import { type ReadJob, verifyPhoto } from './verify.ts';
import { type AttachmentJob, verifyAttachment } from './verify-attachment.ts';

export interface PhotosParts {
  readonly folder: string;
  readonly api: Api;
  readonly transport: Transport;
  readonly session: Session;
  readonly clock: Clock;
  readonly tell: (event: HostEvent) => void;
  /** Does a queued entry or a draft still need this photo? */
  readonly named: (photoId: string) => boolean;
  /** Does a queued entry hold this text, as the hash of a photo's bytes? */
  readonly mentions: (text: string) => boolean;
  /** Days a photo stays here after its delivery was proven. */
  readonly keep_days: () => number;
  readonly free_space?: ((folder: string) => Promise<number>) | undefined;
}

interface Running {
  readonly key: string;
  readonly result: Promise<Result<{ upload_uuid: string }>>;
  readonly controller: AbortController;
}

interface UploadInput {
  readonly photo_id: string;
  readonly company_id: number;
  readonly account?: string | undefined;
}

interface ReadInput {
  readonly photo_id: string;
  /** What the photo was made from. */
  readonly original?: string | undefined;
  readonly account?: string | undefined;
}

type FindInput = Pick<AttachmentJob, 'project_id' | 'time_and_material_entry_id' | 'except'> &
  Pick<ReadInput, 'photo_id' | 'account'>;

export const openPhotos = async (parts: PhotosParts) => {
  const { session, tell } = parts;
  const spool = await openSpool(parts.folder, parts.free_space, parts.named, parts.mentions);
  const checkpoints = await openCheckpoints(join(parts.folder, 'uploads'));
  const link = createLink();
  const sending = new Map<string, Running>();
  const others = new Set<AbortController>();
  /** From now on nothing is begun: not even what a delivery does next. */
  let closed = false;
  const freed = await openFreed(join(parts.folder, 'freed.json'));
  const needed = (photoId: string): boolean => parts.named(photoId) || sending.has(photoId);
  const keeper = createKeeper({
    spool,
    checkpoints,
    freed,
    clock: parts.clock,
    keep_days: parts.keep_days,
    needed,
    mentions: parts.mentions,
  });
  /** Let go of while the journal still named them: they go when it does not. */
  const unwanted = new Set<string>();

  const begin = async (input: UploadInput, signal: AbortSignal) => {
    const { photo_id: photoId, company_id: companyId, account } = input;
    const photo = await spool.find(photoId);
    if (!photo.ok) return photo;
    const target = await session.target(account);
    if (!target.ok) return target;
    if (signal.aborted) return fail({ kind: 'cancelled' });
    if (target.value.company_id !== companyId) {
      const message = `The session is of company ${target.value.company_id}, not ${companyId}.`;
      return fail({ kind: 'bad_input', messages: [message], fields: { company_id: [message] } });
    }
    const result = await uploadPhoto(
      { ...parts, spool, checkpoints, link },
      { photo: photo.value, target: target.value, account: session.view().account ?? '', signal },
    );
    if (!result.ok) await session.heard(target.value, result);
    return result;
  };

  /** One upload per photo at a time; asked again meanwhile, the same answer serves both. */
  const upload = (input: UploadInput): Promise<Result<{ upload_uuid: string }>> => {
    const { photo_id: photoId, company_id: companyId } = input;
    const key = `${session.view().account} ${companyId}`;
    const now = sending.get(photoId);
    if (now?.key === key && !now.controller.signal.aborted) return now.result;
    now?.controller.abort();
    const controller = new AbortController();
    if (closed) controller.abort();
    const result = (now?.result ?? Promise.resolve())
      .then(() => begin(input, controller.signal))
      .finally(() => sending.get(photoId)?.controller === controller && sending.delete(photoId));
    sending.set(photoId, { key, result, controller });
    return result;
  };

  const cancel = async (photoId: string): Promise<void> => {
    const now = sending.get(photoId);
    now?.controller.abort();
    await now?.result;
  };

  /** What both ways of reading back need; stopped with the host, and a refused token is heard. */
  const reading = async <T>(
    input: ReadInput,
    read: (common: ReadJob) => Promise<Result<T>>,
  ): Promise<Result<T>> => {
    const photo = await spool.find(input.photo_id);
    if (!photo.ok) return photo;
    const target = await session.target(input.account);
    if (!target.ok) return target;
    if (closed) return fail({ kind: 'cancelled' });
    const progress = createProgress(tell, photo.value, parts.clock.monotonic);
    const controller = new AbortController();
    others.add(controller);
    const receipt = await read({
      photo: photo.value,
      target: target.value,
      heard: (bytes) => progress('verifying', bytes),
      now: session.now,
      signal: controller.signal,
    }).finally(() => others.delete(controller));
    if (!receipt.ok) await session.heard(target.value, receipt);
    return receipt;
  };

  /** Equal, byte for byte: from now on it may go, once it was kept long enough. */
  const proven = async <T>(input: ReadInput, receipt: Result<T>): Promise<Result<T>> => {
    if (receipt.ok && receipt.value !== null)
      await spool.delivered(input.photo_id, parts.clock.now(), input.original).catch(() => {
        // Not noted: it stays on this laptop, which harms nothing but its space.
      });
    return receipt;
  };

  const readBack: DeliveriesParts['readBack'] = async (input, near_miss_id, upload_uuid) => {
    const place = { project_id: input.project_id, near_miss_id };
    const receipt = await reading(input, (common) =>
      verifyPhoto(parts, { ...common, place, upload_uuid }),
    );
    return proven(input, receipt);
  };

  const readBackEntry: DeliveriesParts['readBackEntry'] = async (input, entry) => {
    const { project_id } = input;
    const receipt = await reading(input, (common) =>
      verifyAttachment(parts, { ...entry, project_id, ...common }),
    );
    return proven(input, receipt);
  };

  const deliveries = createDeliveries({
    api: parts.api,
    session,
    checkpoints,
    find: spool.find,
    upload,
    readBack,
    readBackEntry,
    attaching: (photo) =>
      createProgress(tell, photo, parts.clock.monotonic)('attaching', photo.size),
  });

  const drop = async (photoId: string): Promise<Result<{ dropped: boolean }>> => {
    // A head start on its bytes that nobody waits for any more.
    await cancel(photoId);
    const dropped = await spool.discard(photoId);
    if (!dropped.ok) return dropped;
    await checkpoints.dropAll(photoId);
    return ok({ dropped: true });
  };
  /** What was to go goes as soon as nothing names it. */
  const letGo = (): void => {
    for (const photoId of unwanted) {
      if (parts.named(photoId)) continue;
      unwanted.delete(photoId);
      void drop(photoId);
    }
  };
  const unclaimed = await openUnclaimedPhotos({
    folder: join(parts.folder, 'claims'),
    spool,
    clock: parts.clock,
    needed,
    discard: drop,
  });

  return {
    spool,
    upload,
    deliver: deliveries.deliver,
    delivery: async (photoId: string) => {
      const had = await checkpoints.get(photoId);
      const delivered = await checkpoints.delivered(photoId, session.view().account ?? '');
      return ok({
        segments: had?.etags.filter((etag) => etag !== null).length ?? 0,
        uploaded: had?.done ?? false,
        hung: delivered?.hung ?? 'no',
      });
    },
    cancel,
    findAttachment: async (input: FindInput) => {
      const found = await reading(input, (common) =>
        verifyAttachment(parts, { ...input, attachment_id: null, ...common }),
      );
      return found.ok ? ok({ attachment_id: found.value?.attachment_id ?? null }) : found;
    },
    restart: async (photoId: string): Promise<void> => {
      await cancel(photoId);
      await checkpoints.dropAll(photoId);
      await spool.undelivered(photoId);
    },
    usage: async (): Promise<Result<SpoolUsage & { readonly freed: FreedSoFar }>> => {
      try {
        return ok({ ...(await spool.usage()), freed: freed.soFar() });
      } catch (error) {
        return failFile(error);
      }
    },
    letGo,
    /** Something the queue needed may be needed no more. */
    settled: (): void => {
      keeper.soon();
      letGo();
    },
    discard: async (photoId: string): Promise<Result<{ dropped: boolean }>> => {
      if (!parts.named(photoId)) return drop(photoId);
      unwanted.add(photoId);
      return ok({ dropped: false });
    },
    /** See unclaimed-photos.ts. */
    claim: async (store: string, photoIds: readonly string[]) => {
      try {
        return ok({ dropped: await unclaimed.claim(store, photoIds) });
      } catch (error) {
        return failFile(error);
      }
    },
    attachment: async (input: Wanted & FileOf) => {
      const target = await session.target();
      if (!target.ok) return target;
      const fetched = await fetchAttachment(parts, target.value, input);
      if (!fetched.ok) await session.heard(target.value, fetched);
      return fetched;
    },
    close: async (): Promise<void> => {
      closed = true;
      await keeper.stop();
      for (const controller of others) controller.abort();
      const running = [...sending.values()];
      for (const one of running) one.controller.abort();
      await deliveries.close();
      await Promise.allSettled(running.map((one) => one.result));
      await spool.close();
    },
  };
};
export type Photos = Awaited<ReturnType<typeof openPhotos>>;
