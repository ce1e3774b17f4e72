/**
 * Encrypts destination headers and signing secrets in the database and its backups with AES-256-GCM. The key is in a
 * separate file beside the database or comes from the operator; all processes on one database must share it. Each
 * text is bound to its row, so that another hook cannot use it.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { constants, copyFileSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Secrets } from '../domain/webhooks/webhook-ports.ts';

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';

/** An error for the operator, with a `code` like the operating system's errors. */
const badKey = (where: string): Error =>
  Object.assign(
    new Error(
      `the webhook key in ${where} must be 32 bytes in base64 (openssl rand -base64 32 makes one)`,
    ),
    { code: 'BAD_WEBHOOK_KEY' },
  );

const decode = (text: string, where: string): Buffer => {
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== KEY_BYTES) throw badKey(where);
  return key;
};

const NO_LINKS = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'];

/**
 * Hard-links a complete file. If the file system has no links (exFAT, some network drives), copies it without
 * overwriting.
 */
const linkOrCopy = (from: string, to: string): void => {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!NO_LINKS.includes((error as { code?: string }).code ?? '')) throw error;
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  }
};

/** Reads the key file, or creates it atomically, readable by its owner only. */
const keyOfFile = (path: string): Buffer => {
  try {
    return decode(readFileSync(path, 'utf8'), path);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error;
  }
  const fresh = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(fresh, `${randomBytes(KEY_BYTES).toString('base64')}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  });
  try {
    linkOrCopy(fresh, path);
  } catch (error) {
    // Another process was first: use its key.
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  } finally {
    rmSync(fresh);
  }
  return decode(readFileSync(path, 'utf8'), path);
};

const secretsOf = (key: Buffer): Secrets => ({
  seal: (text, place) => {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([
      cipher.update(text, 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
    return `${VERSION}.${iv.toString('base64url')}.${sealed.toString('base64url')}`;
  },
  open: (sealed, place) => {
    const [version, iv = '', rest = ''] = sealed.split('.');
    const bytes = Buffer.from(rest, 'base64url');
    const nonce = Buffer.from(iv, 'base64url');
    if (version !== VERSION || nonce.length !== IV_BYTES || bytes.length < TAG_BYTES) return null;
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(place))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      return Buffer.concat([
        decipher.update(bytes.subarray(0, -TAG_BYTES)),
        decipher.final(),
      ]).toString('utf8');
    } catch {
      return null;
    }
  },
});

/** `given`: the operator's key, or ''. @throws Error that says what is wrong with the key */
export const openSecrets = (given: string, dataDir: string): Secrets =>
  secretsOf(
    given === '' ? keyOfFile(join(dataDir, 'webhook.key')) : decode(given, '--webhook-key'),
  );
