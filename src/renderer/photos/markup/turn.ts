/**
 * Turns a photo clockwise by quarters. Shapes are fractions of the turned picture: they turn with it, and their letters
 * stay upright.
 */
import { inside, type Edits, type Point, type QuarterTurns, type Shape } from './model.ts';

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

export const turnedSize = ({ width, height }: Extent, turn: QuarterTurns): Extent =>
  turn % 2 === 0 ? { width, height } : { width: height, height: width };

/** Maps a rectangle of the turned picture to the unturned one. @param whole the size of the turned picture */
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

/** Turns by one more quarter, with all shapes. Four turns change nothing. */
export const turned = ({ turn, ...edits }: Edits): Edits => {
  const next = (((turn ?? 0) + 1) % 4) as QuarterTurns;
  const shapes = edits.shapes.map(shapeTurned);
  return next === 0 ? { ...edits, shapes } : { ...edits, shapes, turn: next };
};
