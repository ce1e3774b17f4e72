/** A full disk under the host's data folder, on a real small file system: the short form of `npm run prove -- disk`. */
import { expect, it } from 'vitest';
import { fillDisks } from '../prove/disk.ts';
import { smallDiskMissing } from '../support/small-disk.ts';

const missing = smallDiskMissing();

it.skipIf(missing !== null)(
  missing === null
    ? 'failures A16: the disk fills under journal and spool, the host is killed or stopped: nothing acknowledged is lost, photos are refused before records, the reserve comes back'
    : `failures A16: a full disk under journal and spool [skipped: ${missing}]`,
  async () => {
    const { failures, note } = await fillDisks(1, 3);
    expect(failures).toEqual([]);
    expect(note).toMatch(/^[1-9]\d* records/);
    expect(note).toMatch(/[1-9]\d* photos refused/);
  },
  300_000,
);
