/**
 * The photos of a form on their way to disk: what is coming and how far, what was refused and why, what waits for a
 * word from the person. Beside the form, because files are added while it is filled in, and saving waits for them.
 */
import { SvelteMap } from 'svelte/reactivity';
import type { Settings } from '../../../contract/settings.ts';
import type { Deps } from '../../data/db.ts';
import {
  takeIn,
  type IntakeOutcome,
  type IntakeProgress,
  type IntakeRefusal,
  type IntakeTarget,
} from '../../photos/intake.ts';

export interface Refused {
  readonly filename: string;
  readonly refusal: IntakeRefusal;
}

export interface IntakeParts {
  readonly deps: Deps;
  readonly target: () => IntakeTarget;
  readonly settings: () => Pick<Settings, 'photo_privacy' | 'photo_size'>;
  /** Before the first byte: a photo on disk must always belong to something that is found again. */
  readonly before: () => Promise<void>;
}

export const sideOf = (size: Settings['photo_size']): number | null =>
  size === 'original' ? null : Number(size);

export class PhotoIntake {
  coming = $state.raw<readonly IntakeProgress[]>([]);
  refused = $state.raw<readonly Refused[]>([]);

  readonly #parts: IntakeParts;
  readonly #stops = new SvelteMap<string, AbortController>();
  #last: Promise<void> = Promise.resolve();

  constructor(parts: IntakeParts) {
    this.#parts = parts;
  }

  /** Files from picker, drop, paste, camera or phone, in order, without blocking the form. Answers what became of each. */
  add(files: readonly Blob[]): Promise<readonly IntakeOutcome[]> {
    return this.#queue(files, this.#parts.settings().photo_privacy);
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

  #queue(files: readonly Blob[], privacy: boolean): Promise<readonly IntakeOutcome[]> {
    if (files.length === 0) return Promise.resolve([]);
    const outcomes = this.#last.then(() => this.#run(files, privacy));
    this.#last = outcomes.then(() => undefined);
    return outcomes;
  }

  async #run(files: readonly Blob[], privacy: boolean): Promise<readonly IntakeOutcome[]> {
    const { deps, target, settings, before } = this.#parts;
    await before();
    const max_side = sideOf(settings().photo_size);
    const outcomes = await takeIn(deps, target(), files, (progress) => this.#hear(progress), {
      privacy,
      max_side,
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
