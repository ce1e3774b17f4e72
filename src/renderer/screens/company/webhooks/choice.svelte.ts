/** The chosen scope and namespace of the webhooks screen, kept while the window is open. */
import { NAMESPACE_DEFAULT } from '../../../../contract/rest/webhooks.ts';
import type { HookScope } from '../../../data/db/db.ts';

class HookChoice {
  scope = $state<HookScope>('project');
  namespace = $state(NAMESPACE_DEFAULT);
}

export const choice = new HookChoice();
