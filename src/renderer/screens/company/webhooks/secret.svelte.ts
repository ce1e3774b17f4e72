/** The signing secret held for a webhook, as a rune (data/company/signing-secrets.ts). */
import { createSubscriber } from 'svelte/reactivity';
import { heldSecret, onSecrets } from '../../../data/company/signing-secrets.ts';

const subscribe = createSubscriber((update) => onSecrets(update));

export const secretOf = (hook_key: string): string | null => {
  subscribe();
  return heldSecret(hook_key);
};
