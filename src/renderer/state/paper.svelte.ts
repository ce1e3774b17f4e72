/**
 * What is to be printed. A screen asks; the frame makes the pages (screens/paper/), which are shown on paper alone. `offer` is
 * what Ctrl+P and the desktop menu print: that of the screen in sight, or the screen as it stands where it has none.
 */
import { host } from '../host/client.ts';

/** Lines of a list on paper: some forty pages. */
export const LIST_MAX = 1_000;

export type PaperJob =
  /** One near miss. Names of persons only where they were asked for. */
  | { readonly kind: 'report'; readonly key: string; readonly names: boolean }
  /** A page each for a toolbox talk, without names. */
  | { readonly kind: 'toolbox'; readonly keys: readonly string[] }
  /** A list as it is narrowed and sorted; `narrowed`: by what. */
  | {
      readonly kind: 'list';
      readonly keys: readonly string[];
      readonly total: number;
      readonly narrowed: readonly string[];
    };

/** What the pages become. A file is the desktop program's to write, which asks for its name. */
export type PaperTo = 'printer' | 'pdf';

class Paper {
  job = $state.raw<PaperJob | null>(null);
  #offer: ((to: PaperTo) => void) | null = null;
  #to: PaperTo = 'printer';

  print(job: PaperJob, to: PaperTo = 'printer'): void {
    this.#to = to;
    this.job = job;
  }

  /** The pages are drawn. */
  ready(): void {
    if (this.#to === 'pdf') void host.call('desktop.do', { what: 'save_pdf' });
    else window.print();
  }

  over(): void {
    this.job = null;
  }

  /** For as long as a screen is shown; the answered function ends it. */
  offer(print: (to: PaperTo) => void): () => void {
    this.#offer = print;
    return () => {
      if (this.#offer === print) this.#offer = null;
    };
  }

  /** Ctrl+P, or the menu. */
  printScreen(to: PaperTo): void {
    if (this.#offer !== null) return this.#offer(to);
    this.#to = to;
    this.ready();
  }
}

export const paper = new Paper();
