/**
 * Printing. A screen requests a job, and the frame renders print-only pages (screens/paper/). `offer` registers what Ctrl+P and
 * the desktop menu print: the ticked records, else the current screen's job, else the screen itself.
 */
import type { Language } from '../../contract/languages.ts';
import { host } from '../host/client.ts';

/** Maximum number of printed list rows, about forty pages. */
export const LIST_MAX = 1_000;

export type PaperJob =
  /** One near miss. `names`: include names of persons. */
  | { readonly kind: 'report'; readonly key: string; readonly names: boolean }
  /** The slip with the answer code of a near miss, in its own language. */
  | { readonly kind: 'slip'; readonly key: string; readonly language: Language }
  /** The poster of the report box. `wifi`: its name, '' to leave a line to write on. */
  | { readonly kind: 'poster'; readonly url: string; readonly wifi: string }
  /** One page per near miss for a toolbox talk, without names. */
  | { readonly kind: 'toolbox'; readonly keys: readonly string[] }
  /** A filtered and sorted list. `narrowed` describes the filters. */
  | {
      readonly kind: 'list';
      readonly keys: readonly string[];
      readonly total: number;
      readonly narrowed: readonly string[];
    };

/** Output of the pages. Only the desktop program writes a PDF; it asks for the file's name. */
export type PaperTo = 'printer' | 'pdf';

interface Offer {
  readonly print: (to: PaperTo) => void;
  readonly ticked: boolean;
}

class Paper {
  job = $state.raw<PaperJob | null>(null);
  #offers: readonly Offer[] = [];
  #to: PaperTo = 'printer';

  print(job: PaperJob, to: PaperTo = 'printer'): void {
    this.#to = to;
    this.job = job;
  }

  /** Called when the pages are rendered. */
  ready(): void {
    if (this.#to === 'pdf') void host.call('desktop.do', { what: 'save_pdf' });
    else window.print();
  }

  over(): void {
    this.job = null;
  }

  /**
   * Registers a screen's print job. Returns a function that removes it.
   * @param ticked true if records are ticked; takes precedence over other jobs
   */
  offer(print: Offer['print'], { ticked = false } = {}): () => void {
    const one: Offer = { print, ticked };
    this.#offers = [...this.#offers, one];
    return () => {
      this.#offers = this.#offers.filter((other) => other !== one);
    };
  }

  /** Handles Ctrl+P and the menu. */
  printScreen(to: PaperTo): void {
    const offer = this.#offers.findLast(({ ticked }) => ticked) ?? this.#offers.at(-1);
    if (offer !== undefined) return offer.print(to);
    this.#to = to;
    this.ready();
  }
}

export const paper = new Paper();
