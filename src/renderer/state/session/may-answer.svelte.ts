/** Decides whether the user may write the follow-up and the answer of another person's near miss (decisions §12.3). */
import { isNamed } from '../../../contract/text/is-named.ts';
import { shiftEndOf } from '../../data/db/shift-held.ts';
import type { NearMissRow } from '../../data/db/db.ts';
import { app } from '../app.svelte.ts';
import { live } from '../live.svelte.ts';
import { now } from '../now.svelte.ts';
import { changeableOf } from './access.ts';

interface Asked {
  readonly row: NearMissRow;
  /** The name in the follow-up. */
  readonly who: string;
  /** The names that mean the user. */
  readonly mine: readonly string[];
}

export interface MayAnswer {
  readonly yes: boolean;
  /** True if it would be yes after the user has taken over the shift. */
  readonly after_shift: boolean;
}

/** Must be called during component setup. */
export function liveMayAnswer(asked: () => Asked): MayAnswer {
  const changeable = $derived(asked().row.bin === 0 ? changeableOf(asked().row) : 'none');
  /** End of the user's shift in this project. Undefined until it is read. */
  const shift = live(() => {
    const { deps, scope } = app;
    return async () => (scope ? shiftEndOf(deps, scope) : 0);
  });
  const answers = $derived(isNamed(asked().who, asked().mine) || (shift.value ?? 0) > now());
  return {
    get yes() {
      return changeable === 'all' || (changeable === 'answers' && answers);
    },
    get after_shift() {
      return changeable === 'answers' && !answers && shift.value !== undefined;
    },
  };
}
