/**
 * Draws shapes on a canvas at any scale; the editor's preview and the render worker share this code. Every stroke and
 * letter has a contrasting outline, so that it is readable on snow and on tarmac.
 */
import { blurArea, type Context } from './blur.ts';
import {
  boundsOf,
  ordinalOf,
  type Box,
  type Colour,
  type Edits,
  type QuarterTurns,
  type Shape,
} from './model.ts';
import { turnedSize, type Area } from './turn.ts';

/** The position of the whole picture on the canvas, in pixels. A cropped picture starts left of and above it. */
export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The ink of each colour and its contrasting edge, also used for writing on the ink. */
export const paints: Readonly<Record<Colour, { readonly ink: string; readonly edge: string }>> = {
  red: { ink: '#d40f1a', edge: '#ffffff' },
  orange: { ink: '#ff7a1a', edge: '#000000' },
  yellow: { ink: '#ffe02e', edge: '#000000' },
  green: { ink: '#0b7a3b', edge: '#ffffff' },
  blue: { ink: '#0a4fc4', edge: '#ffffff' },
  white: { ink: '#ffffff', edge: '#000000' },
  black: { ink: '#000000', edge: '#ffffff' },
};

/** Cosine and sine of the quarter turns: exact, so that edges do not blend with their neighbours. */
const QUARTERS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

/** Draws part of a picture over the whole canvas, turned. @param from in pixels of the unturned picture */
export const drawTurned = (
  context: Context,
  picture: CanvasImageSource,
  from: Area,
  { width, height }: { readonly width: number; readonly height: number },
  turn: QuarterTurns,
): void => {
  const [cos, sin] = QUARTERS[turn];
  const to = turnedSize({ width, height }, turn);
  context.save();
  context.setTransform(cos, sin, -sin, cos, width / 2, height / 2);
  const { x, y, width: wide, height: high } = from;
  context.drawImage(picture, x, y, wide, high, -to.width / 2, -to.height / 2, to.width, to.height);
  context.restore();
};

const longOf = ({ width, height }: Frame): number => Math.max(width, height);
const strokeOf = (frame: Frame, size: number): number =>
  Math.max(1, longOf(frame) * (0.002 + 0.002 * size));
const letterOf = (frame: Frame, size: number): number =>
  Math.max(6, longOf(frame) * (0.014 + 0.011 * size));
const fontOf = (px: number): string => `600 ${px}px system-ui, sans-serif`;

const pixels = ({ left, top, width, height }: Frame, { x, y }: { x: number; y: number }) =>
  [left + x * width, top + y * height] as const;

/** Strokes the path twice: the outline, then the ink within it. */
const stroke = (context: Context, width: number, colour: Colour, path: Path2D): void => {
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.strokeStyle = paints[colour].edge;
  context.lineWidth = width * 1.8;
  context.stroke(path);
  context.strokeStyle = paints[colour].ink;
  context.lineWidth = width;
  context.stroke(path);
};

const arrow = (context: Context, frame: Frame, shape: Shape & { kind: 'arrow' }): void => {
  const [fromX, fromY] = pixels(frame, shape.from);
  const [toX, toY] = pixels(frame, shape.to);
  const width = strokeOf(frame, shape.size);
  const length = Math.hypot(toX - fromX, toY - fromY);
  const head = Math.min(Math.max(length, width), width * 5);
  const angle = Math.atan2(toY - fromY, toX - fromX);
  const path = new Path2D();
  path.moveTo(fromX, fromY);
  path.lineTo(toX, toY);
  for (const turn of [-0.5, 0.5]) {
    path.moveTo(toX, toY);
    path.lineTo(toX - head * Math.cos(angle + turn), toY - head * Math.sin(angle + turn));
  }
  stroke(context, width, shape.colour, path);
};

const pinRadius = (frame: Frame, size: number): number => letterOf(frame, size) * 0.75;

const pin = (
  context: Context,
  frame: Frame,
  shape: Shape & { kind: 'pin' },
  number: number,
): void => {
  const [x, y] = pixels(frame, shape.at);
  const radius = pinRadius(frame, shape.size);
  const { ink, edge } = paints[shape.colour];
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = ink;
  context.fill();
  context.strokeStyle = edge;
  context.lineWidth = radius * 0.18;
  context.stroke();
  context.fillStyle = edge;
  context.font = fontOf(radius * (number > 99 ? 0.85 : 1.15));
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(String(number), x, y + radius * 0.06);
};

interface Lines {
  readonly lines: readonly string[];
  readonly letter: number;
  readonly left: number;
  /** The middle of the first line. */
  readonly middle: number;
  readonly width: number;
}
const LINE = 1.2;

