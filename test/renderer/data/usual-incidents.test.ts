/** The preselected job: this person's last one, then those with the most reports of the project. */
import { expect, it } from 'vitest';
import type { NearMiss } from '../../../src/contract/rest/near-misses.ts';
import { usualIncidents } from '../../../src/renderer/data/model/last-report.ts';
import { capture, host, owner, windowPerTest, windows } from '../../support/renderer-window.ts';

windowPerTest();

it('mine comes first, however few there are; then the most used; none of another project', async () => {
  host.up = false;
  const window = await windows.start(host);
  const ME = 4;
  const reported: readonly (readonly [incident: number, by: number])[] = [
    [3, ME],
    [5, 9],
    [7, 9],
    [7, 9],
    [7, 9],
    [5, 9],
  ];
  for (const [incident_id, by] of reported) {
    const key = await capture(window, 'x', []);
    await window.db.near_misses.update(key, {
      incident_id,
      server: { incident_created_by: { id: by, name: 'X' } } as unknown as NearMiss,
    });
  }
  const { account, project_id } = owner;
  const usual = (project: number, me: number | null) =>
    usualIncidents(window, account, project, me);
  expect(await usual(project_id, ME)).toEqual([3, 7, 5]);
  expect(await usual(project_id, null)).toEqual([7, 5, 3]);
  expect(await usual(project_id + 1, ME)).toEqual([]);
});
