/**
 * [ours] Rotation of a hook's signing secret (decisions §9.2; failures: Signature). The old secret signs beside the new one
 * until its overlap ends. There is one old secret at most: a second rotation ends the one before.
 */
import type { WebhookSigningSecret } from '../../contract/rest/webhook-signing-secrets.ts';
import { updateHook } from '../store/webhooks.ts';
import { wireTimeOrNull } from './near-miss-view.ts';
import { openSigningSecret, sealPreviousSecret, sealSigningSecret } from './webhook-secrets.ts';
import { ownHook, type HookTarget, type WebhookContext } from './webhooks.ts';

/** `secret`: a fresh one, shown in this answer and never again. `overlap`: milliseconds. @throws Refusal 404, 422 */
export const rotateSigningSecret = async (
  context: WebhookContext,
  target: HookTarget,
  { secret, overlap }: { readonly secret: string; readonly overlap: number },
): Promise<WebhookSigningSecret> => {
  const { db, now, steady, secrets } = context;
  const hook = await ownHook(context, target);
  // One that was sealed with another key can sign nothing any more.
  const old = overlap > 0 ? openSigningSecret(secrets, hook) : null;
  const until = old === null ? null : steady + overlap;
  await updateHook(db, hook, {
    signing_secret: sealSigningSecret(secrets, hook, secret),
    previous_signing_secret: old === null ? null : sealPreviousSecret(secrets, hook, old),
    previous_signing_secret_until: until,
    updated_at: now,
    version: hook.version + 1,
  });
  return { signing_secret: secret, previous_valid_until: wireTimeOrNull(until) };
};
