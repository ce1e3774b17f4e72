/** Has the server prove that it holds a photo, or reads it back and compares it byte by byte. A verified photo expires after the retention period. */
import { fail, ok, type Result } from '../../contract/problem.ts';
import { createProgress } from './announce.ts';
import type { DeliveriesParts } from './deliveries.ts';
import type { PhotosParts } from './photos-parts.ts';
import { challenge } from './prove.ts';
import type { Spool } from './spool/spool-types.ts';
import { type ReadJob, verifyPhoto } from './verify.ts';
import { type AttachmentJob, verifyAttachment } from './verify-attachment.ts';

export interface ReadInput {
  readonly photo_id: string;
  /** The original that the photo was edited from. */
  readonly original?: string | undefined;
  readonly account?: string | undefined;
}

type FindInput = Pick<AttachmentJob, 'project_id' | 'time_and_material_entry_id' | 'except'> &
  Pick<ReadInput, 'photo_id' | 'account'>;

export const createReadBack = (parts: PhotosParts, spool: Spool) => {
  const { session, emit } = parts;
  const controllers = new Set<AbortController>();
  /** Once set, nothing new starts. */
  let closed = false;

  /** Shared by both ways of reading back. Stops with the host and reports a refused token. */
  const reading = async <T>(
    input: ReadInput,
    read: (common: ReadJob) => Promise<Result<T>>,
  ): Promise<Result<T>> => {
    const photo = await spool.find(input.photo_id);
    if (!photo.ok) return photo;
    const target = await session.target(input.account);
    if (!target.ok) return target;
    if (closed) return fail({ kind: 'cancelled' });
    const progress = createProgress(emit, photo.value, parts.clock.monotonic);
    const controller = new AbortController();
    controllers.add(controller);
    const receipt = await read({
      photo: photo.value,
      target: target.value,
      heard: (bytes) => progress('verifying', bytes),
      now: session.now,
      signal: controller.signal,
      challenge: () =>
        parts.settings().photo_read_back
          ? null
          : challenge(photo.value, (one) => spool.stream(one, 0, one.size)),
    }).finally(() => controllers.delete(controller));
    return session.believe(target.value, receipt);
  };

  /** The server's copy is verified: from now on the photo expires after the retention period. */
  const proven = async <T>(input: ReadInput, receipt: Result<T>): Promise<Result<T>> => {
    if (receipt.ok && receipt.value !== null)
      await spool.delivered(input.photo_id, parts.clock.now(), input.original).catch(() => {
        // Not recorded: the photo stays on this laptop and only takes space.
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

  const findAttachment = async (input: FindInput) => {
    const found = await reading(input, (common) =>
      verifyAttachment(parts, { ...input, attachment_id: null, ...common }),
    );
    return found.ok ? ok({ attachment_id: found.value?.attachment_id ?? null }) : found;
  };

  const abort = (): void => {
    closed = true;
    for (const controller of controllers) controller.abort();
  };

  return { readBack, readBackEntry, findAttachment, abort };
};
