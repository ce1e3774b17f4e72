/**
 * [ours] Rotates a hook's signing secret (decisions §9.2; failures: Signature). The previous secret signs as well until its
 * overlap ends. There is at most one previous secret: a second rotation discards the one before.
 */
import type { WebhookSigningSecret } from '../../../contract/rest/webhook-signing-secrets.ts';
import { stampChange } from '../../store/engine/change-clock.ts';
import { updateHook } from '../../store/webhooks/webhooks.ts';
import { wireTimeOrNull } from '../near-misses/near-miss-view.ts';
import { openSigningSecret, sealPreviousSecret, sealSigningSecret } from './webhook-secrets.ts';
import { ownHook, type HookTarget, type WebhookContext } from './webhooks.ts';

/** `secret`: a new secret, shown only in this response. `overlap`: milliseconds. @throws Refusal 404, 422 */
export const rotateSigningSecret = async (
  context: WebhookContext,
  target: HookTarget,
  { secret, overlap }: { readonly secret: string; readonly overlap: number },
): Promise<WebhookSigningSecret> => {
  const { db, now, steady, secrets } = context;
  const hook = await ownHook(context, target);
  // A secret that was encrypted with another key can no longer sign.
  const old = overlap > 0 ? openSigningSecret(secrets, hook) : null;
  const until = old === null ? null : steady + overlap;
  await updateHook(db, hook, {
    signing_secret: sealSigningSecret(secrets, hook, secret),
    previous_signing_secret: old === null ? null : sealPreviousSecret(secrets, hook, old),
    previous_signing_secret_until: until,
    updated_at: await stampChange(db, hook.company_id, now),
    version: hook.version + 1,
  });
  return { signing_secret: secret, previous_valid_until: wireTimeOrNull(until) };
};
