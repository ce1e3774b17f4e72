/** After a restore no id, number or ETag is reused: late changes of laptops to lost records reach no other record. */
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { describe, expect, onTestFinished } from 'vitest';
import { runBackup } from '../../src/service/commands/backup.ts';
import { runRestore } from '../../src/service/commands/restore.ts';
import { onPostgres } from '../support/database.ts';
import { bareDemo, clientOf, spawnService, tempDir } from '../support/service.ts';
import { slow } from '../support/slow.ts';

interface Made {
  readonly id: number;
  readonly number: number;
}

// PostgreSQL has its own backup tools, and the command says so.
describe.skipIf(onPostgres)('a restored backup', () => {
  slow('S31: what was given out after the backup is not given out again', async () => {
    const dir = tempDir('restored-ids');
    const folder = join(dir.path, 'data');
    const first = await spawnService(bareDemo(folder));
    onTestFinished(async () => {
      await first.end();
      dir.remove();
    });
    const demo = clientOf(first.first.url, first.first);
    const list = '~/incidents/near_misses';
    const create = async (who: typeof demo): Promise<Made> =>
      (await who.post(list, { near_miss: { incident_id: 1, description: 'made' } })).json as Made;
    const change = (who: typeof demo, id: number, description: string, if_match?: string) =>
      who.patch(
        `${list}/${id}`,
        { near_miss: { description } },
        if_match === undefined ? {} : { 'if-match': if_match },
      );
    const kept = await create(demo);
    const file = join(dir.path, 'backup.tar');
    await runBackup([file, '--data-dir', folder], {});
    const lost = await create(demo);
    const lostTag = (await change(demo, kept.id, 'lost change')).headers.get('etag') ?? '';
    await first.end();

    const target = join(dir.path, 'restored');
    await runRestore([file, '--data-dir', target], {});
    const second = await spawnService(bareDemo(target));
    onTestFinished(() => second.end().then(() => undefined));
    const again = clientOf(second.first.url, first.first);
    const fresh = await create(again);
    expect(fresh.id).toBeGreaterThan(lost.id);
    expect(fresh.number).toBeGreaterThan(lost.number);
    // Another user changes the record as often as it was changed before.
    expect((await change(again, kept.id, 'of somebody else')).status).toBe(200);
    expect((await change(again, kept.id, 'of the laptop', lostTag)).status).toBe(412);
    expect((await again.delete(`${list}/${lost.id}`)).status).toBe(404);
  });

  slow(
    'S31: the same backup restored again, later, gives out other ids and numbers than the first time',
    async () => {
      const dir = tempDir('restored-twice');
      onTestFinished(() => dir.remove());
      const folder = join(dir.path, 'data');
      const service = await spawnService(bareDemo(folder));
      await service.end();
      const backup = join(dir.path, 'backup.tar');
      await runBackup([backup, '--data-dir', folder], {});
      /** The counters after a restore at this time. */
      const restoredAt = async (now: number) => {
        const target = join(dir.path, `at-${now}`);
        await runRestore([backup, '--data-dir', target], {}, now);
        const db = new SQLite(join(target, 'spotter.db'), { readonly: true });
        const last = (text: string): number =>
          db.prepare<[], { last: number }>(`select max(last) as last from (${text})`).get()?.last ??
          0;
        const found = {
          id: last(`select last from id_counters where name = 'near_misses'`),
          number: last('select last_near_miss_number as last from incidents'),
        };
        db.close();
        return found;
      };
      const tomorrow = Date.now() + 86_400_000;
      const [first, second] = [await restoredAt(tomorrow), await restoredAt(tomorrow + 60_000)];
      expect(second.id - first.id).toBe(6_000);
      expect(second.number - first.number).toBe(6);
    },
  );
});
