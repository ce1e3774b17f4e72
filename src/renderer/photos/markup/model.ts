/**
 * What a person drew on a photo, as data beside the original: a closed list of shapes, every place and length a fraction of the
 * whole upright picture, so that it means the same on a thumbnail and on 48 megapixels. The original is never touched; a rendition
 * is made from both. Everything here is pure and gives a new value.
 */
import { z } from 'zod';

export const TEXT_MAX = 120;
export const SHAPES_MAX = 200;
const POINTS_MAX = 2000;
/** Nothing becomes smaller than this: it could not be found again. */
const SMALLEST = 0.01;
export const SIZE_MAX = 5;

const fraction = z.number().min(0).max(1);
const pointSchema = z.strictObject({ x: fraction, y: fraction });
const boxSchema = z.strictObject({ x: fraction, y: fraction, width: fraction, height: fraction });

export const colours = ['red', 'orange', 'yellow', 'green', 'blue', 'white', 'black'] as const;
const pen = {
  id: z.string().min(1),
  colour: z.enum(colours),
  /** Thickness of a line, height of a text: 1 to 5. */
  size: z.number().int().min(1).max(SIZE_MAX),
};

const shapeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('arrow'), ...pen, from: pointSchema, to: pointSchema }),
  z.strictObject({ kind: z.literal('ellipse'), ...pen, box: boxSchema }),
  z.strictObject({
    kind: z.literal('line'),
    ...pen,
    points: z.array(pointSchema).min(2).max(POINTS_MAX),
  }),
  z.strictObject({
    kind: z.literal('text'),
    ...pen,
    at: pointSchema,
    text: z.string().max(TEXT_MAX),
  }),
  /** A pin's number is its place among the pins: taking one off leaves no gap. */
  z.strictObject({ kind: z.literal('pin'), ...pen, at: pointSchema }),
  z.strictObject({ kind: z.literal('blur'), id: pen.id, box: boxSchema }),
  /** What is left of the picture. At most one. */
  z.strictObject({ kind: z.literal('crop'), id: pen.id, box: boxSchema }),
]);

export const editsSchema = z.strictObject({
  version: z.literal(1),
  shapes: z
    .array(shapeSchema)
    .max(SHAPES_MAX)
    .refine((shapes) => shapes.filter(({ kind }) => kind === 'crop').length <= 1)
    .refine((shapes) => new Set(shapes.map(({ id }) => id)).size === shapes.length),
  /** Pixels of the longer side of what is sent; null: as large as it is. */
  max_side: z.number().int().positive().nullable(),
  /** Quarters that the picture is turned by, clockwise; shapes are told on the turned picture. Left out: as it came. */
  turn: z.literal([1, 2, 3]).optional(),
});

export type Point = Readonly<z.infer<typeof pointSchema>>;
export type Box = Readonly<z.infer<typeof boxSchema>>;
export type Colour = (typeof colours)[number];
export type Shape = Readonly<z.infer<typeof shapeSchema>>;
export type ShapeKind = Shape['kind'];
/** Clockwise. */
export type QuarterTurns = 0 | 1 | 2 | 3;
export interface Edits {
  readonly version: 1;
  readonly shapes: readonly Shape[];
  readonly max_side: number | null;
  readonly turn?: QuarterTurns | undefined;
}
export interface Pen {
  readonly colour: Colour;
  readonly size: number;
}

export const noEdits = (max_side: number | null): Edits => ({ version: 1, shapes: [], max_side });

/** What stands in a photo's row; null where this version cannot read it. */
export const readEdits = (raw: unknown): Edits | null => {
  const read = editsSchema.safeParse(raw);
  return read.success ? read.data : null;
};

/** Something is drawn or cropped. A text without letters draws nothing. */
export const hasMarks = ({ shapes }: Edits): boolean =>
  shapes.some((shape) => shape.kind !== 'text' || shape.text.trim() !== '');

/** What is sent differs from the original in more than its size. */
export const isMarked = (edits: Edits): boolean => hasMarks(edits) || (edits.turn ?? 0) !== 0;

const clamp = (value: number, low: number, high: number): number =>
  Math.min(Math.max(value, low), Math.max(low, high));
export const inside = ({ x, y }: Point): Point => ({ x: clamp(x, 0, 1), y: clamp(y, 0, 1) });

/** The box between two corners, whichever way it was drawn, inside the picture and large enough to be found again. */
export const boxBetween = (one: Point, other: Point): Box => {
  const [a, b] = [inside(one), inside(other)];
  const width = clamp(Math.abs(a.x - b.x), SMALLEST, 1);
  const height = clamp(Math.abs(a.y - b.y), SMALLEST, 1);
  return {
    x: clamp(Math.min(a.x, b.x), 0, 1 - width),
    y: clamp(Math.min(a.y, b.y), 0, 1 - height),
    width,
    height,
  };
};

/** The points of a shape that cannot be told from its text or number. */
const cornersOf = (shape: Shape): readonly Point[] => {
  switch (shape.kind) {
    case 'arrow':
      return [shape.from, shape.to];
    case 'line':
      return shape.points;
    case 'text':
    case 'pin':
      return [shape.at];
    default: {
      const { x, y, width, height } = shape.box;
      return [
        { x, y },
        { x: x + width, y: y + height },
      ];
    }
  }
};

/** The smallest box around a shape's points. */
export const boundsOf = (shape: Shape): Box => {
  const points = cornersOf(shape);
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
};

