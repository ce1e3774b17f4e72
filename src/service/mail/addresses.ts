/**
 * Addresses in mails that need no sign-in and do not expire: the end of all mail to one user of one company (decisions §16.4), and the
 * page that opens a near miss in the app (decisions §16.7). Only the first is signed, because the second says nothing.
 */
import type { Language } from '../../contract/languages.ts';
import type { Signer } from '../files/signing.ts';

/** All paths below this prefix need no token and no company header. */
export const MAIL_PREFIX = '/mail';

/** @param key the near miss, as `linkKeyOf` writes it */
export const openPath = (language: Language, key: string): string =>
  `${MAIL_PREFIX}/near-misses/${language}/${key}`;

interface Of {
  readonly company_id: number;
  readonly user_id: number;
}

const valuesOf = ({ company_id, user_id }: Of) => ({ company_id, user_id });

export const unsubscribePath = (signer: Signer, of: Of): string =>
  `${MAIL_PREFIX}/unsubscribe/${of.company_id}/${of.user_id}/${signer.sign('unsubscribe', valuesOf(of))}`;

export const isUnsubscribe = (signer: Signer, of: Of, signature: string): boolean =>
  signer.verify('unsubscribe', valuesOf(of), signature);
