/**
 * Files of a form or of an entry on their way to disk: what is coming and how far, what was refused and why, what waits for a word from
 * the person. Beside the screen, because files are added while it is filled in, and saving waits for them.
 */
import { SvelteMap } from 'svelte/reactivity';
import type { Settings } from '../../contract/settings.ts';
import type { IntakeProgress, IntakeRefusal, Outcome } from '../photos/bring-in.ts';

export interface Refused {
  readonly filename: string;
  readonly refusal: IntakeRefusal;
}

/** What an intake asks of those that bring files in. */
export interface Taking {
  readonly privacy: boolean;
  readonly onProgress: (progress: IntakeProgress) => void;
  readonly signal: (photo_id: string) => AbortSignal;
}

export interface IntakeParts<T> {
  /** Is what a file says of people and places taken out? */
  readonly privacy: () => boolean;
  readonly take: (files: readonly Blob[], how: Taking) => Promise<readonly Outcome<T>[]>;
}

/** Pixels of the longer side of what is sent; null: as it is. */
export const sideOf = (size: Settings['photo_size']): number | null =>
  size === 'original' ? null : Number(size);

export class Intake<T> {
  coming = $state.raw<readonly IntakeProgress[]>([]);
  refused = $state.raw<readonly Refused[]>([]);

  readonly #parts: IntakeParts<T>;
  readonly #stops = new SvelteMap<string, AbortController>();
  #last: Promise<void> = Promise.resolve();

  constructor(parts: IntakeParts<T>) {
    this.#parts = parts;
  }

  /** Files from picker, drop, paste, camera or phone, in order, without blocking the form. Answers what became of each. */
  add(files: readonly Blob[]): Promise<readonly Outcome<T>[]> {
    return this.#queue(files, this.#parts.privacy());
  }

  /** The person said: as it is, with what it says of people and places. */
  addAsItIs(refused: Refused): void {
    if (refused.refusal.kind !== 'ask') return;
    this.forget(refused);
    const { file } = refused.refusal;
    void this.#queue([file instanceof File ? file : new File([file], refused.filename)], false);
  }

  cancel(photo_id: string): void {
    this.#stops.get(photo_id)?.abort();
  }

  cancelAll(): void {
    for (const stop of this.#stops.values()) stop.abort();
  }

  forget(refused: Refused): void {
    this.refused = this.refused.filter((one) => one !== refused);
  }

  /** Everything given so far has its outcome. */
  idle(): Promise<void> {
    return this.#last;
  }

  #queue(files: readonly Blob[], privacy: boolean): Promise<readonly Outcome<T>[]> {
    if (files.length === 0) return Promise.resolve([]);
    const outcomes = this.#last.then(() => this.#run(files, privacy));
    this.#last = outcomes.then(() => undefined);
    return outcomes;
  }

  async #run(files: readonly Blob[], privacy: boolean): Promise<readonly Outcome<T>[]> {
    const outcomes = await this.#parts.take(files, {
      privacy,
      onProgress: (progress) => this.#hear(progress),
      signal: (photo_id) => this.#stopOf(photo_id).signal,
    });
    for (const outcome of outcomes) {
      if (outcome.ok || outcome.refusal.kind === 'cancelled') continue;
      const { filename, refusal } = outcome;
      this.refused = [...this.refused, { filename, refusal }];
    }
    return outcomes;
  }

  #stopOf(photo_id: string): AbortController {
    const had = this.#stops.get(photo_id) ?? new AbortController();
    this.#stops.set(photo_id, had);
    return had;
  }

  #hear(progress: IntakeProgress): void {
    const { photo_id, step } = progress;
    if (step === 'done') {
      this.#stops.delete(photo_id);
      this.coming = this.coming.filter((one) => one.photo_id !== photo_id);
      return;
    }
    this.#stopOf(photo_id);
    const at = this.coming.findIndex((one) => one.photo_id === photo_id);
    this.coming = at < 0 ? [...this.coming, progress] : this.coming.with(at, progress);
  }
}
