/** Runs deliveries: one per photo at a time, each for one account, stopped with the host. */
import type { Delivery, PhotoTarget } from '../../contract/host.ts';
import { fail, ok, type Result } from '../../contract/problem.ts';
import { fileProblem } from '../lib/files.ts';
import type { Api, Target } from '../http/request.ts';
import type { Session } from '../session/session-types.ts';
import type { Checkpoints } from './checkpoint.ts';
import { deliver, type DeliverySteps } from './deliver.ts';
import type { SpooledPhoto } from './spool/spooled.ts';

export interface DeliverInput {
  readonly photo_id: string;
  readonly company_id: number;
  readonly project_id: number;
  readonly to: PhotoTarget;
  readonly key: string;
  readonly outcome_unknown: boolean;
  /** The original that the photo was edited from. */
  readonly original?: string | undefined;
  readonly account?: string | undefined;
}

export interface DeliveriesParts {
  readonly api: Api;
  readonly session: Session;
  readonly checkpoints: Checkpoints;
  find(photoId: string): Promise<Result<SpooledPhoto>>;
  upload(input: DeliverInput): Promise<Result<{ readonly upload_uuid: string }>>;
  readBack(
    input: DeliverInput,
    near_miss_id: number,
    upload_uuid: string | null,
  ): ReturnType<DeliverySteps['readBack']>;
  readBackEntry(
    input: DeliverInput,
    entry: {
      readonly time_and_material_entry_id: number;
      readonly attachment_id: number | null;
      readonly except: readonly number[];
    },
  ): ReturnType<DeliverySteps['readBackEntry']>;
  /** Every byte is uploaded, and the upload is about to be attached. */
  attaching(photo: SpooledPhoto): void;
}

interface Running {
  readonly name: string;
  readonly result: Promise<Result<Delivery>>;
}

export const createDeliveries = (parts: DeliveriesParts) => {
  const { api, session, checkpoints } = parts;
  const going = new Map<string, Running>();
  const stop = new AbortController();

  /** A request of one delivery. Reports a refused token; no later step is sent under another account (failures A9). */
  const requestAs =
    (account: string | undefined): DeliverySteps['request'] =>
    async (name, input) => {
      const to: Result<Target> = await session.target(account);
      if (!to.ok) return to;
      const answer = await api.call(to.value, name, input, stop.signal);
      return session.believe(to.value, answer);
    };

  const begin = async (input: DeliverInput): Promise<Result<Delivery>> => {
    const photo = await parts.find(input.photo_id);
    if (!photo.ok) return photo;
    const { photo_id, company_id, project_id } = input;
    const account = session.view().account ?? '';
    const steps: DeliverySteps = {
      photo: photo.value,
      company_id,
      project_id,
      request: requestAs(input.account),
      now: session.now,
      attaching: () => parts.attaching(photo.value),
      upload: async () => {
        const sent = await parts.upload(input);
        return sent.ok ? ok(sent.value.upload_uuid) : sent;
      },
      beginAnew: () => checkpoints.drop(photo_id),
      had: () => checkpoints.delivered(photo_id, account),
      keep: (delivered) => checkpoints.keepDelivered(photo_id, account, delivered),
      readBack: (near_miss_id, upload_uuid) => parts.readBack(input, near_miss_id, upload_uuid),
      readBackEntry: (time_and_material_entry_id, attachment_id, except) =>
        parts.readBackEntry(input, { time_and_material_entry_id, attachment_id, except }),
    };
    try {
      return await deliver(steps, input);
    } catch (error) {
      return fail(fileProblem(error));
    }
  };

  return {
    /** Starts a delivery or joins the same one in flight, as a reopened window asks again for its predecessor's. */
    deliver: (input: DeliverInput): Promise<Result<Delivery>> => {
      const { photo_id, to, key, account } = input;
      const name = JSON.stringify([account, key, to.kind, to.id]);
      const now = going.get(photo_id);
      if (now?.name === name) return now.result;
      const result = (now?.result ?? Promise.resolve())
        .then(() => begin(input))
        .finally(() => going.get(photo_id)?.result === result && going.delete(photo_id));
      going.set(photo_id, { name, result });
      return result;
    },
    close: async (): Promise<void> => {
      stop.abort();
      await Promise.allSettled([...going.values()].map(({ result }) => result));
    },
  };
};