const mapped = (shape: Shape, to: (point: Point) => Point): Shape => {
  switch (shape.kind) {
    case 'arrow':
      return { ...shape, from: to(shape.from), to: to(shape.to) };
    case 'line':
      return { ...shape, points: shape.points.map(to) };
    case 'text':
    case 'pin':
      return { ...shape, at: to(shape.at) };
    default: {
      const { width, height } = shape.box;
      const { x, y } = to(shape.box);
      return {
        ...shape,
        box: { x: Math.min(x, 1 - width), y: Math.min(y, 1 - height), width, height },
      };
    }
  }
};

/** Moved as a whole: it stops at the picture's edge and keeps its form. */
export const moved = (shape: Shape, dx: number, dy: number): Shape => {
  const { x, y, width, height } = boundsOf(shape);
  const by = {
    x: clamp(dx, -x, Math.max(0, 1 - width - x)),
    y: clamp(dy, -y, Math.max(0, 1 - height - y)),
  };
  return mapped(shape, (point) => inside({ x: point.x + by.x, y: point.y + by.y }));
};

/** Grown or shrunk at its lower right end; an arrow at its tip; text and pins by a step of size. */
export const resized = (shape: Shape, dx: number, dy: number): Shape => {
  switch (shape.kind) {
    case 'arrow':
      return { ...shape, to: inside({ x: shape.to.x + dx, y: shape.to.y + dy }) };
    case 'text':
    case 'pin':
      return { ...shape, size: clamp(shape.size + Math.sign(dx + dy), 1, SIZE_MAX) };
    case 'line': {
      const { x, y, width, height } = boundsOf(shape);
      // A straight line across has no height that could grow.
      const wide = width < SMALLEST ? 1 : clamp(width + dx, SMALLEST, 1 - x) / width;
      const high = height < SMALLEST ? 1 : clamp(height + dy, SMALLEST, 1 - y) / height;
      return mapped(shape, (point) =>
        inside({ x: x + (point.x - x) * wide, y: y + (point.y - y) * high }),
      );
    }
    default: {
      const { x, y, width, height } = shape.box;
      return {
        ...shape,
        box: {
          x,
          y,
          width: clamp(width + dx, Math.min(SMALLEST, 1 - x), 1 - x),
          height: clamp(height + dy, Math.min(SMALLEST, 1 - y), 1 - y),
        },
      };
    }
  }
};

/** A shape as a drag from one point to another begins it. */
export const begun = (kind: ShapeKind, id: string, pen: Pen, from: Point, to: Point): Shape => {
  switch (kind) {
    case 'arrow':
      return { kind, id, ...pen, from: inside(from), to: inside(to) };
    case 'line':
      return { kind, id, ...pen, points: [inside(from), inside(to)] };
    case 'text':
      return { kind, id, ...pen, at: inside(to), text: '' };
    case 'pin':
      return { kind, id, ...pen, at: inside(to) };
    case 'ellipse':
      return { kind, id, ...pen, box: boxBetween(from, to) };
    default:
      return { kind, id, box: boxBetween(from, to) };
  }
};

/** A free line goes on. Points closer than the eye sees are left out, and it ends where it would become too long. */
export const drawnOn = (shape: Shape, point: Point): Shape => {
  if (shape.kind !== 'line') return shape;
  const last = shape.points.at(-1);
  const at = inside(point);
  const near = last !== undefined && Math.hypot(at.x - last.x, at.y - last.y) < 0.002;
  return near || shape.points.length >= POINTS_MAX
    ? shape
    : { ...shape, points: [...shape.points, at] };
};

/** A shape in the middle, for those who do not point: to be moved and resized by keys. */
export const inTheMiddle = (kind: ShapeKind, id: string, pen: Pen): Shape => {
  if (kind === 'crop') return begun(kind, id, pen, { x: 0.1, y: 0.1 }, { x: 0.9, y: 0.9 });
  if (kind === 'text') return begun(kind, id, pen, { x: 0.5, y: 0.5 }, { x: 0.4, y: 0.5 });
  if (kind === 'pin') return begun(kind, id, pen, { x: 0.5, y: 0.5 }, { x: 0.5, y: 0.5 });
  if (kind === 'line') {
    const points = Array.from({ length: 25 }, (_, at) => ({
      x: 0.35 + at * 0.0125,
      y: 0.5 + 0.05 * Math.sin((at / 24) * 2 * Math.PI),
    }));
    return { kind, id, ...pen, points };
  }
  return begun(kind, id, pen, { x: 0.4, y: 0.4 }, { x: 0.6, y: 0.6 });
};

/** Adds or replaces a shape by its id; a crop takes the place of the one before. Null where no more fit. */
export const withShape = (edits: Edits, shape: Shape): Edits | null => {
  const there = edits.shapes.some(({ id }) => id === shape.id);
  if (there)
    return { ...edits, shapes: edits.shapes.map((one) => (one.id === shape.id ? shape : one)) };
  const kept =
    shape.kind === 'crop' ? edits.shapes.filter(({ kind }) => kind !== 'crop') : edits.shapes;
  return kept.length >= SHAPES_MAX ? null : { ...edits, shapes: [...kept, shape] };
};

export const withoutShape = (edits: Edits, id: string): Edits => ({
  ...edits,
  shapes: edits.shapes.filter((one) => one.id !== id),
});

/** 1, 2, 3 … among the shapes of its kind: a pin's number, and what lists call it. */
export const ordinalOf = ({ shapes }: Pick<Edits, 'shapes'>, shape: Shape): number =>
  shapes.filter(({ kind }) => kind === shape.kind).findIndex(({ id }) => id === shape.id) + 1;

export const cropOf = ({ shapes }: Edits): Box =>
  shapes.find((shape) => shape.kind === 'crop')?.box ?? { x: 0, y: 0, width: 1, height: 1 };
