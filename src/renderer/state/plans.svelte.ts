/** The plans of the current project, live, and refreshed once when a screen that shows them opens. */
import { untrack } from 'svelte';
import { plansOf, refreshPlans } from '../data/plans/plans.ts';
import { app } from './app.svelte.ts';
import { live } from './live.svelte.ts';

/** Must be called during component setup. */
export const livePlans = () => {
  const plans = live(() => {
    const { scope, deps } = app;
    return async () => (scope ? ((await plansOf(deps, scope)) ?? []) : []);
  });
  $effect(() => {
    const { scope, deps } = app;
    if (scope === null || app.session.view?.state !== 'ready' || app.online === false) return;
    untrack(() => void refreshPlans(deps, scope));
  });
  return {
    get all() {
      return plans.value ?? [];
    },
    /** Those that forms offer. */
    get offered() {
      return (plans.value ?? []).filter(({ active }) => active);
    },
  };
};
