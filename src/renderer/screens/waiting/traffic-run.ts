/**
 * How far all photos are, over one run of the queue: a photo that is delivered stays in the sum, and one that is begun again
 * keeps what it had, so that the bar never runs backwards. Ends when nothing is on its way any more.
 */
import type { PhotoOnItsWay } from '../../outbox/photo-pace.ts';

type Photo = Pick<PhotoOnItsWay, 'photo_id' | 'size' | 'sent'>;

interface HowFar {
  readonly sent: number;
  readonly bytes: number;
}

interface TrafficRun {
  /** Photos of this run that are not on the list any more: were they delivered, or left out? */
  left(list: readonly Photo[]): readonly string[];
  /**
   * @param sentOf bytes of a photo that the server has, as far as they are told
   * @param delivered of those that left the list
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
