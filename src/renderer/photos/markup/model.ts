/**
 * Markup as data beside the original: a closed list of shapes. Every position and length is a fraction of the whole
 * upright picture, so that it fits a thumbnail and 48 megapixels alike. The original is never changed; a rendition is
 * made from both. All functions are pure and return a new value.
 */
import { z } from 'zod';

export const TEXT_MAX = 120;
export const SHAPES_MAX = 200;
const POINTS_MAX = 2000;
/** The smallest size, because anything smaller could not be found again. */
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
  /** A pin's number is its position among the pins, so that removing one leaves no gap. */
  z.strictObject({ kind: z.literal('pin'), ...pen, at: pointSchema }),
  z.strictObject({ kind: z.literal('blur'), id: pen.id, box: boxSchema }),
  /** The part of the picture that remains. At most one. */
  z.strictObject({ kind: z.literal('crop'), id: pen.id, box: boxSchema }),
]);

const editsSchema = z.strictObject({
  version: z.literal(1),
  shapes: z
    .array(shapeSchema)
    .max(SHAPES_MAX)
    .refine((shapes) => shapes.filter(({ kind }) => kind === 'crop').length <= 1)
    .refine((shapes) => new Set(shapes.map(({ id }) => id)).size === shapes.length),
  /** Longer side of the rendition, in pixels; null keeps the original size. */
  max_side: z.number().int().positive().nullable(),
  /** Quarter turns of the picture, clockwise; shapes refer to the turned picture. Omitted: unturned. */
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

/** The markup of a photo's row; null if this version cannot read it. */
export const readEdits = (raw: unknown): Edits | null => {
  const read = editsSchema.safeParse(raw);
  return read.success ? read.data : null;
};

/** True if something is drawn or cropped. An empty text draws nothing. */
export const hasMarks = ({ shapes }: Edits): boolean =>
  shapes.some((shape) => shape.kind !== 'text' || shape.text.trim() !== '');

/** True if the rendition differs from the original in more than its size. */
export const isMarked = (edits: Edits): boolean => hasMarks(edits) || (edits.turn ?? 0) !== 0;

const clamp = (value: number, low: number, high: number): number =>
  Math.min(Math.max(value, low), Math.max(low, high));
export const inside = ({ x, y }: Point): Point => ({ x: clamp(x, 0, 1), y: clamp(y, 0, 1) });

/** The box between two corners, drawn in any direction, inside the picture and not too small. */
const boxBetween = (one: Point, other: Point): Box => {
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

/** The points that define a shape's position. */
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

/** Moves a shape as a whole, stopping at the picture's edge. */
export const moved = (shape: Shape, dx: number, dy: number): Shape => {
  const { x, y, width, height } = boundsOf(shape);
  const by = {
    x: clamp(dx, -x, Math.max(0, 1 - width - x)),
    y: clamp(dy, -y, Math.max(0, 1 - height - y)),
  };
  return mapped(shape, (point) => inside({ x: point.x + by.x, y: point.y + by.y }));
};

/** Resizes a shape at its lower right corner, an arrow at its tip, texts and pins by one size. */
export const resized = (shape: Shape, dx: number, dy: number): Shape => {
  switch (shape.kind) {
    case 'arrow':
      return { ...shape, to: inside({ x: shape.to.x + dx, y: shape.to.y + dy }) };
    case 'text':
    case 'pin':
      return { ...shape, size: clamp(shape.size + Math.sign(dx + dy), 1, SIZE_MAX) };
    case 'line': {
      const { x, y, width, height } = boundsOf(shape);
      // A straight horizontal line has no height to scale.
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

/** The shape that a drag from one point to another starts. */
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

/** Extends a free line. Skips points that are too close, and stops at the maximum length. */
export const drawnOn = (shape: Shape, point: Point): Shape => {
  if (shape.kind !== 'line') return shape;
  const last = shape.points.at(-1);
  const at = inside(point);
  const near = last !== undefined && Math.hypot(at.x - last.x, at.y - last.y) < 0.002;
  return near || shape.points.length >= POINTS_MAX
    ? shape
    : { ...shape, points: [...shape.points, at] };
};

/** A shape in the middle, for keyboard users to move and resize. */
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

/** Adds or replaces a shape by its id; a crop replaces the previous one. Null if the list is full. */
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

/** The number of a shape among its kind, from 1: a pin's number, and the name in lists. */
export const ordinalOf = ({ shapes }: Pick<Edits, 'shapes'>, shape: Shape): number =>
  shapes.filter(({ kind }) => kind === shape.kind).findIndex(({ id }) => id === shape.id) + 1;

export const cropOf = ({ shapes }: Edits): Box =>
  shapes.find((shape) => shape.kind === 'crop')?.box ?? { x: 0, y: 0, width: 1, height: 1 };
