/** Photos that wait while texts are sent, in the real queue on a scripted host; and the figures of their speed. */
import { describe, expect, it } from 'vitest';
import { ulid } from 'ulid';
import { ok } from '../../../src/contract/problem.ts';
import { addPhotos, deleteNearMiss } from '../../../src/renderer/data/near-misses/near-misses.ts';
import type { Host } from '../../../src/renderer/host/client.ts';
import {
  cancelPhoto,
  pausePhotos,
  sendPhotosNow,
  whyPhotosWait,
} from '../../../src/renderer/outbox/queue/upload-policy.ts';
import { history } from '../../../src/renderer/data/near-misses/history.ts';
import { startWindow } from '../../../src/renderer/outbox/start.ts';
import { takeIn } from '../../../src/renderer/photos/intake.ts';
import { createRates, steady, timeLeft } from '../../../src/renderer/state/photos/rate.ts';
import { ACCOUNT } from '../../support/renderer-host.ts';
import {
  capture,
  drained,
  host,
  photoBytes,
  until,
  windowPerTest,
  windows,
} from '../../support/renderer-window.ts';

describe('photos wait', () => {
  it('by the setting, and by what the browser tells of the link; a browser that tells nothing has a good one', () => {
    expect(whyPhotosWait('always', { saveData: true, type: 'cellular' })).toBeNull();
    expect(whyPhotosWait('by_hand', null)).toBe('by_hand');
    expect(whyPhotosWait('good_link', null)).toBeNull();
    expect(whyPhotosWait('good_link', { saveData: false, effectiveType: '4g' })).toBeNull();
    expect(whyPhotosWait('good_link', { saveData: true })).toBe('save_data');
    expect(whyPhotosWait('good_link', { type: 'cellular', effectiveType: '4g' })).toBe('cellular');
    expect(whyPhotosWait('good_link', { effectiveType: '3g' })).toBe('slow');
  });
});

