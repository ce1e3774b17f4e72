/**
 * Views of the list of near misses that the user saved under a name: search, filters and order. Kept on this laptop for each account and
 * project, in local storage, because the rail shows them at once.
 */
import { z } from 'zod';
import { navigate } from '../../router.ts';
import { app } from '../app.svelte.ts';
import { listChoices, listChosen } from './list-choices.svelte.ts';

const savedView = z.object({ name: z.string().min(1).max(60), chosen: listChosen });
export type SavedView = z.infer<typeof savedView>;

/** Names of views, at most. The rail shows them all. */
export const MOST_VIEWS = 12;
export const NAME_LENGTH = 60;

class SavedViews {
  list = $state.raw<readonly SavedView[]>([]);
  #name = '';

  /** Reads the views of the project in use. Call it in an effect. */
  open(scope: { readonly account: string; readonly project_id: number } | null): void {
    const name = scope === null ? '' : `views/${scope.account}/${scope.project_id}`;
    if (name === this.#name) return;
    this.#name = name;
    try {
      this.list = z.array(savedView).parse(JSON.parse(localStorage.getItem(name) ?? '[]'));
    } catch {
      this.list = [];
    }
  }

  #write(list: readonly SavedView[]): void {
    this.list = list;
    localStorage.setItem(this.#name, JSON.stringify(list));
  }

  named(name: string): SavedView | undefined {
    return this.list.find((view) => view.name === name.trim());
  }

  /** The view that the list shows now, if it is one. */
  get shown(): SavedView | undefined {
    const now = JSON.stringify(listChoices.chosen);
    return this.list.find(({ chosen }) => JSON.stringify(chosen) === now);
  }

  /** Saves what the list shows. A view of the same name is replaced and keeps its place. */
  save(typed: string): void {
    const view = { name: typed.trim(), chosen: listChoices.chosen };
    const had = this.named(view.name);
    this.#write(had ? this.list.map((one) => (one === had ? view : one)) : [...this.list, view]);
  }

  remove(view: SavedView): void {
    this.#write(this.list.filter((one) => one !== view));
  }

  /** Puts a removed view back where it was. */
  restore(list: readonly SavedView[]): void {
    this.#write(list);
  }

  show({ chosen }: SavedView): void {
    if (app.scope === null) return;
    listChoices.open(app.scope.account, app.scope.project_id);
    listChoices.put(chosen);
    listChoices.keep();
    void navigate('/near-misses');
  }
}

export const savedViews = new SavedViews();
