/**
 * The disk store's form, signed independently by this file (node:crypto, the secret from the database, a handwritten policy):
 * the service accepts it, and nothing that differs from it (decisions §5.5; failures S7).
 */
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Upload } from '../../../src/contract/rest/uploads.ts';
import { HOUR, post, random, startFixture, type Fixture } from './support.ts';

type Fields = Record<string, string>;

const secretOf = async (fixture: Fixture): Promise<Buffer> => {
  const { value } = await fixture.service.app.store.read
    .selectFrom('service_state')
    .select('value')
    .where('name', '=', 'upload_secret')
    .executeTakeFirstOrThrow();
  return Buffer.from(value, 'hex');
};

interface Says {
  readonly uuid: string;
  readonly owner: number;
  readonly filename: string;
  readonly expires: number;
  readonly max: number;
}

/** The form as its description defines it, without the service's code. */
const signed = (secret: Buffer, { uuid, owner, filename, expires, max }: Says): Fields => {
  const expiration = new Date(expires).toISOString();
  const key = `companies/11/uploads/${uuid}`;
  const policy = Buffer.from(
    `{"expiration":"${expiration}","conditions":[{"key":"${key}"},{"x-amz-meta-owner":"${owner}"},` +
      `{"x-amz-meta-filename":"${filename}"},{"x-amz-meta-content-type":"image/jpeg"},["content-length-range",0,${max}]]}`,
  ).toString('base64');
  const text = `["form",[["key","${key}"],["policy","${policy}"]]]`;
  return {
    key,
    'x-amz-algorithm': 'SPOTTER-HMAC-SHA256',
    'x-amz-date': expiration,
    policy,
    'x-amz-signature': createHmac('sha256', secret).update(text).digest('hex'),
  };
};

const start = async () => {
  const fixture = await startFixture();
  const size = 1000;
  const upload = await fixture.create({
    response_filename: 'a.jpg',
    response_content_type: 'image/jpeg',
    size,
  });
  const says: Says = {
    uuid: upload.uuid,
    owner: fixture.owner.user_id,
    filename: 'a.jpg',
    expires: fixture.now() + HOUR,
    max: size,
  };
  return { fixture, upload, says, secret: await secretOf(fixture) };
};

const send = async (upload: Upload, fields: Fields): Promise<number> =>
  (await post({ ...upload, fields }, random(1000))).status;

describe('decisions §5.5: forms signed independently', () => {
  it('decisions §5.5: what the description makes is what is issued, and is taken', async () => {
    const { upload, says, secret } = await start();
    const fields = signed(secret, says);
    expect(fields).toEqual(upload.fields);
    expect(await send(upload, fields)).toBe(204);
  });

  it('decisions §5.5, failures S7: any field changed by one character, left out or empty is a 403', async () => {
    const { upload, says, secret } = await start();
    const right = signed(secret, says);
    for (const [name, value] of Object.entries(right)) {
      const last = value.endsWith('0') ? '1' : '0';
      const { [name]: _left, ...without } = right;
      for (const wrong of [
        { ...right, [name]: value.slice(0, -1) + last },
        { ...right, [name]: '' },
      ])
        expect(await send(upload, wrong), name).toBe(403);
      expect(await send(upload, without), name).toBe(403);
    }
    expect(await send(upload, right)).toBe(204);
  });

  it('decisions §5.5, failures S6: a later expiry, a larger size, another owner or name: 403, however well signed', async () => {
    const { fixture, upload, says, secret } = await start();
    for (const change of [
      { expires: says.expires + HOUR },
      { max: says.max + 1 },
      { owner: fixture.colleague.user_id },
      { filename: 'b.jpg' },
      { uuid: '00000000-0000-4000-8000-000000000000' },
    ])
      expect(await send(upload, signed(secret, { ...says, ...change }))).toBe(403);
    fixture.advance(HOUR);
    expect(await send(upload, signed(secret, says))).toBe(403);
  });

  it('decisions §5.5: another secret signs nothing', async () => {
    const { upload, says, secret } = await start();
    const other = Buffer.from(secret);
    other.writeUInt8(other.readUInt8(0) ^ 1, 0);
    expect(await send(upload, signed(other, says))).toBe(403);
  });
});
