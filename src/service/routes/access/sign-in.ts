/** [ours] Sign-in by the company's identity provider (decisions §12.9). Without one both addresses do not exist. */
import type { signInEndpoints } from '../../../contract/rest/access/sign-in.ts';
import { requireProvider, signIn } from '../../domain/access/sign-in.ts';
import type { HandlersOf } from '../handler.ts';

export const signInHandlers: HandlersOf<keyof typeof signInEndpoints> = {
  'sign_ins.offer': async ({ app }) => ({ data: requireProvider(app.identity_provider).offer }),
  'sign_ins.create': {
    // The provider is asked before the transaction.
    prepare: async ({ app, body, now }) => {
      const { name, ...given } = body.sign_in;
      const identity = await requireProvider(app.identity_provider).identify(given, now);
      const rules = {
        now,
        window: app.options['sign-in-window'],
        new_users: app.options['sign-in-new-users'],
      };
      return async ({ db }) => ({ data: await signIn(db, identity, name ?? null, rules) });
    },
  },
};
