/** Pure. Zooms and pans a picture within its frame, keeping it in view. */
export interface Point {
  readonly x: number;
  readonly y: number;
}
export interface Size {
  readonly width: number;
  readonly height: number;
}
/** Scale relative to the fitting size, and offset of the center in CSS pixels. */
export interface View extends Point {
  readonly scale: number;
}

export const whole: View = { scale: 1, x: 0, y: 0 };
export const SCALE_MAX = 8;

/** `+ 0` avoids minus zero, which styles and comparisons distinguish from zero. */
const within = (value: number, most: number): number => Math.min(most, Math.max(-most, value)) + 0;

/** Pans the picture. Its edges never move inside the frame. */
export const panned = (view: View, dx: number, dy: number, { width, height }: Size): View => ({
  scale: view.scale,
  x: within(view.x + dx, ((view.scale - 1) * width) / 2),
  y: within(view.y + dy, ((view.scale - 1) * height) / 2),
});

/** Zooms by a factor around a point relative to the frame's center. The picture under that point stays in place. */
export const zoomed = (view: View, by: number, size: Size, around: Point = whole): View => {
  const scale = Math.min(SCALE_MAX, Math.max(1, view.scale * by));
  const keep = (at: number, moved: number) => at - ((at - moved) / view.scale) * scale;
  const next = { scale, x: keep(around.x, view.x), y: keep(around.y, view.y) };
  return panned(next, 0, 0, size);
};

export interface Pinch {
  readonly by: number;
  /** Current midpoint of the two fingers, and its movement, in client pixels. */
  readonly at: Point;
  readonly dx: number;
  readonly dy: number;
}

/** Tracks touching fingers by pointer id. */
export const createFingers = () => {
  const down = new Map<number, Point>();
  const pair = () => {
    const [one, two] = [...down.values()];
    return one && two
      ? {
          apart: Math.hypot(one.x - two.x, one.y - two.y),
          middle: { x: (one.x + two.x) / 2, y: (one.y + two.y) / 2 },
        }
      : null;
  };
  const put = ({ pointerId, clientX, clientY }: PointerEvent): void =>
    void down.set(pointerId, { x: clientX, y: clientY });
  return {
    get count(): number {
      return down.size;
    },
    down: put,
    up: ({ pointerId }: PointerEvent): void => void down.delete(pointerId),
    clear: (): void => down.clear(),
    /** Movement of two fingers since the last event. Null unless exactly two touch. */
    move: (event: PointerEvent): Pinch | null => {
      if (!down.has(event.pointerId)) return null;
      const before = pair();
      put(event);
      const now = pair();
      if (before === null || now === null) return null;
      return {
        by: before.apart > 0 ? now.apart / before.apart : 1,
        at: now.middle,
        dx: now.middle.x - before.middle.x,
        dy: now.middle.y - before.middle.y,
      };
    },
  };
};
