/**
 * The projects that the token may access, for switching between them. Fetched whenever the server is reachable and stored in
 * the database, so that switching works offline. If a server cannot list its projects (decisions §4.4), only the current one is
 * known.
 */
import { z } from 'zod';
import type { Problem } from '../../../contract/problem.ts';
import { me } from '../../../contract/rest/me.ts';
import { words } from '../../words/words.ts';
import { app } from '../app.svelte.ts';
import { projectName } from './place-names.ts';
import { type Project, projectsOf } from './projects.ts';
import { toasts } from '../toasts.svelte.ts';

const kept = z.object({
  /** Null if this server cannot list projects. */
  me: me.nullable(),
  /** Milliseconds since the epoch. */
  at: z.number(),
});
type Kept = z.infer<typeof kept>;

export interface Site {
  readonly id: number;
  readonly name: string;
  readonly in_use: boolean;
  readonly waiting: number;
}

const rowName = (account: string): string => `projects ${account}`;
const NONE: ReadonlyMap<number, number> = new Map();

class Sites {
  #known = $state.raw<(Kept & { readonly account: string }) | null>(null);
  /** Why the list is outdated. Null if it is current. */
  problem = $state.raw<Problem | null>(null);
  /** Incremented with every change of the project, so that screens are recreated. */
  turn = $state(0);

  readonly #mine = $derived(this.#known?.account === app.scope?.account ? this.#known : null);
  /** When the list was fetched. Null if never, or if the server has none. */
  readonly at = $derived(this.#mine?.me ? this.#mine.at : null);

  /** True if the server cannot list projects. */
  readonly unlisted = $derived(this.#mine !== null && this.#mine.me === null);

  /** Sites of the current company, sorted by name. Retired sites are included only while they have pending records. */
  list(waiting: ReadonlyMap<number, number> = NONE): readonly Site[] {
    const { scope } = app;
    const view = app.session.view;
    if (scope === null || !view?.project) return [];
    const { company_id, project_id } = scope;
    const all = this.#mine?.me ?? null;
    const offered = new Set(projectsOf(all, company_id, project_id));
    const own = (all?.projects ?? []).filter(
      (one) => one.company_id === company_id && (offered.has(one) || waiting.has(one.id)),
    );
    const known: readonly Pick<Project, 'id' | 'name'>[] = own.some(({ id }) => id === project_id)
      ? own
      : [{ id: project_id, name: projectName(view) }, ...own];
    return known
      .map(({ id, name }) => ({
        id,
        name,
        in_use: id === project_id,
        waiting: waiting.get(id) ?? 0,
      }))
      .toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
  }

  /** A project of the current company that the token may access, also a retired one. */
  find(project_id: number): Pick<Project, 'id' | 'name'> | undefined {
    const company_id = app.scope?.company_id;
    return this.#mine?.me?.projects.find(
      (one) => one.id === project_id && one.company_id === company_id,
    );
  }

  /** Loads the stored list, then the server's. */
  async refresh(): Promise<void> {
    const { scope, opened } = app;
    if (scope === null || opened === null) return;
    const { account } = scope;
    if (this.#known?.account !== account) {
      const row = await opened.db.meta.get(rowName(account)).catch(() => undefined);
      const had = kept.safeParse(row?.value);
      if (had.success) this.#known = { account, ...had.data };
    }
    const answer = await opened.host.request('me.show', { params: {} }, account);
    if (account !== app.scope?.account) return;
    const lacks = !answer.ok && answer.problem.kind === 'gone';
    this.problem = answer.ok || lacks ? null : answer.problem;
    if (this.problem !== null) return;
    const value: Kept = { me: answer.ok ? answer.value.data : null, at: Date.now() };
    this.#known = { account, ...value };
    await opened.db.meta.put({ name: rowName(account), value }).catch(() => undefined);
  }

  /** Switches to another project. Pending records of the previous one are still sent, and drafts stay with their project. */
  async change({ id, name }: Pick<Site, 'id' | 'name'>): Promise<void> {
    if (id === app.scope?.project_id) return;
    app.session.chooseProject({ id, name });
    this.turn += 1;
    toasts.show('info', words.sites.changed(name));
    await this.send();
  }

  /** Sends the choice to the host. If the token has no access, the previous project is shown again. */
  async send(): Promise<void> {
    const answer = await app.session.sendProject();
    if (answer === null || answer.ok || answer.problem.kind !== 'bad_input') return;
    this.turn += 1;
    toasts.show('bad', words.sites.refused(projectName(app.session.view)));
    await this.refresh();
  }
}

export const sites = new Sites();
