/**
 * Which addresses a notification may go to (decisions §9.6, failures S15). Judged on addresses, never on spelling: a URL's
 * host is parsed to an address or resolved to addresses first, and one that is not public among several refuses all.
 */
import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** All addresses of a name. Rejects when it has none, or when `signal` aborts. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

/** Says why an attempt was not even made. */
export class Blocked extends Error {}

/** Public by number, yet answered inside a cloud: its virtual machines' agent. */
const CLOUD_AGENTS = new Set(['168.63.129.16']);
/** Global unicast. All else (IPv4-compatible, NAT64 of every kind, site-local, segment routing) is not for us. */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** An IPv4 address in the last four bytes, by the mark of ISATAP before it. */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean =>
  parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200);

/** May a notification go there? Anything that is not an address: no. */
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

/** Names that mean this machine or this network, whoever is asked (RFC 6761, 6762, 8375, 9476). */
const INSIDE = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa|localdomain)$/;

/** A URL's host without brackets, dots at its end and capitals. */
export const hostOf = (url: URL): string =>
  url.hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/(?<!\.)\.+$/, '')
    .toLowerCase();

/** What a host says of itself, before anybody is asked: null when only its addresses can tell. */
export const judgeHost = (host: string): 'public' | 'inside' | null => {
  if (isIP(host) !== 0) return isPublic(host) ? 'public' : 'inside';
  return INSIDE.test(host) || !host.includes('.') ? 'inside' : null;
};

/**
 * Asks the name servers directly: the system's way would hold one of the few threads that also read and write files for as
 * long as a hostile name server likes. Only a service that may send inside also asks the system, which knows `localhost`.
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

/** The addresses to connect to. @throws {Blocked} when one of them is not public */
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
