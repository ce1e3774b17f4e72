/**
 * The picture of a plan's revision that a screen shows: first the smallest, then one that is sharp at the size it is shown in. A
 * picture is fetched once and kept on this laptop.
 */
import { untrack } from 'svelte';
import type { PlanRevision } from '../../../contract/rest/plans/plans.ts';
import { pictureFor, planPicture } from '../../data/plans/plans.ts';
import { app } from '../../state/app.svelte.ts';

export interface ShownRevision {
  readonly plan_id: number;
  readonly revision: PlanRevision;
}

interface Loaded {
  readonly revision_id: number;
  readonly width: number;
  readonly url: string;
}

export class PlanPictureState {
  #loaded = $state.raw<Loaded | null>(null);
  /** True if not even the smallest picture is there. */
  missing = $state(false);
  readonly #shown: () => ShownRevision;

  /**
   * Must be created during component setup.
   * @param width the width in device pixels at which it is shown
   */
  constructor(shown: () => ShownRevision, width: () => number) {
    this.#shown = shown;
    const smallest = $derived(shown().revision.pictures[0]);
    const sharp = $derived(pictureFor(shown().revision, width()));
    $effect(() => {
      void [smallest?.sha256, sharp?.sha256, app.online];
      let current = true;
      untrack(() => void this.#load(() => current));
      return () => {
        current = false;
      };
    });
    this.#wanted = () => [smallest, sharp];
    $effect(() => () => this.#put(null));
  }

  readonly #wanted: () => readonly (PlanRevision['pictures'][number] | undefined)[];

  get url(): string | null {
    const { revision } = this.#shown();
    return this.#loaded?.revision_id === revision.id ? this.#loaded.url : null;
  }

  #put(loaded: Loaded | null): void {
    const before = this.#loaded;
    this.#loaded = loaded;
    if (before !== null) URL.revokeObjectURL(before.url);
  }

  async #load(isCurrent: () => boolean): Promise<void> {
    const { scope, deps } = app;
    const { plan_id, revision } = this.#shown();
    if (scope === null) return;
    for (const picture of this.#wanted()) {
      const had = this.#loaded?.revision_id === revision.id ? this.#loaded.width : 0;
      if (picture === undefined || had >= picture.width) continue;
      const got = await planPicture(deps, scope, plan_id, picture);
      if (!isCurrent()) return;
      if (got.ok) {
        const url = URL.createObjectURL(got.value);
        this.#put({ revision_id: revision.id, width: picture.width, url });
      }
      this.missing = this.url === null;
    }
  }
}
