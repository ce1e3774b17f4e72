/**
 * The refusal of an export file. Separate from its reader (export-file.ts), which the window loads only in its worker.
 */

/** Why a file is refused. `detail` names the part of the file. */
export interface ImportRefusal {
  readonly kind:
    | 'not_zip'
    | 'not_ours'
    | 'newer'
    | 'damaged'
    | 'hostile'
    | 'too_big'
    | 'other_server'
    /** Reading was stopped because it exceeded its time or memory. */
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
