/**
 * The projects of the token in use, to change between: asked of the server whenever it is reached and kept in the database, so
 * that the choice is there with no network too. A server that cannot list its projects (decisions §4.4) has the one in use.
 */
import { z } from 'zod';
import type { Problem } from '../../contract/problem.ts';
import { me } from '../../contract/rest/me.ts';
import { words } from '../words/words.ts';
import { app } from './app.svelte.ts';
import { projectName } from './place-names.ts';
import { type Project, projectsOf } from './projects.ts';
import { toasts } from './toasts.svelte.ts';

const kept = z.object({
  /** Null: this server has no such list. */
  me: me.nullable(),
  /** Milliseconds since the epoch. */
  at: z.number(),
});
type Kept = z.infer<typeof kept>;

export interface Site {
  readonly id: number;
  readonly name: string;
  readonly in_use: boolean;
  /** Records that wait there. */
  readonly waiting: number;
}

const rowName = (account: string): string => `projects ${account}`;
const NONE: ReadonlyMap<number, number> = new Map();

class Sites {
  #known = $state.raw<(Kept & { readonly account: string }) | null>(null);
  /** Why the list is that of before; null: it is the newest. */
  problem = $state.raw<Problem | null>(null);
  /** Counts up with every change of the project: what is shown is made anew. */
  turn = $state(0);

  readonly #mine = $derived(this.#known?.account === app.scope?.account ? this.#known : null);
  /** When the list was read; null: never, or the server has none. */
  readonly at = $derived(this.#mine?.me ? this.#mine.at : null);

  /** The server has no such list. */
  readonly unlisted = $derived(this.#mine !== null && this.#mine.me === null);

  /** Sites of the company in use, by name; a retired one only while something waits there. */
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

  /** What was known before, then what the server says. */
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

  /** Changes to a project of the list. What waits in the other goes on being sent, and drafts stay where they were begun. */
  async change({ id, name }: Pick<Site, 'id' | 'name'>): Promise<void> {
    if (id === app.scope?.project_id) return;
    app.session.chooseProject({ id, name });
    this.turn += 1;
    toasts.show('info', words.sites.changed(name));
    await this.tell();
  }

  /** Tells the host; where the token may not work there any more, the project of before is shown again. */
  async tell(): Promise<void> {
    const answer = await app.session.tellProject();
    if (answer === null || answer.ok || answer.problem.kind !== 'bad_input') return;
    this.turn += 1;
    toasts.show('bad', words.sites.refused(projectName(app.session.view)));
    await this.refresh();
  }
}

export const sites = new Sites();
