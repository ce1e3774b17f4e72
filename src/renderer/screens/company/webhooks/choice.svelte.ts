/** Which webhooks are looked at: whose, and in which namespace. Kept while the window is open, whichever hook is. */
import { NAMESPACE_DEFAULT } from '../../../../contract/rest/webhooks.ts';
import type { HookScope } from '../../../data/db.ts';

class HookChoice {
  scope = $state<HookScope>('project');
  namespace = $state(NAMESPACE_DEFAULT);
}

export const choice = new HookChoice();
