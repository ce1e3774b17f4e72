/** Checks the URL of a hook when it is saved (decisions §9.6). guard.ts checks every attempt again, in the socket. */
import { isPortAllowed, type MorePorts } from './destination-ports.ts';
import { addressesOf, Blocked, hostOf, judgeHost, type Resolve } from './guard.ts';

const NOT_PUBLIC =
  'must lead to a public address: the operator of this service does not allow private ones (--allow-private-webhooks)';

const WRONG_PORT =
  'must lead to port 80, 443 or one above 1024 that no well-known service has: the operator of this service can allow others (--webhook-ports)';

/** A name server that does not respond must not block the request. */
const RESOLVE_MS = 3000;

export interface DestinationRules {
  readonly allow_private: boolean;
  readonly ports: MorePorts;
  readonly resolve: Resolve;
}

const judgeName = async (host: string, { resolve }: DestinationRules): Promise<string | null> => {
  try {
    await addressesOf(host, resolve, false, AbortSignal.timeout(RESOLVE_MS));
    return null;
  } catch (error) {
    // An unresolvable name may resolve later; every attempt checks its addresses.
    return error instanceof Blocked ? NOT_PUBLIC : null;
  }
};

/** Null if the URL may be saved, otherwise what is wrong with it. */
export const judgeUrl = async (text: string, rules: DestinationRules): Promise<string | null> => {
  if (!URL.canParse(text)) return 'must be a URL such as https://example.com/webhooks';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return 'must begin with https:// or http://';
  if (url.username !== '' || url.password !== '')
    return 'must not hold a user name or password: use destination_headers';
  if (!isPortAllowed(url, rules.ports)) return WRONG_PORT;
  if (rules.allow_private) return null;
  const host = hostOf(url);
  const said = judgeHost(host);
  if (said !== null) return said === 'inside' ? NOT_PUBLIC : null;
  return judgeName(host, rules);
};