describe('in the queue', () => {
  windowPerTest();

  it('a paused photo is passed by, its text and the other photo go; told to, it goes', async () => {
    host.up = false;
    const window = await windows.start(host);
    await capture(window, 'Two photos', [photoBytes(100, 1), photoBytes(100, 2)]);
    const [first] = await window.db.operations.filter((one) => one.kind === 'photo.send').toArray();
    const id = first?.id ?? '';
    await pausePhotos(window, [id]);
    host.up = true;
    window.engine.wake();
    await until('all but the paused one', async () => (await window.db.operations.count()) === 1);
    expect((await window.db.operations.get(id))?.photo_pace).toBe('paused');
    expect(host.of('photos.upload')).toHaveLength(1);

    // Another window, another day.
    await window.stop();
    const next = await windows.start(host);
    expect((await next.db.operations.get(id))?.photo_pace).toBe('paused');
    await sendPhotosNow(next, { account: ACCOUNT });
    await drained(next, host);
    expect(host.of('photos.upload')).toHaveLength(2);
  });

  it('A26, A27: while the window does not know yet whether photos go, a delete does not overtake the photo of its record', async () => {
    const first = await windows.start(host);
    const key = await capture(first, 'Deleted with a photo on its way');
    await drained(first, host);
    host.up = false;
    const draft_id = ulid();
    const photo = new File([photoBytes(100, 4)], 'late.jpg');
    await takeIn(first, { account: ACCOUNT, draft_id }, [photo]);
    await addPhotos(first, key, draft_id);
    await deleteNearMiss(first, key);
    await capture(first, 'Another record');
    await first.stop();

    host.up = true;
    const told = Promise.withResolvers<void>();
    const client = host.client();
    const slow: Host = {
      ...client,
      call: async (method, input, bytes) => {
        if (method === 'settings.get') await told.promise;
        return client.call(method, input, bytes);
      },
    };
    const engine = { lock_name: `outbox-${windows.db_name}`, random: () => 0 };
    const second = await startWindow(slow, { history, db_name: windows.db_name, engine });
    if (!second.ok) throw new Error(second.problem.kind);
    await until('the other record is there', () => host.near_misses.size === 2);
    expect(host.of('near_misses.delete')).toEqual([]);
    told.resolve();
    await drained(second.value, host);
    await second.value.stop();
    const at = (name: string) => host.of(name).at(-1)?.n ?? -1;
    expect(at('photos.upload')).toBeGreaterThan(0);
    expect(at('near_misses.delete')).toBeGreaterThan(at('near_misses.update'));
  });

  it('a photo that was tried, whose bytes are not all there, is left out with its bytes; the text arrives', async () => {
    host.faults = [
      {
        at: 'before',
        on: (call) => call.method === 'photos.upload',
        times: 1,
        problem: { kind: 'cancelled' },
      },
    ];
    const window = await windows.start(host);
    await capture(window, 'Left out', [photoBytes(100, 3)]);
    const tried = () =>
      window.db.operations
        .filter(({ kind, attempts }) => kind === 'photo.send' && attempts > 0)
        .first();
    await until(
      'a try that ended without its bytes',
      async () => (await tried())?.last_problem?.kind === 'cancelled',
    );
    const operation = await tried();
    expect(await cancelPhoto(window, operation?.id ?? '')).toEqual(ok(null));
    await drained(window, host);
    expect(host.spool.size).toBe(0);
    expect(await window.db.photos.count()).toBe(0);
    expect(host.near_misses.size).toBe(1);
  });

  it('what the record may have by now is not left out: it stays on the queue', async () => {
    host.faults = [
      {
        at: 'after',
        on: (call) => call.endpoint === 'near_misses.update',
        times: 1,
        problem: { kind: 'offline', reason: 'reset', detail: '' },
      },
    ];
    const window = await windows.start(host);
    await capture(window, 'Too late', [photoBytes(100, 5)]);
    await until('it may hang there', () =>
      window.db.operations
        .filter(({ checkpoint }) => checkpoint['step'] === 'attaching')
        .count()
        .then((n) => n === 1),
    );
    const [operation] = await window.db.operations.toArray();
    expect(await cancelPhoto(window, operation?.id ?? '')).toMatchObject({
      ok: false,
      problem: { kind: 'conflict' },
    });
    expect(host.spool.size).toBe(1);
    await sendPhotosNow(window, [operation?.id ?? '']);
    await drained(window, host);
  });
});

describe('speed and time left', () => {
  const hear = (rates: ReturnType<typeof createRates>, steps: readonly [number, number][]) => {
    for (const [at, sent] of steps) rates.hear({ photo_id: 'p', step: 'sending', sent }, at);
  };
  it('is that of the last seconds, not known before two, gone when nothing moves', () => {
    const rates = createRates();
    hear(rates, [[0, 0]]);
    expect(rates.of(['p'], 1_000)).toBeNull();
    hear(rates, [
      [2_000, 2_000_000],
      [4_000, 4_000_000],
    ]);
    expect(rates.of(['p'], 4_000)).toBe(1_000_000);
    expect(rates.of(['p', 'unknown'], 4_000)).toBe(1_000_000);
    expect(rates.of(['p'], 30_000)).toBeNull();
  });

  it('begins anew where an upload begins anew, and forgets what is sent', () => {
    const rates = createRates();
    hear(rates, [
      [0, 9_000_000],
      [3_000, 0],
    ]);
    expect(rates.of(['p'], 4_000)).toBeNull();
    rates.hear({ photo_id: 'p', step: 'completing', sent: 9_000_000 }, 6_000);
    expect(rates.of(['p'], 6_000)).toBeNull();
  });

  it('time left is not told of what does not move; a speed has two figures', () => {
    expect(timeLeft(5_000_000, 1_000_000)).toBe(5_000);
    expect(timeLeft(5_000_000, 0)).toBeNull();
    expect(timeLeft(5_000_000, null)).toBeNull();
    expect(steady(1_234_567)).toBe(1_200_000);
  });
});
