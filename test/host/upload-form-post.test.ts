/** Photos to a server without segments: one form post as the server asks for it, and a receipt all the same. */
import { createHash } from 'node:crypto';
import { ulid } from 'ulid';
import { expect, it, onTestFinished } from 'vitest';
import { startChaos } from '../support/chaos.ts';
import { makeJpeg } from '../support/jpeg.ts';
import { onto } from './fixtures/delivery.ts';
import { startWorld } from './fixtures/world.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

it('decisions §4.4, §5.5: a server without segments gets one form post with every field unaltered and the file last', async () => {
  const photo = await makeJpeg({ seed: 9, bytes: 300_000 });
  const json = { 'content-type': 'application/json' };
  const server = await startChaos(null, undefined, true);
  onTestFinished(() => server.close());
  const fields = { key: 'uploads/1', policy: 'a"b\r\nc', 'x-amz-signature': 'ümlaut' };
  server.plan = (seen) => {
    const say = (status: number, body: unknown) => ({
      kind: 'answer' as const,
      status,
      headers: json,
      body: JSON.stringify(body),
    });
    if (seen.path.endsWith('/me')) return say(404, { errors: ['not found'] });
    if (seen.path.includes('/incidents/near_misses/9'))
      return say(200, { id: 9, attachments: [{ id: 4, url: '/bytes' }] });
    if (seen.path.includes('/incidents/near_misses')) return say(200, []);
    if (seen.path.endsWith('/uploads')) return say(201, { uuid: 'u-1', url: '/post-here', fields });
    if (seen.path === '/post-here') return { kind: 'answer', status: 204 };
    if (seen.path === '/bytes')
      return {
        kind: 'answer',
        status: 200,
        headers: { 'content-type': 'image/jpeg' },
        body: photo,
      };
    return say(404, {});
  };
  const world = await startWorld();
  const session = await world.call('session.connect', {
    kind: 'server',
    address: server.url,
    company_id: 2,
    project_id: 3,
    token: 'tok',
  });
  expect(session).toMatchObject({ state: 'ready', user: null, project: { id: 3 } });
  expect(session.account).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/2\/token-[0-9a-f]{16}$/);
  const photo_id = ulid();
  await world.spool(photo_id, 'a "b".jpg', photo);
  const sent = await world.call(
    'photos.deliver',
    onto({ company_id: 2, project_id: 3 }, photo_id, 9),
  );
  expect(sent).toMatchObject({
    upload_uuid: 'u-1',
    receipt: { attachment_id: 4, sha256: sha256(photo) },
  });
  const post = server.seen.find((seen) => seen.path === '/post-here');
  expect(post?.headers.authorization).toBeUndefined();
  const form = await new Response(new Uint8Array(post?.body ?? []), {
    headers: { 'content-type': post?.headers['content-type'] ?? '' },
  }).formData();
  expect(Object.fromEntries([...form].filter(([name]) => name !== 'file'))).toEqual(fields);
  expect([...form.keys()].at(-1)).toBe('file');
  const file = form.get('file') as File;
  expect(sha256(new Uint8Array(await file.arrayBuffer()))).toBe(sha256(photo));
});
