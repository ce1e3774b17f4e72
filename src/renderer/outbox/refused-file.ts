/** An export that is not taken in, and why. Apart from what reads one (export-file.ts), which the window loads with its worker only. */

/** Why a file is not taken in. `detail` names the part of the file. */
export interface ImportRefusal {
  readonly kind:
    | 'not_zip'
    | 'not_ours'
    | 'newer'
    | 'damaged'
    | 'hostile'
    | 'too_big'
    | 'other_server'
    /** Reading it took more time or memory than it may: it was stopped. */
    | 'stopped';
  readonly detail: string;
}
export class RefusedFile extends Error {
  readonly refusal: ImportRefusal;
  constructor(kind: ImportRefusal['kind'], detail = '') {
    super(`${kind} ${detail}`);
    this.refusal = { kind, detail };
  }
}
