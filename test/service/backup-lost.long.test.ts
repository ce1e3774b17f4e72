/** `backup` when photos were lost before it, or when the running service deletes them while it is written. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { create } from 'tar';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CreateArchive, runBackup } from '../../src/service/commands/backup.ts';
import { runRestore } from '../../src/service/commands/restore.ts';
import { onPostgres } from '../support/database.ts';
import { startTestService, tempDir } from '../support/service.ts';
import { KIB, post, random } from './uploads/support.ts';

/** A near miss with one photo, and a folder for archives. */
const scene = async () => {
  const running = await startTestService();
  onTestFinished(running.stop);
  const { demo, data_dir } = running;
  const dir = tempDir('backup-lost');
  onTestFinished(() => dir.remove());
  const uploads = `/rest/v1.1/companies/${demo.company_id}/uploads`;
  const form = (await demo.post(uploads, { response_filename: 'a.bin' })).json;
  await post(form, random(50 * KIB));
  const near_miss = { incident_id: 1, description: 'kept', upload_uuids: [form.uuid] };
  const made = (await demo.post('~/incidents/near_misses', { near_miss })).json;
  const file = join(dir.path, 'backup.tar');
  return { ...running, made, uuid: String(form.uuid), data_dir, file, dir: dir.path };
};

// PostgreSQL has its own backup tools, and the command says so.
describe.skipIf(onPostgres)('backup and restore with photos that are gone', () => {
  it('a backup of a folder that has lost a photo is restored with all the rest, and names the photo', async () => {
    const { service, uuid, data_dir, file, dir } = await scene();
    const { files } = service.app.uploads;
    for (const name of await files.list(uuid)) await files.removePart(uuid, name);
    const backup = await runBackup([file, '--data-dir', data_dir], {});
    expect(backup).toMatchObject({ damaged: [uuid] });
    const into = join(dir, 'restored');
    expect(await runRestore([file, '--data-dir', into], {})).toMatchObject({
      restored: into,
      damaged: [uuid],
    });
    expect(existsSync(join(into, 'lost.json'))).toBe(false);
  });

  it('a photo deleted while the archive is being written makes it begin again, without the photo', async () => {
    const { demo, service, made, uuid, data_dir, file, dir } = await scene();
    let deleted = false;
    const deletePhoto = async () => {
      if (deleted) return;
      const photo = `~/incidents/near_misses/${made.id}/attachments/${made.attachments[0].id}`;
      expect((await demo.delete(photo)).status).toBe(204);
      deleted = true;
      // This sweep deletes its bytes, or the service's own sweep just before.
      await service.app.uploads.sweep();
      await expect.poll(() => service.app.uploads.files.list(uuid)).toEqual([]);
    };
    const createLate = (async (...given: Parameters<CreateArchive>) => {
      await deletePhoto();
      return create(...given);
    }) as CreateArchive;
    expect(await runBackup([file, '--data-dir', data_dir], {}, createLate)).toMatchObject({
      damaged: [],
    });
    expect(deleted).toBe(true);
    const into = join(dir, 'restored');
    expect(await runRestore([file, '--data-dir', into], {})).toMatchObject({ restored: into });
  });
});
