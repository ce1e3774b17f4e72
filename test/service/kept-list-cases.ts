/**
 * Changes everything that a list row shows. Each change must appear in the next list of every process, whatever row texts it
 * has cached. The expected row is the record shown alone, which is never cached.
 */
import { createHash, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Client } from '../support/service.ts';
import { bin, fieldFor, list } from './near-miss-records.ts';

interface Named {
  readonly id: number;
}

/** `clients[0]` makes the changes, and all clients list. */
export const keptListCases = (clients: () => readonly Client[]): void => {
  const writer = (): Client => clients()[0] as Client;

  const done = async (asked: ReturnType<Client['get']>) => {
    const answer = await asked;
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json;
  };
  const make = (kind: string, one: string, more: object = {}): Promise<Named> =>
    done(
      writer().post(`/rest/v1.0/companies/${writer().company_id}/${kind}`, {
        [one]: { name: `First ${kind}`, ...more },
      }),
    );

  /** A record that references one of everything, in its own incident. */
  const makeRecord = async () => {
    const incident: Named = await done(
      writer().post('~/incidents', { incident: { title: 'First title' } }),
    );
    const named = {
      affected_company_id: await make('affected_companies', 'affected_company'),
      affected_party_id: await make('parties', 'party'),
      affected_person_id: await make('people', 'person'),
      harm_source_id: await make('harm_sources', 'harm_source'),
      work_activity_id: await make('work_activities', 'work_activity'),
      managed_equipment_id: await make('managed_equipment', 'managed_equipment'),
    };
    const ids = Object.fromEntries(Object.entries(named).map(([name, { id }]) => [name, id]));
    const near_miss = { incident_id: incident.id, description: 'first', ...ids };
    const { id }: Named = await done(writer().post(list, { near_miss }));
    return { id, incident, ...named };
  };

  /** The record's row in each process's list, twice: the second may come from the cache of the first. */
  const rows = async (id: number, path = list) => {
    const seen: { readonly row: unknown; readonly etag: string | null }[] = [];
    for (const client of clients())
      for (const size of [50, 150, 50]) {
        const answer = await client.get(`${path}?per_page=${size}`);
        expect(answer.status, answer.text).toBe(200);
        // A photo's addresses start with the host name of its process.
        const shown = JSON.parse(answer.text.replaceAll(client.url, writer().url)) as Named[];
        const row = shown.find((one) => one.id === id);
        seen.push({ row, etag: answer.headers.get('etag') });
      }
    return seen;
  };

  const changes: Readonly<
    Record<string, (record: Awaited<ReturnType<typeof makeRecord>>) => Promise<unknown>>
  > = {
    ...Object.fromEntries(
      (
        [
          ['affected_companies', 'affected_company', 'affected_company_id'],
          ['parties', 'party', 'affected_party_id'],
          ['people', 'person', 'affected_person_id'],
          ['harm_sources', 'harm_source', 'harm_source_id'],
          ['work_activities', 'work_activity', 'work_activity_id'],
          ['managed_equipment', 'managed_equipment', 'managed_equipment_id'],
        ] as const
      ).map(([kind, one, column]) => [
        `the name of ${kind}`,
        (record: Awaited<ReturnType<typeof makeRecord>>) =>
          done(
            writer().patch(
              `/rest/v1.0/companies/${writer().company_id}/${kind}/${record[column].id}`,
              { [one]: { name: `Second ${kind}` } },
            ),
          ),
      ]),
    ),
    'a person’s login': ({ affected_person_id }) =>
      done(
        writer().patch(
          `/rest/v1.0/companies/${writer().company_id}/people/${affected_person_id.id}`,
          { person: { login: `p${affected_person_id.id}@firm.example` } },
        ),
      ),
    'an activity that is retired': ({ work_activity_id }) =>
      done(
        writer().patch(
          `/rest/v1.0/companies/${writer().company_id}/work_activities/${work_activity_id.id}`,
          { work_activity: { active: false } },
        ),
      ),
    'the title of the incident': ({ incident }) =>
      done(writer().patch(`~/incidents/${incident.id}`, { incident: { title: 'Second title' } })),
    'an incident that is made private': ({ incident }) =>
      done(writer().patch(`~/incidents/${incident.id}`, { incident: { private: true } })),
    'the text of the record': ({ id }) =>
      done(writer().patch(`${list}/${id}`, { near_miss: { description: 'second' } })),
    'a custom field': async ({ id }) => {
      const field = fieldFor(await done(writer().get('~/catalog')), 'Location');
      return done(writer().patch(`${list}/${id}`, { near_miss: { [field]: 'Deck B' } }));
    },
    'a photo': async ({ id }) => {
      const uploads = `/rest/v1.1/companies/${writer().company_id}/uploads`;
      const bytes = randomBytes(2048);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const { uuid, segments } = await done(
        writer().post(uploads, {
          response_filename: 'photo.jpg',
          segments: [{ size: bytes.length, sha256 }],
        }),
      );
      const put = await fetch((segments as { url: string }[])[0]?.url ?? '', {
        method: 'PUT',
        body: bytes,
        headers: { 'x-amz-content-sha256': sha256 },
      });
      expect(put.status, await put.text()).toBe(200);
      const etag = createHash('md5').update(bytes).digest('hex');
      await done(writer().patch(`${uploads}/${uuid}`, { segments: [{ etag }] }));
      await done(writer().patch(`${list}/${id}`, { near_miss: { upload_uuids: [uuid] } }));
    },
  };

  for (const [what, change] of Object.entries(changes))
    it(`decisions §2.1, §1.7: ${what} is in the next list, under another ETag`, async () => {
      const record = await makeRecord();
      const shown = async () => done(writer().get(`${list}/${record.id}`));
      const [first, before] = [await shown(), await rows(record.id)];
      for (const { row } of before) expect(row).toEqual(first);
      await change(record);
      const [second, after] = [await shown(), await rows(record.id)];
      expect(second).not.toEqual(first);
      for (const { row } of after) expect(row).toEqual(second);
      const had = new Set(before.map(({ etag }) => etag));
      for (const { etag } of after.filter((one) => one.etag !== null))
        expect(had).not.toContain(etag);
    });

  it('decisions §3.5: what is recycled leaves the list, is in the bin as it is shown there, and comes back', async () => {
    const { id } = await makeRecord();
    await rows(id);
    await done(writer().delete(`${list}/${id}`));
    for (const { row } of await rows(id)) expect(row).toBeUndefined();
    const shown = await done(writer().get(`${bin}/${id}`));
    for (const { row } of await rows(id, bin)) expect(row).toEqual(shown);
    await done(writer().patch(`${bin}/${id}/restore`, {}));
    const restored = await done(writer().get(`${list}/${id}`));
    for (const { row } of await rows(id)) expect(row).toEqual(restored);
  });

  it('decisions §1.7: every process knows the same list by the same ETag', async () => {
    const { incident } = await makeRecord();
    const tags = new Set<string | null>();
    for (const client of clients())
      for (let again = 0; again < 2; again += 1)
        tags.add((await client.get(`${list}?incident_id=${incident.id}`)).headers.get('etag'));
    expect(tags.size).toBe(1);
  });
};
