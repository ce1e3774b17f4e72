/** Switches the project. First leaves the address of a record, because records belong to a project. */
import { navigate, route } from '../../router.ts';
import { type Site, sites } from '../../state/session/sites.svelte.ts';

export const changeSite = async (site: Pick<Site, 'id' | 'name'>): Promise<void> => {
  const [, place, inner] = String(route.pathname).split('/');
  if (inner !== undefined && place !== 'settings') await navigate('/near-misses');
  await sites.change(site);
};
