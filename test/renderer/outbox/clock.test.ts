/** The window's clock: by the server's time for people, by the device's alone for what was read first. */
import { Dexie } from 'dexie';
import { expect, it, onTestFinished } from 'vitest';
import { ulid } from 'ulid';
import { createDb } from '../../../src/renderer/data/db.ts';
import { windowClock } from '../../../src/renderer/outbox/clock.ts';

it('A23: however the server shifts the time of day, a later tick is later', async () => {
  const name = `clock-${ulid()}`;
  const db = createDb(name);
  onTestFinished(async () => {
    db.close();
    await Dexie.delete(name);
  });
  const clock = await windowClock(db);
  const before = clock.tick();
  const shown = clock.now();
  clock.heard(Date.now() - 3_600_000);
  expect(clock.now()).toBeLessThan(shown - 3_500_000);
  const after = clock.tick();
  expect(after).toBeGreaterThan(before);
  clock.heard(Date.now() + 3_600_000);
  expect(clock.tick()).toBeGreaterThan(after);
  expect(clock.tick()).toBeLessThan(Date.now() + 60_000);
});
