/**
 * Validates the addresses of an identity provider, for the service, for the host, and before one is opened in the
 * browser (decisions §12.9).
 */

/** `https`, or `http` on this machine; without a user name and a fragment. */
const ADDRESS =
  /^(?:https:\/\/[^\s/?#\\@]+|http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?)(?:[/?][^\s#\\]*)?$/i;

/** @param isIssuer an issuer has no query either */
export const isProviderAddress = (address: string, isIssuer = true): boolean =>
  ADDRESS.test(address) && !(isIssuer && address.includes('?'));
