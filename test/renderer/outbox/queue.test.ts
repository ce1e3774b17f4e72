/** The queue as screens read it while the engine claims and releases operations. */
import { expect } from 'vitest';
import { queueItems } from '../../../src/renderer/outbox/queue/queue.ts';
import { capture, host, owner, windowPerTest, windows } from '../../support/renderer-window.ts';
import { slow } from '../../support/slow.ts';

windowPerTest();

slow('a record that is claimed and put back while the list is read is in every list', async () => {
  host.up = false;
  const window = await windows.start(host);
  await capture(window, 'Rail loose', []);
  await window.engine.stop();
  const [operation] = await window.db.operations.toArray();
  if (operation === undefined) throw new Error('nothing waits');
  let done = false;
  const flips = (async () => {
    for (let turn = 0; !done; turn += 1)
      await window.db.operations.update(operation.id, {
        state: turn % 2 === 0 ? 'sending' : 'waiting',
      });
  })();
  const seen: number[] = [];
  for (let read = 0; read < 300; read += 1)
    seen.push((await queueItems(window, owner.account)).length);
  done = true;
  await flips;
  expect(new Set(seen)).toEqual(new Set([1]));
});
