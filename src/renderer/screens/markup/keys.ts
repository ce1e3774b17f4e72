/**
 * Keyboard commands of the photo editor. Arrows move the selected shape (Shift resizes, Alt takes small steps) or pan if
 * none is selected. Delete removes, Enter adds a shape in the centre, each tool has a letter, another letter rotates; +, -
 * and 0 zoom; undo, redo and done use the usual keys. Keys that a field or button needs are left alone.
 */
import { words } from '../../words/company-words.ts';
import { tools, type MarkupEditor } from './editor.svelte.ts';

const STEP = 0.02;
const SMALL_STEP = 0.002;

/** Pan distance per arrow key as a fraction of the stage, and the factor of one zoom step. */
const LOOK_STEP = 0.1;
export const ZOOM_STEP = 1.5;

const directions: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

interface Doing {
  readonly done: () => void;
  readonly add: () => void;
  /** The picture: Enter adds a shape only here, because on a button it presses the button. */
  readonly stage: HTMLElement | null;
}

/** @returns true if the key was handled */
export const act = (event: KeyboardEvent, editor: MarkupEditor, doing: Doing): boolean => {
  const { key, shiftKey, altKey } = event;
  const command = event.ctrlKey || event.metaKey;
  const typing = event.target instanceof HTMLInputElement;
  const letter = key.toLowerCase();
  if (command && key === 'Enter') doing.done();
  else if (command && letter === 'z' && shiftKey) editor.redo();
  else if (command && letter === 'z') editor.undo();
  else if (command && letter === 'y') editor.redo();
  else if (command || typing) return false;
  else if (directions[key] !== undefined) {
    const [x, y] = directions[key];
    if (editor.shape === null) {
      if (editor.view.scale === 1) return false;
      editor.look(-x * LOOK_STEP, -y * LOOK_STEP);
      return true;
    }
    const step = altKey ? SMALL_STEP : STEP;
    if (shiftKey) editor.resize(x * step, y * step);
    else editor.move(x * step, y * step);
  } else if (altKey) return false;
  else if (key === '+' || key === '=') editor.zoom(ZOOM_STEP);
  else if (key === '-') editor.zoom(1 / ZOOM_STEP);
  else if (key === '0') editor.fit();
  else if (letter === words.markup.turn_key.toLowerCase()) editor.turn();
  else if (key === 'Delete' || key === 'Backspace') editor.remove();
  else if (key === 'Enter' && event.target === doing.stage) doing.add();
  else {
    const tool = tools.find((one) => words.markup.keys[one].toLowerCase() === letter);
    if (tool === undefined) return false;
    editor.choose(tool);
  }
  return true;
};
