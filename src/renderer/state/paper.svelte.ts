/**
 * What is to be printed. A screen asks; the frame makes the pages (screens/paper/), which are shown on paper alone. `offer` is
 * what Ctrl+P and the desktop menu print: what is ticked, else that of the screen in sight, else the screen as it stands.
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

  /** The pages are drawn. */
  ready(): void {
    if (this.#to === 'pdf') void host.call('desktop.do', { what: 'save_pdf' });
    else window.print();
  }

  over(): void {
    this.job = null;
  }

  /**
   * For as long as a screen is shown; the answered function ends it.
   * @param ticked for as long as records are ticked: goes before what a screen offers
   */
  offer(print: Offer['print'], { ticked = false } = {}): () => void {
    const one: Offer = { print, ticked };
    this.#offers = [...this.#offers, one];
    return () => {
      this.#offers = this.#offers.filter((other) => other !== one);
    };
  }

  /** Ctrl+P, or the menu. */
  printScreen(to: PaperTo): void {
    const offer = this.#offers.findLast(({ ticked }) => ticked) ?? this.#offers.at(-1);
    if (offer !== undefined) return offer.print(to);
    this.#to = to;
    this.ready();
  }
}

export const paper = new Paper();
