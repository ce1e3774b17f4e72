/** The names that mean the user in "Follow-up by" (decisions §12.3). */
import type { Catalog } from '../../../contract/rest/catalog.ts';
import { app } from '../app.svelte.ts';

/** Name, login, and the name of the person with that login. Empty if nobody is signed in. */
export function myNames(catalog: Pick<Catalog, 'people'> | undefined): readonly string[] {
  const user = app.session.view?.user ?? null;
  if (user === null) return [];
  const person = catalog?.people.find(({ login }) => login !== '' && login === user.login);
  return [user.name, user.login, ...(person ? [person.name] : [])].filter((name) => name !== '');
}
