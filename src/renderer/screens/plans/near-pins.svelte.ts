/** The pins of other reports on a plan, and those close to a place, from the reports on this laptop. */
import type { Plan } from '../../../contract/rest/plans/plans.ts';
import { customKey } from '../../../contract/text/field-by-label.ts';
import { askInsights } from '../../data/index/insights-ask.ts';
import { getNearMiss } from '../../data/index/near-miss-list.ts';
import type { PinFact } from '../../data/index/pins.ts';
import type { PlanPoint } from '../../data/model/pin.ts';
import { severityLevel, type SeverityLevel } from '../../parts/severity.ts';
import { app } from '../../state/app.svelte.ts';
import { liveCatalog } from '../../state/catalog.svelte.ts';
import { rolesHere } from '../../near-miss-form/roles-here.ts';
import { today } from '../../state/now.svelte.ts';

const DAYS = 92;
/** Distance that counts as close, as a share of the drawing's width. */
const CLOSE = 0.08;
const SHOWN = 3;

interface Near extends PlanPoint {
  readonly key: string;
  readonly level: SeverityLevel | null;
  readonly title: string;
  readonly created_at: number;
}

export class NearPins {
  #near = $state.raw<readonly Near[]>([]);
  readonly #catalog = liveCatalog();

  /** Must be created during component setup. */
  constructor(plan: () => Plan | undefined, own: () => string | undefined) {
    $effect(() => {
      const { scope, deps } = app;
      const shown = plan();
      const definitions = this.#catalog.value?.catalog.custom_field_definitions ?? [];
      const { pin, severity } = rolesHere(definitions);
      this.#near = [];
      if (scope === null || shown === undefined || pin === undefined) return undefined;
      const stop = new AbortController();
      const revisions = shown.revisions.map(({ id }) => id);
      const question = {
        account: scope.account,
        project_id: scope.project_id,
        from: today() - DAYS * 86_400_000,
        now: today(),
        severity: severity ? { key: customKey(severity), options: severity.options } : null,
        kind: null,
        when: null,
        answer: null,
        pin: { key: customKey(pin) },
      };
      const read = async (): Promise<void> => {
        const { pins } = await askInsights(deps, question, { signal: stop.signal });
        const on_plan = pins.filter(
          (one) => revisions.includes(one.revision_id) && one.key !== own(),
        );
        const near = await Promise.all(
          on_plan.slice(-200).map(async (one: PinFact): Promise<Near> => {
            const row = await getNearMiss(deps, one.key);
            const level = severityLevel(one.severity, severity?.options ?? []);
            return { ...one, level, title: row?.title ?? '' };
          }),
        );
        if (!stop.signal.aborted) this.#near = near;
      };
      // Without the others' pins the plan still works.
      read().catch(() => undefined);
      return () => stop.abort();
    });
  }

  get marks() {
    return this.#near.map(({ key, x, y, level }) => ({ key, x, y, level, small: true }));
  }

  closeTo({ x, y }: PlanPoint): readonly Near[] {
    const far = (one: PlanPoint): number => Math.hypot(one.x - x, one.y - y);
    return this.#near
      .filter((one) => far(one) <= CLOSE)
      .toSorted((a, b) => far(a) - far(b))
      .slice(0, SHOWN);
  }
}
