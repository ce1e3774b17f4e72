/**
 * [ours] The service's Ed25519 keys (decisions §19.1). The private key is encrypted in the database, so that backups have it and
 * processes share it. A key that was replaced never signs again, and its public half stays published.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
} from 'node:crypto';
import type { SigningKey } from '../../../contract/rest/evidence/signing-keys.ts';
import type { Db } from '../../store/engine/db.ts';
import { companyIds } from '../../store/evidence/admin-acts.ts';
import * as store from '../../store/evidence/signing-keys.ts';
import { wireTime, wireTimeOrNull } from '../near-misses/near-miss-view.ts';
import { Refusal } from '../problem.ts';
import type { Secrets } from '../webhooks/webhook-ports.ts';
import { recordAct } from './admin-acts.ts';

const placeOf = (id: string): string => `signing_keys/${id}/private_key`;

const ID_DIGITS = 16;

const newKey = (secrets: Secrets, made_at: number): store.SigningKeyRow => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const der = publicKey.export({ type: 'spki', format: 'der' });
  const id = createHash('sha256').update(der).digest('hex').slice(0, ID_DIGITS);
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  return {
    id,
    public_key: publicKey.export({ type: 'spki', format: 'pem' }) as string,
    private_key: secrets.seal(pem, placeOf(id)),
    made_at,
    ended_at: null,
  };
};

/** Makes the first key of a database. `tx`: a write without a company, so that processes that start together make one key. */
export const ensureKey = async (tx: Db, secrets: Secrets, now: number): Promise<void> => {
  if (!(await store.findCurrentKey(tx))) await store.insertKey(tx, newKey(secrets, now));
};

const view = ({ id, public_key, made_at, ended_at }: Omit<store.SigningKeyRow, 'private_key'>) => ({
  id,
  public_key,
  from: wireTime(made_at),
  until: wireTimeOrNull(ended_at),
});

/** Oldest first. */
export const listSigningKeys = async (db: Db): Promise<SigningKey[]> =>
  (await store.listKeys(db)).map(view);

/** Replaces the key that signs. Works without the old private key, so that a lost `webhook.key` does not end signing. */
export const rotateKey = async (tx: Db, secrets: Secrets, now: number): Promise<SigningKey> => {
  const old = await store.findCurrentKey(tx);
  // A clock that was set back must not make a key end before it began.
  const at = Math.max(now, old?.made_at ?? now);
  if (old) await store.endKey(tx, old.id, at);
  const key = newKey(secrets, at);
  await store.insertKey(tx, key);
  const details = { key_id: key.id, replaced_key_id: old?.id ?? null };
  for (const company_id of await companyIds(tx))
    await recordAct(
      tx,
      { company_id, user_id: null, now },
      { act: 'signing_key_rotated', details },
    );
  return view(key);
};

export interface ServiceSigner {
  readonly id: string;
  /** PEM. */
  readonly public_key: string;
  /** The key does not sign for a time before this one. */
  readonly made_at: number;
  /** 64 bytes. */
  readonly sign: (bytes: Uint8Array) => Buffer;
}

/** @throws Refusal 503 if the key that the private key was encrypted with is not here */
export const currentSigner = async (db: Db, secrets: Secrets): Promise<ServiceSigner> => {
  const key = await store.findCurrentKey(db);
  const pem = key ? secrets.open(key.private_key, placeOf(key.id)) : null;
  if (!key || pem === null)
    throw new Refusal(503, [
      'This service cannot open its signing key: it was encrypted with another webhook.key. Whoever runs the service can restore that file, or make a new signing key (signing-key rotate).',
    ]);
  const private_key = createPrivateKey(pem);
  // The published half must be that of the key which signs.
  const public_key = createPublicKey(private_key).export({ type: 'spki', format: 'pem' }) as string;
  return {
    id: key.id,
    public_key,
    made_at: key.made_at,
    sign: (bytes) => sign(null, bytes, private_key),
  };
};
