/**
 * Pages without a token (`/metrics`, `/docs`, `/openapi.json`, `/healthz`) answer only to names that are this service's: a web page
 * whose name was pointed at this machine after it had loaded (DNS rebinding) would read them as its own otherwise. An
 * address in numbers cannot be pointed anywhere, so it may always be asked.
 */
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../domain/problem.ts';
import type { Options } from '../options.ts';

type Named = Pick<Options, 'host' | 'public-url' | 'allowed-hosts'>;

const LOCALHOST = /^([a-z0-9-]{1,63}\.)?localhost$/;

/** A Host header's name: without brackets, a dot at its end and capitals. */
const plainName = (host: string): string =>
  host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();

const publicName = (address: string): string =>
  URL.canParse(address) ? plainName(new URL(address).hostname) : '';

/** A check for a route. @throws Refusal 421 */
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
