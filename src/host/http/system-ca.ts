/**
 * Loads the system's certificate authorities, which Node ignores by default. Companies install their own authority there.
 * Reading the store is slow, so it happens once, after the first certificate with an unknown issuer.
 */
import tls from 'node:tls';
import { codeOf } from '../lib/log.ts';

/** Errors that mean an unknown issuer. An expired certificate or a wrong host name is not among them. */
const UNKNOWN = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

let read = false;

const readSystem = (): void => {
  read = true;
  try {
    tls.setDefaultCACertificates([
      ...tls.getCACertificates('default'),
      ...tls.getCACertificates('system'),
    ]);
  } catch {
    // An older Node, or an unreadable store: keep Node's own list.
  }
};

/** Calls `connect`. If the certificate's issuer is unknown, loads the system's authorities and calls it once more. */
export const trustingSystem = async <T>(connect: () => Promise<T>): Promise<T> => {
  const knew = read;
  try {
    return await connect();
  } catch (error) {
    if (knew || !UNKNOWN.has(codeOf(error))) throw error;
    if (!read) readSystem();
    return connect();
  }
};
