/**
 * Cleanup after a crash: rows of deleted drafts are removed, and the host gets the list of every photo that is still
 * referenced.
 */
import { expect, it } from 'vitest';
import { ulid } from 'ulid';
import { newDraft, saveDraft } from '../../../src/renderer/data/near-misses/drafts.ts';
import { sweepOrphans } from '../../../src/renderer/photos/lost-photos.ts';
import { takeIn } from '../../../src/renderer/photos/intake.ts';
import { ACCOUNT } from '../../support/renderer-host.ts';
import {
  capture,
  host,
  owner,
  photoBytes,
  windowPerTest,
  windows,
} from '../../support/renderer-window.ts';

windowPerTest();
const DAY = 86_400_000;

const claims = () =>
  host.calls
    .filter(({ method }) => method === 'photos.claim')
    .map(({ input }) => ({ store: input['store'], ids: new Set(input['photo_ids'] as string[]) }));

it('photos of drafts, of what waits and of what is unreadable are claimed; rows of lost drafts go after 30 days', async () => {
  host.up = false;
  const window = await windows.start(host);
  const { db, clock } = window;
  const jpeg = (seed: number) => new File([photoBytes(900, seed)], `${seed}.jpg`);
  const take = async (draft_id: string, seed: number): Promise<string> => {
    const [taken] = await takeIn(window, { account: ACCOUNT, draft_id }, [jpeg(seed)]);
    if (!taken?.ok) throw new Error('refused');
    return taken.kept.photo_id;
  };
  const draft = newDraft(window, owner);
  await saveDraft(window, draft);
  const drafted = await take(draft.id, 1);
  const key = await capture(window, 'Waits', [photoBytes(900, 2)]);
  const [queued] = await db.photos.where('near_miss_key').equals(key).toArray();
  const [original, unread, late, fresh] = [ulid(), ulid(), ulid(), ulid()];
  await db.photos.update(queued?.photo_id ?? '', {
    original: { photo_id: original, size: 9, sha256: 'x' },
  });
  const raw = { photo: { photo_id: unread } };
  await db.quarantine.add({ account: ACCOUNT, lane: 'l', raw, reason: 'x', found_at: 1 });
  const lost = await take(late, 3);
  await db.photos.update(lost, { created_at: clock.now() - 31 * DAY });
  const recent = await take(fresh, 4);

  await sweepOrphans(window);
  expect((await db.photos.toCollection().primaryKeys()).sort()).toEqual(
    [drafted, queued?.photo_id, recent].sort(),
  );
  expect(host.spool.has(lost)).toBe(false);
  const [claim] = claims();
  for (const id of [drafted, queued?.photo_id, original, unread, recent])
    expect(claim?.ids).toContain(id);
  expect(claim?.ids).not.toContain(lost);

  // The same database claims under the same store id.
  await sweepOrphans(window);
  expect(claims()[1]?.store).toBe(claim?.store);
});
