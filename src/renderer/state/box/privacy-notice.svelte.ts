/** Tells the host what the company says about people's data, so that the pages on phones show it, as the form does. */
import { getCatalog } from '../../data/db/catalog.ts';
import { host } from '../../host/client.ts';
import { app } from '../app.svelte.ts';
import { live } from '../live.svelte.ts';

/** What the host takes; another server may have a longer one. */
const MOST = 600;

/** Must be called during component setup. @param usable whether a company is open */
export const tellPrivacyNotice = (usable: () => boolean): void => {
  const notice = live(() => {
    if (!usable() || app.scope === null) return async () => '';
    const { scope, deps } = app;
    return async () =>
      (await getCatalog(deps, scope.account, scope.project_id))?.catalog.notices?.privacy_notice ??
      '';
  });
  const text = $derived((notice.value ?? '').slice(0, MOST));
  $effect(() => void host.call('phone.notice', { text }));
};
