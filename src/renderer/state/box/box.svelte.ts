/**
 * The report box of this laptop: whether it is open, and the reports in it. Tells the host which reports were filed and what was
 * answered, so that phones can ask.
 */
import type { BoxReport, BoxView } from '../../../contract/phone/box.ts';
import type { HostInput } from '../../../contract/host.ts';
import type { Problem, Result } from '../../../contract/problem.ts';
import type { Deps } from '../../data/db/db.ts';
import { host } from '../../host/client.ts';
import { throttled } from '../throttle.ts';

class Box {
  /** Null before the host has answered. */
  view = $state.raw<BoxView | null>(null);
  reports = $state.raw<readonly BoxReport[] | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** True if the rail shows it: phones can reach it, or something waits. */
  readonly shown = $derived(
    this.view !== null && (!['none', 'off'].includes(this.view.state) || this.view.waiting > 0),
  );
  #stop: (() => void) | null = null;

  /** Follows the box for as long as a window is open. Returns the function that ends it. */
  follow(deps: Deps): () => void {
    const stop = host.listen('box.changed', () => void this.look(deps));
    void this.look(deps);
    return () => {
      stop();
      this.#stop?.();
      this.#stop = null;
      this.view = null;
      this.reports = null;
    };
  }

  async look(deps: Deps): Promise<void> {
    const got = await host.call('box.get', {});
    if (!got.ok) return void (this.problem = got.problem);
    this.view = got.value;
    // A box that was never opened has no reports.
    if (got.value.url === null) return;
    const list = await host.call('box.list', {});
    if (!list.ok) return void (this.problem = list.problem);
    this.problem = null;
    this.reports = list.value.reports;
    await this.#compare(deps, list.value.reports);
  }

  async set(change: HostInput<'box.set'>): Promise<void> {
    this.#took(await host.call('box.set', change));
  }
  async renew(): Promise<void> {
    this.#took(await host.call('box.renew', {}));
  }

  #took(result: Result<BoxView>): void {
    if (result.ok) this.view = result.value;
    this.problem = result.ok ? null : result.problem;
  }

  async #compare(deps: Deps, reports: readonly BoxReport[]): Promise<void> {
    const { newOutcomes } = await import('../../data/box/box-outcomes.ts');
    this.#stop?.();
    if (this.view === null || reports.length === 0) return;
    this.#stop = throttled(() => newOutcomes(deps, reports), {
      next: (found) => {
        if (found.length > 0) void host.call('box.tell', { outcomes: found.slice(0, 500) });
      },
      error: () => undefined,
    }).stop;
  }
}
export const box = new Box();
