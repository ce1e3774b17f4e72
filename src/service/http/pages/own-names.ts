/**
 * Protects pages without a token (`/metrics`, `/docs`, `/openapi.json`, `/healthz`) against DNS rebinding: a hostile web page
 * could point its name at this machine and read them. They respond only to the service's own host names. IP addresses are
 * always allowed, because they cannot be rebound.
 */
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../domain/problem.ts';
import type { Options } from '../../options.ts';

type Named = Pick<Options, 'host' | 'public-url' | 'allowed-hosts'>;

const LOCALHOST = /^([a-z0-9-]{1,63}\.)?localhost$/;

/** A host name without brackets and trailing dot, in lower case. */
const plainName = (host: string): string =>
  host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();

const publicName = (address: string): string =>
  URL.canParse(address) ? plainName(new URL(address).hostname) : '';

/** Returns a check for a route. @throws Refusal 421 */
export const ownNames = (options: Named): ((request: FastifyRequest) => void) => {
  const listed = options['allowed-hosts'].split(',').map((name) => plainName(name.trim()));
  const names = new Set([...listed, plainName(options.host), publicName(options['public-url'])]);
  return ({ hostname }) => {
    const name = plainName(hostname);
    if (name === '' || isIP(name) !== 0 || LOCALHOST.test(name)) return;
    if (names.has('*') || names.has(name)) return;
    throw new Refusal(421, [
      'This service is not known by the name in the Host header. --allowed-hosts adds names.',
    ]);
  };
};
