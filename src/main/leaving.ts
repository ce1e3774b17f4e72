/**
 * Handles the end of the window: it closes, hides to keep sending, or ends with the system's session. Unwritten input delays
 * the end for up to WRITE_MS. closing.ts decides what closing means.
 */
import type { BrowserWindow } from 'electron';
import type { Settings } from '../contract/settings.ts';
import { onClose } from './closing.ts';
import { onSessionEnd } from './desktop.ts';
import { askClosing, askCopying } from './window/dialogs.ts';
import type { Known } from './self-test/standing.ts';
import type { Words } from './words/words.ts';

/** Time limit for the form to write the last input, in milliseconds; the form writes every quarter of a second. */
const WRITE_MS = 1_000;
const mac = process.platform === 'darwin';

export interface LeavingParts {
  readonly known: Known;
  readonly settings: Settings;
  readonly words: Words;
  readonly quitting: boolean;
  quit(): void;
  /** Saves the user's choice of what closing means. */
  remember(when_closed: Settings['when_closed']): void;
  /** Asks the window to write pending input. */
  writeNow(): void;
}

export class Leaving {
  /**
   * True when the shell hid the window to keep sending. `isVisible` cannot tell: on Windows it is false for a minimised window
   * too.
   */
  hidden = false;
  /** True when the end no longer waits for pending input. */
  #late = false;
  #hearWritten = (): void => undefined;
  readonly #shell: LeavingParts;

  constructor(shell: LeavingParts) {
    this.#shell = shell;
  }

  follow(window: BrowserWindow): void {
    window.on('close', (event) => this.#closing(window, event));
    onSessionEnd(window, {
      holds: () => this.#shell.known.unwritten,
      written: () => this.#written(),
      end: () => {
        this.#late = true;
        this.#shell.quit();
      },
    });
  }

  /** Called when the state of the queue has changed. */
  changed(): void {
    if (!this.#shell.known.unwritten) this.#hearWritten();
  }

  /** Resolves when pending input is written, or when the time limit has passed. */
  #written(): Promise<void> {
    this.#shell.writeNow();
    return new Promise((resolve) => {
      const over = (): void => {
        this.#late = true;
        resolve();
      };
      this.#hearWritten = over;
      setTimeout(over, WRITE_MS);
    });
  }

  /** Leaves full screen first: macOS leaves a black screen behind a window hidden in full screen. */
  #hide(window: BrowserWindow): void {
    this.hidden = true;
    if (!mac || !window.isFullScreen()) return window.hide();
    window.once('leave-full-screen', () => {
      if (this.hidden) window.hide();
    });
    window.setFullScreen(false);
  }

  #closing(window: BrowserWindow, event: { preventDefault(): void }): void {
    const { known, settings, quitting, words, quit, remember } = this.#shell;
    const { waiting, copying } = known;
    const answer = onClose(waiting, settings.when_closed, { quitting, mac, copying });
    if (answer === 'close' && (!known.unwritten || this.#late)) return;
    event.preventDefault();
    if (answer === 'close')
      return void this.#written().then(() => (this.#shell.quitting ? quit() : window.close()));
    if (answer === 'hide') return this.#hide(window);
    if (answer === 'ask_copying')
      return void askCopying(window, words).then((closes) => closes && quit());
    void askClosing(window, waiting, words).then(({ answer: chosen, remember: always }) => {
      if (chosen === 'cancel') return;
      if (always) remember(chosen);
      if (chosen === 'keep_sending') this.#hide(window);
      else quit();
    });
  }
}
