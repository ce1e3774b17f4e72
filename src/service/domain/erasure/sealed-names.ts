/** [ours] The names of an erasure, encrypted until it is done, so that it goes on after a kill (decisions §21.2). */
import { z } from 'zod';
import type { Secrets } from '../webhooks/webhook-ports.ts';

interface Which {
  readonly company_id: number;
  readonly id: number;
}

const placeOf = ({ company_id, id }: Which): string => `erasures/${company_id}/${id}/names`;

export const sealNames = (secrets: Secrets, which: Which, names: readonly string[]): string =>
  secrets.seal(JSON.stringify(names), placeOf(which));

/** Null if the key has changed. */
export const openNames = (
  secrets: Secrets,
  which: Which,
  sealed: string,
): readonly string[] | null => {
  const text = secrets.open(sealed, placeOf(which));
  return text === null ? null : z.array(z.string()).parse(JSON.parse(text));
};
