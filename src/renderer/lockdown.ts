/**
 * Adapts libraries to the window's policy (contract/window-policy.ts), which forbids eval and plain strings as script
 * sources. Must run before everything else in the window, and in each worker that parses with schemas.
 */
import { config } from 'zod';

// Otherwise zod probes for eval and reports a policy violation at every start.
config({ jitless: true });

interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown;
}

// `new Worker(new URL(...))` passes a string to the browser. Allows only scripts of the same origin.
const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
factory?.createPolicy('default', {
  createScriptURL(url) {
    if (new URL(url, location.href).origin !== location.origin)
      throw new TypeError(`refused to run a script from ${url}`);
    return url;
  },
});
