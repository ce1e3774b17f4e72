/** Delivered events (reference: Events 1 and 2): every resource and event type, and nothing that was not requested. */
import { describe, expect, it } from 'vitest';
import type { Upload } from '../../../src/contract/rest/uploads.ts';
import { webhookEventTypesOf, webhookResourceNames } from '../../../src/contract/rest/webhooks.ts';
import type { Client } from '../../support/service.ts';
import { makeWorld } from '../matrix-world.ts';
import { post, random } from '../uploads/support.ts';
import { endpoint, makeHook, sender, until, type Endpoint } from '../webhooks/support.ts';
import { slow } from '../../support/slow.ts';

const told = (e: Endpoint): string[] =>
  e.received.map(({ body }) => `${body.resource_name} ${body.event_type}`);
/** Long enough for several polls of the outbox. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 150));

/** Performs every operation of the API on a record of every kind, and returns the expected events. */
const liveThrough = async (client: Client): Promise<string[]> => {
  const { vendors, documents, parties, time_and_material_entries } = (await client.get('~/catalog'))
    .json;
  const incident = await client.post('~/incidents', { incident: { title: 'x' } });

  const near_misses = '~/incidents/near_misses';
  const near_miss = { incident_id: incident.json.id };
  const record = `${near_misses}/${(await client.post(near_misses, { near_miss })).json.id}`;
  await client.patch(record, { near_miss: { description: 'x' } });
  await client.delete(record);

  const insurances = `~/vendors/${vendors[0].id}/insurances`;
  const one = `${insurances}/${(await client.post(insurances, { insurance: {} })).json.id}`;
  await client.patch(one, { insurance: { notes: 'x' } });
  await client.delete(one);

  const attachments = '~/time_and_material_entry_attachments';
  const attached = await client.post(attachments, {
    time_and_material_entry_id: time_and_material_entries[0].id,
    time_and_material_entry_attachment: { documents: [documents[0].id] },
  });
  await client.delete(`${attachments}/${attached.json.id}`);

  const party_id = parties.find((one: { reference_user: boolean }) => one.reference_user).id;
  const memberships = '~/project_memberships';
  await client.post(memberships, { project_membership: { party_id } });
  const members = (await client.get(`${memberships}?per_page=10000`)).json;
  const { id } = members.find((one: { party_id: number }) => one.party_id === party_id);
  await client.delete(`${memberships}/${id}?party_id=${party_id}`);

  const uploads = `/rest/v1.1/companies/${client.company_id}/uploads`;
  const upload = (await client.post(uploads, { response_filename: 'a.txt' })).json as Upload;
  expect((await post(upload, random(10))).status).toBe(204);
  return [
    'Incidents create',
    'Near Misses create',
    'Near Misses update',
    'Near Misses delete',
    'Project Insurances create',
    'Project Insurances update',
    'Project Insurances delete',
    'Time And Material Entry Attachments create',
    'Time And Material Entry Attachments delete',
    'Project Memberships create',
    'Project Memberships delete',
    'Company Uploads create',
    'Company Uploads update',
  ];
};

describe('reference, Events', () => {
  it('reference, Events 1: whatever is created, updated or deleted is told to a hook whose triggers name it (reference R-events-1)', async () => {
    const t = await sender();
    const e = await endpoint();
    const triggers = webhookResourceNames.flatMap((name) =>
      webhookEventTypesOf(name).map((type) => [name, type] as const),
    );
    await makeHook(t.demo, e.url, { triggers });
    const expected = await liveThrough(t.demo);
    await until(() => e.received.length >= expected.length);
    await aWhile();
    expect(told(e)).toEqual(expected);
  });

  slow(
    'reference, Events 1: what no trigger of the hook names is not told, nor anything to a hook without triggers (reference R-events-2)',
    async () => {
      const t = await sender();
      const [some, none] = [await endpoint(), await endpoint()];
      await makeHook(t.demo, some.url, {
        triggers: [
          ['Project Insurances', 'update'],
          ['Near Misses', 'delete'],
        ],
      });
      await makeHook(t.demo, none.url, { triggers: [] });
      await liveThrough(t.demo);
      await until(() => some.received.length >= 2);
      await aWhile();
      expect(told(some)).toEqual(['Near Misses delete', 'Project Insurances update']);
      expect(none.received).toHaveLength(0);
    },
  );

  it('reference, Events 2: a company’s hook hears of all its projects, a project’s of its own, another company’s of none (reference R-events-3)', async () => {
    const t = await sender();
    const { next_door } = await makeWorld(t);
    const [company, project, other] = [await endpoint(), await endpoint(), await endpoint()];
    await makeHook(t.demo, company.url);
    await makeHook(t.demo, project.url, { project_id: t.demo.project_id });
    await makeHook(t.other, other.url);
    for (const client of [next_door, t.demo]) {
      const incident = await client.post('~/incidents', { incident: { title: 'x' } });
      const near_miss = { incident_id: incident.json.id };
      expect((await client.post('~/incidents/near_misses', { near_miss })).status).toBe(201);
    }
    await until(() => company.received.length === 2 && project.received.length === 1);
    await aWhile();
    const projects = (e: Endpoint) => e.received.map(({ body }) => body.project_id);
    expect(projects(company)).toEqual([next_door.project_id, t.demo.project_id]);
    expect(projects(project)).toEqual([t.demo.project_id]);
    expect(projects(other)).toEqual([]);
  });
});
