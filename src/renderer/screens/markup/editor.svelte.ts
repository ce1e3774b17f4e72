/**
 * State of the photo editor: shapes, selection, undo history, and the last announcement for screen readers. Pointer and
 * keys use the same actions. The screen only draws.
 */
import { endStep, historyOf, put, redo, undo, type History } from '../../photos/markup/undo.ts';
import {
  begun,
  boundsOf,
  drawnOn,
  inTheMiddle,
  moved,
  ordinalOf,
  resized,
  SHAPES_MAX,
  SIZE_MAX,
  withoutShape,
  withShape,
  type Colour,
  type Edits,
  type Pen,
  type Point,
  type Shape,
  type ShapeKind,
} from '../../photos/markup/model.ts';
import { turned } from '../../photos/markup/turn.ts';
import { panned, whole, zoomed, type Size, type View } from '../../parts/photo/zoom.ts';
import { words } from '../../words/company-words.ts';

export type Tool = ShapeKind | 'select';
export const tools: readonly Tool[] = [
  'select',
  'arrow',
  'ellipse',
  'line',
  'text',
  'pin',
  'blur',
  'crop',
];

const t = words.markup;

interface Gesture {
  readonly does: 'draw' | 'move' | 'resize';
  readonly from: Point;
  /** The shape when the gesture began. */
  readonly shape: Shape;
  readonly step: string;
}

const hasPen = (shape: Shape): shape is Extract<Shape, Pen> => 'colour' in shape;

export class MarkupEditor {
  history = $state.raw<History<Edits>>(historyOf({ version: 1, shapes: [], max_side: null }));
  tool = $state<Tool>('arrow');
  pen = $state.raw<Pen>({ colour: 'red', size: 2 });
  selected = $state<string | null>(null);
  /** Zoom and pan; not part of the undo history. */
  view = $state.raw<View>(whole);
  /** Size of the stage, in CSS pixels. */
  stage: Size = { width: 1, height: 1 };
  /** The text of the live region. */
  said = $state('');

  readonly edits = $derived(this.history.now);
  readonly shape = $derived(this.edits.shapes.find(({ id }) => id === this.selected) ?? null);
  readonly pen_now = $derived<Pen>(this.shape && hasPen(this.shape) ? this.shape : this.pen);
  readonly changed = $derived(this.history.past.length > 0);

  #gesture: Gesture | null = null;
  #made = 0;
  readonly #newId: () => string;

  constructor(start: Edits, newId: () => string) {
    this.history = historyOf(start);
    this.#newId = newId;
  }

  /**
   * @param by the factor
   * @param at the fixed point, relative to the stage's centre
   */
  zoom(by: number, at?: { readonly x: number; readonly y: number }): void {
    this.view = zoomed(this.view, by, this.stage, at);
    this.said = t.said.zoomed(this.view.scale);
  }

  /** Pans by fractions of the stage. */
  look(dx: number, dy: number): void {
    const { width, height } = this.stage;
    this.view = panned(this.view, dx * width, dy * height, this.stage);
  }

  fit(): void {
    this.view = whole;
    this.said = t.said.zoomed(1);
  }

  nameOf(shape: Shape): string {
    return shape.kind === 'crop' ? t.kinds.crop : t.one(shape.kind, ordinalOf(this.edits, shape));
  }

  choose(tool: Tool): void {
    this.tool = tool;
    this.said = t.said.tool(tool === 'select' ? t.select : t.kinds[tool]);
  }

  select(id: string | null): void {
    this.history = endStep(this.history);
    this.selected = id;
    this.said = this.shape ? t.said.selected(this.nameOf(this.shape)) : t.said.let_go;
  }

  /** Adds a selected shape in the centre, to be moved by keys. */
  addInTheMiddle(): void {
    if (this.tool === 'select') return;
    this.#add(inTheMiddle(this.tool, this.#newId(), this.pen), null);
  }

