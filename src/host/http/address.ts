/**
 * Normalizes a server address typed by a person, or refuses it with a reason.
 *
 * A token must not cross a network in the clear, so a bare name becomes `https://`, except for this machine. Plain `http://`
 * must be typed. It is accepted for this machine, private and link-local addresses, single-label names (`nas`) and names ending
 * in `.local`, `.lan`, `.internal` or `.home.arpa`. It is refused for the public internet.
 */
import { BlockList, isIP } from 'node:net';
import { fail, type InputFault, ok, type Result } from '../../contract/problem.ts';

const local = new BlockList();
local.addSubnet('127.0.0.0', 8);
local.addSubnet('10.0.0.0', 8);
local.addSubnet('172.16.0.0', 12);
local.addSubnet('192.168.0.0', 16);
local.addSubnet('169.254.0.0', 16);
local.addAddress('::1', 'ipv6');
local.addSubnet('fc00::', 7, 'ipv6');
local.addSubnet('fe80::', 10, 'ipv6');

const refuse = (fault: InputFault, message: string): Result<never> =>
  fail({ kind: 'bad_input', messages: [message], fields: { address: [message] }, fault });

/** A name such as `127.0.0.1.evil.example` begins like an address of this machine, and may mean any other. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  host === '::1' ||
  (isIP(host) === 4 && host.startsWith('127.'));

const isPrivate = (host: string): boolean => {
  const family = isIP(host);
  if (family > 0) return local.check(host, family === 6 ? 'ipv6' : 'ipv4');
  return isLoopback(host) || !host.includes('.') || /\.(local|lan|internal|home\.arpa)$/.test(host);
};

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** True if a URL's host name always means this machine. */
export const isThisMachine = (hostname: string): boolean => isLoopback(bare(hostname));

/**
 * `host.example`, `https://host.example:8443/base/` -> `https://host.example:8443/base`. Removes the trailing slash and refuses
 * a query.
 */
export const normaliseAddress = (typed: string): Result<string> => {
  const text = typed.trim();
  if (text === '') return refuse('address_missing', 'There is no address.');
  const named = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  const guess =
    URL.canParse(`http://${text}`) && isLoopback(bare(new URL(`http://${text}`).hostname));
  const full = named ? text : `${guess ? 'http' : 'https'}://${text}`;
  if (!URL.canParse(full)) return refuse('address_unreadable', 'This is not an address.');
  const url = new URL(full);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refuse('address_scheme', 'The address must begin with https:// or http://.');
  if (url.username !== '' || url.password !== '')
    return refuse('address_login', 'The address holds a user name or a password.');
  if (url.search !== '' || url.hash !== '')
    return refuse('address_query', 'The address holds a ? or a #.');
  if (url.protocol === 'http:' && !isPrivate(bare(url.hostname)))
    return refuse('address_unprotected', 'http:// is for this network only.');
  return ok(`${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}`);
};

/**
 * Resolves an address that the server gave for bytes: a segment, a form post, or a photo to read back. Null if it must not be
 * followed: another scheme, embedded credentials, or a downgrade from https to http.
 */
export const byteAddress = (given: string, server: string): URL | null => {
  if (!URL.canParse(given, `${server}/`)) return null;
  const url = new URL(given, `${server}/`);
  const base = new URL(server);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  if (url.protocol === 'http:' && base.protocol === 'https:') return null;
  return url.username === '' && url.password === '' ? url : null;
};
