/**
 * Runs before anything else in the window, and in a worker that parses by schemas. The window's policy (contract/window-policy.ts) forbids eval and turns
 * plain strings away from script sinks; this tells the libraries so, instead of letting them try and be reported.
 */
import { config } from 'zod';

// zod would probe for eval and report a policy violation on every start.
config({ jitless: true });

interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown;
}

// `new Worker(new URL(...))` hands the browser a string: ours are files of the program, anything else is refused.
const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
factory?.createPolicy('default', {
  createScriptURL(url) {
    if (new URL(url, location.href).origin !== location.origin)
      throw new TypeError(`refused to run a script from ${url}`);
    return url;
  },
});
