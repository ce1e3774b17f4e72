/** Changes to another project from wherever one is: what belongs to one record of the project is left before the project is. */
import { navigate, route } from '../../router.ts';
import { type Site, sites } from '../../state/sites.svelte.ts';

export const changeSite = async (site: Pick<Site, 'id' | 'name'>): Promise<void> => {
  const [, place, inner] = String(route.pathname).split('/');
  if (inner !== undefined && place !== 'settings') await navigate('/near-misses');
  await sites.change(site);
};
