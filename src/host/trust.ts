/**
 * Whom this computer trusts: a firm puts its own authority into the system's store, where Node does not look by itself. Reading the store
 * takes a moment, so it is read once, and only after a server came whose certificate Node's own list does not know.
 */
import tls from 'node:tls';
import { codeOf } from './log.ts';

/** Nobody that is known signed it: not that it is too old, or another name's. */
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
    // An older Node, or a store that cannot be read: Node's own list stays.
  }
};

/** Connects; where nobody known signed the server's certificate, once more with those whom the system trusts. */
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
