/**
 * Pure: a photo turned by a quarter at a time, clockwise. What is drawn on it is told in fractions of the picture as it is
 * turned: it turns with the picture, and its letters stay upright.
 */
import { inside, type Edits, type Point, type QuarterTurns, type Shape } from './model.ts';

/** A rectangle in any unit. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
interface Extent {
  readonly width: number;
  readonly height: number;
}

export const turnOf = ({ turn }: Pick<Edits, 'turn'>): QuarterTurns => turn ?? 0;

/** The size of a picture once it is turned. */
export const turnedSize = ({ width, height }: Extent, turn: QuarterTurns): Extent =>
  turn % 2 === 0 ? { width, height } : { width: height, height: width };

/** Where a rectangle of the turned picture lies in the picture as it came. @param whole of the turned picture */
export const unturned = (area: Area, whole: Extent, turn: QuarterTurns): Area => {
  const { x, y, width, height } = area;
  const [right, below] = [whole.width - x - width, whole.height - y - height];
  if (turn === 1) return { x: y, y: right, width: height, height: width };
  if (turn === 2) return { x: right, y: below, width, height };
  if (turn === 3) return { x: below, y: x, width: height, height: width };
  return area;
};

const pointTurned = ({ x, y }: Point): Point => inside({ x: 1 - y, y: x });

const shapeTurned = (shape: Shape): Shape => {
  switch (shape.kind) {
    case 'arrow':
      return { ...shape, from: pointTurned(shape.from), to: pointTurned(shape.to) };
    case 'line':
      return { ...shape, points: shape.points.map(pointTurned) };
    case 'text':
    case 'pin':
      return { ...shape, at: pointTurned(shape.at) };
    default: {
      const { width, height, ...from } = shape.box;
      const { x, y } = inside({ x: 1 - from.y - height, y: from.x });
      return { ...shape, box: { x, y, width: height, height: width } };
    }
  }
};

/** Turned by one more quarter, with all that is drawn on it. Four of them change nothing. */
export const turned = ({ turn, ...edits }: Edits): Edits => {
  const next = (((turn ?? 0) + 1) % 4) as QuarterTurns;
  const shapes = edits.shapes.map(shapeTurned);
  return next === 0 ? { ...edits, shapes } : { ...edits, shapes, turn: next };
};
