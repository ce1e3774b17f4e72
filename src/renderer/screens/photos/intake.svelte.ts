/**
 * Queue of files on their way from the user to disk: progress, refusals and questions to the user. Lives outside the screen
 * because files are added while the form is filled in, and saving waits for them.
 */
import { SvelteMap } from 'svelte/reactivity';
import type { Settings } from '../../../contract/settings.ts';
import { copying } from '../../state/copying.svelte.ts';
import {
  newFileId,
  type IntakeProgress,
  type IntakeRefusal,
  type Outcome,
} from '../../photos/bring-in.ts';

export interface Refused {
  readonly filename: string;
  readonly refusal: IntakeRefusal;
}

interface Taking {
  readonly privacy: boolean;
  readonly ids: readonly string[];
  readonly onProgress: (progress: IntakeProgress) => void;
  readonly signal: (photo_id: string) => AbortSignal;
}

export interface IntakeParts<T> {
  /** True if location and personal metadata must be removed. */
  readonly privacy: () => boolean;
  /** Called with new files at once, also while earlier ones are processed. No byte is read until it resolves. */
  readonly announce?: (files: readonly Blob[], ids: readonly string[]) => Promise<unknown>;
  readonly take: (files: readonly Blob[], how: Taking) => Promise<readonly Outcome<T>[]>;
}

/** Maximum length of the longer side, in pixels; null keeps the original size. */
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

  /**
   * Adds files in order without blocking the form.
   * @returns one outcome per file
   */
  add(files: readonly Blob[]): Promise<readonly Outcome<T>[]> {
    return this.#queue(files, this.#parts.privacy());
  }

  /** The user chose to add the file with its metadata. */
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

  /** Resolves when every file added so far has an outcome. */
  idle(): Promise<void> {
    return this.#last;
  }

  #queue(files: readonly Blob[], privacy: boolean): Promise<readonly Outcome<T>[]> {
    if (files.length === 0) return Promise.resolve([]);
    const ids = files.map(() => newFileId());
    const announced = this.#parts.announce?.(files, ids);
    const outcomes = this.#last.then(() => announced).then(() => this.#run(files, ids, privacy));
    this.#last = outcomes.then(() => undefined);
    return copying.until(outcomes);
  }

  async #run(
    files: readonly Blob[],
    ids: readonly string[],
    privacy: boolean,
  ): Promise<readonly Outcome<T>[]> {
    const outcomes = await this.#parts.take(files, {
      privacy,
      ids,
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
