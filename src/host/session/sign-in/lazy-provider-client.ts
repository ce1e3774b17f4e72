/** Loads `openid-client` when somebody signs in with a provider: most laptops never do. */
import type { Transport } from '../../http/http-client.ts';
import type { ProviderClient } from './provider-client.ts';

export const lazyProviderClient = (transport: Transport): ProviderClient => {
  const load = async (): Promise<ProviderClient> =>
    (await import('./identity-provider.ts')).createProviderClient(transport);
  return {
    begin: async (offer, back) => (await load()).begin(offer, back),
    refresh: async (offer, refresh_token) => (await load()).refresh(offer, refresh_token),
    revoke: async (offer, refresh_token) => (await load()).revoke(offer, refresh_token),
  };
};