/** Wraps words into lines; a word longer than a line is cut. */
const wrapped = (context: Context, text: string, most: number): string[] => {
  const lines: string[] = [];
  let line = '';
  const fits = (what: string): boolean => context.measureText(what).width <= most;
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (fits(joined)) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    line = '';
    for (const letter of word) {
      if (line !== '' && !fits(line + letter)) {
        lines.push(line);
        line = '';
      }
      line += letter;
    }
  }
  return [...lines, line];
};

/** Lays out a text inside the picture: from its position to the right edge, shifted left and up if it does not fit. */
const linesOf = (context: Context, frame: Frame, shape: Shape & { kind: 'text' }): Lines => {
  const [x, y] = pixels(frame, shape.at);
  const letter = letterOf(frame, shape.size);
  context.font = fontOf(letter);
  const room = frame.width - letter * 0.5;
  const right = frame.left + room;
  const lines = wrapped(context, shape.text, Math.min(room, Math.max(right - x, frame.width / 3)));
  const width = Math.max(letter, ...lines.map((line) => context.measureText(line).width));
  const high = (lines.length - 1) * LINE * letter;
  const lowest = frame.top + frame.height - letter * 0.6 - high;
  return {
    lines,
    letter,
    width,
    left: Math.max(frame.left, Math.min(x, right - width)),
    middle: lines.length === 1 ? y : Math.max(frame.top + letter * 0.6, Math.min(y, lowest)),
  };
};

const text = (context: Context, frame: Frame, shape: Shape & { kind: 'text' }): void => {
  const { lines, letter, left, middle } = linesOf(context, frame, shape);
  const { ink, edge } = paints[shape.colour];
  context.font = fontOf(letter);
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.lineWidth = letter * 0.24;
  context.strokeStyle = edge;
  context.fillStyle = ink;
  // All outlines first, so that none covers the line above it.
  for (const draw of ['strokeText', 'fillText'] as const)
    for (const [at, line] of lines.entries())
      context[draw](line, left, middle + at * LINE * letter);
};

const path = (frame: Frame, shape: Shape & { kind: 'ellipse' | 'line' }): Path2D => {
  const drawn = new Path2D();
  if (shape.kind === 'ellipse') {
    const [x, y] = pixels(frame, shape.box);
    const wide = (shape.box.width * frame.width) / 2;
    const high = (shape.box.height * frame.height) / 2;
    drawn.ellipse(x + wide, y + high, wide, high, 0, 0, 2 * Math.PI);
  } else for (const point of shape.points) drawn.lineTo(...pixels(frame, point));
  return drawn;
};

const blurred = (context: Context, frame: Frame, box: Box, noise: () => number): void => {
  const [x, y] = pixels(frame, box);
  const { width, height } = context.canvas;
  // Rounds outwards to whole pixels plus one, because scaling mixed the edge with its neighbours.
  blurArea(
    context,
    {
      left: Math.max(0, Math.floor(x) - 1),
      top: Math.max(0, Math.floor(y) - 1),
      right: Math.min(width, Math.ceil(x + box.width * frame.width) + 1),
      bottom: Math.min(height, Math.ceil(y + box.height * frame.height) + 1),
    },
    noise,
  );
};

/** Draws all edits over a drawn picture. Blurs come first, so that marks stay readable over them. */
export const drawEdits = (
  context: Context,
  frame: Frame,
  edits: Edits,
  noise: () => number,
): void => {
  for (const shape of edits.shapes)
    if (shape.kind === 'blur') blurred(context, frame, shape.box, noise);
  context.save();
  for (const shape of edits.shapes) {
    if (shape.kind === 'arrow') arrow(context, frame, shape);
    else if (shape.kind === 'pin') pin(context, frame, shape, ordinalOf(edits, shape));
    else if (shape.kind === 'text') text(context, frame, shape);
    else if (shape.kind === 'ellipse' || shape.kind === 'line')
      stroke(context, strokeOf(frame, shape.size), shape.colour, path(frame, shape));
  }
  context.restore();
};

/** The canvas area of a shape in pixels, including its pen, letters or number. */
export const extentOf = (context: Context, frame: Frame, shape: Shape): Frame => {
  const bounds = boundsOf(shape);
  const [left, top] = pixels(frame, bounds);
  const [width, height] = [bounds.width * frame.width, bounds.height * frame.height];
  if (shape.kind === 'text') {
    const laid = linesOf(context, frame, shape);
    return {
      left: laid.left,
      top: laid.middle - laid.letter * 0.6,
      width: laid.width,
      height: laid.lines.length * LINE * laid.letter,
    };
  }
  const room =
    shape.kind === 'pin'
      ? pinRadius(frame, shape.size) * 1.1
      : shape.kind === 'blur' || shape.kind === 'crop'
        ? 0
        : strokeOf(frame, shape.size);
  return {
    left: left - room,
    top: top - room,
    width: width + 2 * room,
    height: height + 2 * room,
  };
};
