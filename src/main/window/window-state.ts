/**
 * Remembers the window's place in a file beside its profile. A remembered place is used only as far as it fits a present
 * screen.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const whole = z.number().int().min(-100_000).max(100_000);
const rectangle = z.object({ x: whole, y: whole, width: whole, height: whole });
export type Rectangle = z.infer<typeof rectangle>;

const windowState = z.object({
  bounds: rectangle,
  maximized: z.boolean(),
  /** Electron's zoom level: 0 is the actual size. */
  zoom: z.number().min(-5).max(5),
});
export type WindowState = z.infer<typeof windowState>;

export const SMALLEST = { width: 360, height: 560 } as const;
const FIRST = { width: 1280, height: 860 } as const;
/** The part of a window that must be on a screen, so that its title bar can be found and dragged. */
const GRIP = { width: 160, height: 40 } as const;

const overlap = (from: number, size: number, area: number, room: number): number =>
  Math.min(from + size, area + room) - Math.max(from, area);

const seen = ({ x, y, width }: Rectangle, area: Rectangle): boolean =>
  overlap(x, width, area.x, area.width) >= GRIP.width &&
  overlap(y, GRIP.height, area.y, area.height) >= GRIP.height;

/** Bounds for a new window: the remembered ones if their title bar is on a screen, otherwise only their size. */
export const placeOf = (
  state: WindowState | null,
  screens: readonly Rectangle[],
): Partial<Rectangle> & { readonly width: number; readonly height: number } => {
  if (state === null) return FIRST;
  const [room = { x: 0, y: 0, ...FIRST }] = screens.filter((area) => seen(state.bounds, area));
  const width = Math.max(SMALLEST.width, Math.min(state.bounds.width, room.width));
  const height = Math.max(SMALLEST.height, Math.min(state.bounds.height, room.height));
  const { x, y } = state.bounds;
  return screens.some((area) => seen(state.bounds, area))
    ? { x, y, width, height }
    : { width, height };
};

export const readWindowState = (path: string): WindowState | null => {
  try {
    return windowState.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null; // the first start, or a damaged file: the window opens where the system puts it
  }
};

/** Ignores errors: a full disk must not keep the window from closing. */
export const keepWindowState = (path: string, state: WindowState): void => {
  try {
    writeFileSync(path, JSON.stringify(state), { mode: 0o600 });
  } catch {
    return;
  }
};
