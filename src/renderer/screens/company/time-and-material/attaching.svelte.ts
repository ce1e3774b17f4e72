/**
 * Files on their way to an entry, from the picker, a drop or the camera: which is being written to disk and how far, which were
 * refused and why.
 */
import { attachFiles, type AttachRefusal } from '../../../data/company/tm-attach.ts';
import { app } from '../../../state/app.svelte.ts';
import { toasts } from '../../../state/toasts.svelte.ts';
import { words } from '../../../words/words.ts';
import { sideOf } from '../../capture/intake.svelte.ts';

export interface Refused {
  readonly file: File;
  readonly refusal: AttachRefusal;
}

interface Coming {
  readonly name: string;
  /** 0..1; null: not known. */
  readonly share: number | null;
}

export class Attaching {
  coming = $state.raw<Coming | null>(null);
  refused = $state.raw<readonly Refused[]>([]);

  readonly #entry_id: number | null;
  #shots: Promise<void> = Promise.resolve();

  /** @param entry_id what they are attached to; null: nothing can be attached */
  constructor(entry_id: number | null) {
    this.#entry_id = entry_id;
  }

  add(files: readonly File[]): Promise<void> {
    return this.#attach(files, app.session.settings.photo_privacy);
  }

  /** Of the camera: several in a row are kept one after the other. */
  addShot(file: File): void {
    this.#shots = this.#shots.then(() => this.add([file]));
  }

  /** The person said: with what it says of people and places. */
  addAsItIs(refused: Refused): Promise<void> {
    this.forget(refused);
    return this.#attach([refused.file], false);
  }

  forget(refused: Refused): void {
    this.refused = this.refused.filter((one) => one !== refused);
  }

  async #attach(files: readonly File[], privacy: boolean): Promise<void> {
    const { scope, deps } = app;
    const [first] = files;
    if (scope === null || this.#entry_id === null || first === undefined) return;
    this.coming = { name: first.name, share: null };
    const target = { ...scope, time_and_material_entry_id: this.#entry_id };
    const outcomes = await attachFiles(deps, target, files, {
      privacy,
      max_side: sideOf(app.session.settings.photo_size),
      progress: (name, written, size) =>
        (this.coming = { name, share: size > 0 ? written / size : null }),
    });
    this.coming = null;
    const refused = outcomes.flatMap((one, at): readonly Refused[] => {
      const file = files[at];
      return one.ok || file === undefined ? [] : [{ file, refusal: one.refusal }];
    });
    this.refused = [...this.refused, ...refused];
    const done = outcomes.filter((one) => one.ok).length;
    if (done > 0) toasts.show('ok', words.tm.attached(done));
    app.tryNow();
  }
}
