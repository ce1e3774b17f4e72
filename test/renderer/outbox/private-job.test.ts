/** A private job stays one after it was delivered: the next report does not begin under it (failures A39). */
import { Dexie } from 'dexie';
import { ulid } from 'ulid';
import { expect, onTestFinished } from 'vitest';
import { getCatalog, refreshCatalog } from '../../../src/renderer/data/db/catalog.ts';
import { history } from '../../../src/renderer/data/near-misses/history.ts';
import { openIncident, resolveIncident } from '../../../src/renderer/data/near-misses/incidents.ts';
import { saveNearMiss } from '../../../src/renderer/data/near-misses/near-misses.ts';
import { emptyFields } from '../../../src/renderer/data/model/near-miss-rows.ts';
import { refreshNearMisses } from '../../../src/renderer/data/near-misses/refresh.ts';
import { incidentToBegin } from '../../../src/renderer/near-miss-form/answers.ts';
import { queueCounts } from '../../../src/renderer/outbox/queue/queue.ts';
import { startWindow } from '../../../src/renderer/outbox/start.ts';
import { audienceOf } from '../../../src/renderer/screens/capture/audience.ts';
import { realWorld } from '../../support/renderer-real.ts';
import { until } from '../../support/renderer-window.ts';
import { slow } from '../../support/slow.ts';

const startReal = async () => {
  const world = await realWorld();
  const db_name = `private-${ulid()}`;
  const started = await startWindow(world.host, {
    history,
    db_name,
    engine: { lock_name: `outbox-${db_name}`, random: () => 0 },
  });
  if (!started.ok) throw new Error(JSON.stringify(started.problem));
  const window = started.value;
  onTestFinished(async () => {
    await window.stop();
    await Dexie.delete(db_name);
    await world.stop();
  });
  const { account, company, project } = world.session;
  const scope = {
    account: account ?? '',
    company_id: company?.id ?? 0,
    project_id: project?.id ?? 0,
  };
  return { window, scope };
};

slow(
  'A39: a private job of this laptop, delivered, is no start of the next report, and its lock names who sees it',
  async () => {
    const { window, scope } = await startReal();
    await refreshCatalog(window, scope);
    const job = await openIncident(window, scope, { title: 'Private job', private: true });
    if (!job.ok) throw new Error(JSON.stringify(job.problem));
    const fields = { ...emptyFields, incident_id: job.value, description: '<p>secret</p>' };
    await saveNearMiss(window, { id: ulid(), ...scope, fields });
    await until(
      'all is sent',
      async () => (await queueCounts(window, scope.account)).operations === 0,
    );
    const id = await resolveIncident(window.db, job.value);
    const judge = async (): Promise<void> => {
      const catalog = (await getCatalog(window, scope.account, scope.project_id))?.catalog ?? null;
      expect(catalog?.incidents.some((one) => one.id === id)).toBe(true);
      expect(incidentToBegin(catalog, [id])).not.toBe(id);
      expect(audienceOf(catalog?.incidents ?? [], id, undefined)?.closed).toBe(true);
    };
    await judge();
    // A server whose catalog is gone for a moment: the pick lists are built from the records.
    await refreshNearMisses(window, scope);
    const gone = async () => ({
      ok: false as const,
      problem: { kind: 'gone' as const, status: 404, messages: [] },
    });
    const request: typeof window.host.request = (name, ...more) =>
      name === 'catalog.show' ? (gone() as never) : window.host.request(name, ...more);
    await refreshCatalog({ ...window, host: { ...window.host, request } }, scope);
    expect((await getCatalog(window, scope.account, scope.project_id))?.source).toBe('records');
    await judge();
  },
);