  press(from: Point, hit: { readonly id: string; readonly handle: boolean } | null): void {
    const step = `gesture ${(this.#made += 1)}`;
    // Any tool may grab a handle. Only the select tool may grab a shape, so that shapes can be drawn over each other.
    if (hit !== null && (hit.handle || this.tool === 'select')) {
      if (hit.id !== this.selected) this.select(hit.id);
      if (this.shape)
        this.#gesture = { does: hit.handle ? 'resize' : 'move', from, shape: this.shape, step };
      return;
    }
    if (this.tool === 'select') {
      this.select(null);
      return;
    }
    const shape = begun(this.tool, this.#newId(), this.pen, from, from);
    if (this.#add(shape, step)) this.#gesture = { does: 'draw', from, shape, step };
  }

  drag(to: Point): void {
    const held = this.#gesture;
    if (held === null || this.shape === null) return;
    const [dx, dy] = [to.x - held.from.x, to.y - held.from.y];
    const { shape } = held;
    if (held.does === 'move') this.#replace(moved(shape, dx, dy), held.step);
    else if (held.does === 'resize') this.#replace(resized(shape, dx, dy), held.step);
    else if (shape.kind === 'line') this.#replace(drawnOn(this.shape, to), held.step);
    else this.#replace(begun(shape.kind, shape.id, this.pen, held.from, to), held.step);
  }

  /** Ends the gesture. A click without a drag creates a shape of visible size. */
  release(to: Point): void {
    const held = this.#gesture;
    this.#gesture = null;
    if (held === null) return;
    const short = Math.hypot(to.x - held.from.x, to.y - held.from.y) < 0.01;
    if (held.does === 'draw' && short && !['text', 'pin'].includes(held.shape.kind)) {
      const { shape } = held;
      const end = { x: to.x + 0.1, y: to.y + 0.1 };
      this.#replace(begun(shape.kind, shape.id, this.pen, to, end), held.step);
    }
    this.history = endStep(this.history);
  }

  /** Cancels the gesture, for example when the system takes the pointer. */
  drop(): void {
    if (this.#gesture === null) return;
    this.#gesture = null;
    this.history = undo(this.history);
  }

  move(dx: number, dy: number): void {
    if (this.shape === null) return;
    this.#replace(moved(this.shape, dx, dy), null);
    const { x, y } = boundsOf(this.shape);
    this.said = t.said.at(this.nameOf(this.shape), x, y);
  }

  resize(dx: number, dy: number): void {
    if (this.shape === null) return;
    this.#replace(resized(this.shape, dx, dy), null);
    const { width, height } = boundsOf(this.shape);
    this.said =
      this.shape.kind === 'text' || this.shape.kind === 'pin'
        ? t.said.thick(t.size_now(this.shape.size, SIZE_MAX))
        : t.said.large(this.nameOf(this.shape), width, height);
  }

  setColour(colour: Colour): void {
    this.#setPen({ ...this.pen_now, colour });
    this.said = t.colours[colour];
  }

  setSize(size: number): void {
    this.#setPen({ ...this.pen_now, size: Math.min(SIZE_MAX, Math.max(1, size)) });
    this.said = t.said.thick(t.size_now(this.pen_now.size, SIZE_MAX));
  }

  /** All typing into one text is a single undo step. */
  setText(text: string): void {
    if (this.shape?.kind === 'text')
      this.#replace({ ...this.shape, text }, `text ${this.shape.id}`);
  }

  remove(): void {
    if (this.shape === null) return;
    const name = this.nameOf(this.shape);
    this.history = put(this.history, withoutShape(this.edits, this.shape.id));
    this.selected = null;
    this.said = t.said.removed(name);
  }

  /** Rotates the picture and its shapes 90° clockwise. */
  turn(): void {
    this.history = put(this.history, turned(this.edits));
    this.view = whole;
    this.said = t.said.turned;
  }

  undo(): void {
    this.said = this.history.past.length > 0 ? t.said.undone : t.said.nothing_to_undo;
    this.history = undo(this.history);
  }

  redo(): void {
    this.said = this.history.future.length > 0 ? t.said.redone : t.said.nothing_to_redo;
    this.history = redo(this.history);
  }

  #setPen({ colour, size }: Pen): void {
    this.pen = { colour, size };
    if (this.shape && hasPen(this.shape)) this.#replace({ ...this.shape, colour, size }, null);
  }

  #add(shape: Shape, step: string | null): boolean {
    const edits = withShape(this.edits, shape);
    if (edits === null) {
      this.said = t.full(SHAPES_MAX);
      return false;
    }
    this.history = put(this.history, edits, step);
    this.selected = shape.id;
    this.said = t.said.added(this.nameOf(shape));
    return true;
  }

  #replace(shape: Shape, step: string | null): void {
    this.history = put(this.history, withShape(this.edits, shape) ?? this.edits, step);
  }
}
