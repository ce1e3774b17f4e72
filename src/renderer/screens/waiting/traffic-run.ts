/**
 * Overall photo progress over one run of the queue. Delivered photos stay in the sum and restarted ones keep their
 * progress, so that the bar never runs backwards. The run ends when no photo is pending.
 */
import type { PhotoOnItsWay } from '../../outbox/queue/upload-policy.ts';

type Photo = Pick<PhotoOnItsWay, 'photo_id' | 'size' | 'sent'>;

interface HowFar {
  readonly sent: number;
  readonly bytes: number;
}

interface TrafficRun {
  /** Photos of this run that are no longer pending: delivered or left out. */
  left(list: readonly Photo[]): readonly string[];
  /**
   * @param sentOf bytes of a photo that the server has acknowledged, as far as known
   * @param delivered the photos of `left()` that were delivered
   */
  follow(
    list: readonly Photo[],
    sentOf: (photo_id: string) => number,
    delivered: ReadonlySet<string>,
  ): HowFar;
}

export const createTrafficRun = (): TrafficRun => {
  const run = new Map<string, { readonly size: number; sent: number }>();
  return {
    left(list) {
      const still = new Set(list.map(({ photo_id }) => photo_id));
      return [...run.keys()].filter((photo_id) => !still.has(photo_id));
    },
    follow(list, sentOf, delivered) {
      if (list.length === 0) run.clear();
      for (const { photo_id, size, sent } of list) {
        const had = run.get(photo_id)?.sent ?? 0;
        const now = sent ? size : Math.min(size, sentOf(photo_id));
        run.set(photo_id, { size, sent: Math.max(had, now) });
      }
      const still = new Set(list.map(({ photo_id }) => photo_id));
      for (const [photo_id, photo] of run) {
        if (still.has(photo_id)) continue;
        if (delivered.has(photo_id)) photo.sent = photo.size;
        else run.delete(photo_id);
      }
      const all = [...run.values()];
      return {
        sent: all.reduce((sum, photo) => sum + photo.sent, 0),
        bytes: all.reduce((sum, photo) => sum + photo.size, 0),
      };
    },
  };
};
