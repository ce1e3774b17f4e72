/**
 * Restricts the addresses of notifications (decisions §9.6, failures S15). It checks addresses, never spelling: a
 * URL's host is parsed as an address or resolved first. If one of several addresses is not public, all are refused.
 */
import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Resolves a name to all its addresses. Rejects if it has none, or when `signal` aborts. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

/** Refuses an attempt before it is made; the message says why. */
export class Blocked extends Error {}

/** Formally public, but answered inside a cloud by the agent of its virtual machines. */
const CLOUD_AGENTS = new Set(['168.63.129.16']);
/** Global unicast. All other ranges are refused (IPv4-compatible, NAT64, site-local, segment routing). */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** ISATAP: an IPv4 address in the last four bytes, after its marker. */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean =>
  parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200);

/** True if a notification may go to this address; false for anything that is not an address. */
export const isPublic = (address: string): boolean => {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4)
    return parsed.range() === 'unicast' && !CLOUD_AGENTS.has(parsed.toString());
  return (
    parsed.zoneId === undefined &&
    parsed.match(GLOBAL_V6) &&
    !isIsatap(parsed) &&
    parsed.range() === 'unicast'
  );
};

/** Names reserved for this machine or the local network (RFC 6761, 6762, 8375, 9476). */
const INSIDE = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa|localdomain)$/;

/** A URL's host in lower case, without brackets and trailing dots. */
export const hostOf = (url: URL): string =>
  url.hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/(?<!\.)\.+$/, '')
    .toLowerCase();

/** Classifies a host without resolving it; null if only its addresses can tell. */
export const judgeHost = (host: string): 'public' | 'inside' | null => {
  if (isIP(host) !== 0) return isPublic(host) ? 'public' : 'inside';
  return INSIDE.test(host) || !host.includes('.') ? 'inside' : null;
};

/**
 * Queries the name servers directly. The system resolver would block one of the few threads that also serve files,
 * for as long as a hostile name server likes. Only a service that may send to private addresses also asks the system,
 * which knows `localhost`.
 */
export const resolver =
  (askSystem: boolean): Resolve =>
  async (name, signal) => {
    const asked = new dns.Resolver({ tries: 2 });
    const cancel = () => asked.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const both = await Promise.allSettled([asked.resolve4(name), asked.resolve6(name)]);
      const found = both.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
      if (found.length > 0) return found;
      if (askSystem && !signal.aborted)
        return (await dns.lookup(name, { all: true })).map(({ address }) => address);
      throw new Error(`the name ${name} has no address`);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };

/** The addresses to connect to. @throws {Blocked} if one of them is not public */
export const addressesOf = async (
  name: string,
  resolve: Resolve,
  allowPrivate: boolean,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const addresses = (await resolve(name, signal)).filter((address) => isIP(address) !== 0);
  if (addresses.length === 0) throw new Error(`the name ${name} has no address`);
  if (!allowPrivate && !addresses.every(isPublic))
    throw new Blocked(`the name ${name} leads to an address that is not public`);
  return addresses;
};
