/** [ours] Incidents, catalog and me: decisions §4, and what the demo company holds (§10). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog as catalogSchema } from '../../src/contract/rest/catalog.ts';
import { incident as incidentSchema } from '../../src/contract/rest/incidents.ts';
import { me as meSchema } from '../../src/contract/rest/me.ts';
import { hashToken } from '../../src/service/domain/tokens.ts';
import { startTestService, type TestService } from '../support/service.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

describe('decisions §4.1: incidents', () => {
  it('decisions §4.1: create answers every field, and show and list the same', async () => {
    // Stamps of the sample data may be a millisecond ahead of the clock (decisions §14.1).
    t.clock.advance(1_000);
    const made = await t.demo.post('~/incidents', {
      incident: {
        title: '  Night shift  ',
        description: 'Lighting failed',
        event_date: '2026-01-10T22:30:00+01:00',
        time_unknown: true,
        location: 'Deck B',
        private: true,
      },
    });
    expect(made.status).toBe(201);
    expect(incidentSchema.safeParse(made.json).error).toBeUndefined();
    const now = new Date(t.clock.now()).toISOString();
    expect(made.json).toEqual({
      id: expect.any(Number),
      number: 5,
      title: 'Night shift',
      description: 'Lighting failed',
      event_date: '2026-01-10T21:30:00.000Z',
      time_unknown: true,
      location: 'Deck B',
      private: true,
      status: 'open',
      people: [],
      created_by: { id: 1, name: 'Maria Kovacs', login: 'maria.kovacs@northline.example' },
      created_at: now,
      updated_at: now,
    });
    expect((await t.demo.get(`~/incidents/${made.json.id}`)).json).toEqual(made.json);
    expect((await t.demo.get('~/incidents')).json[0]).toEqual(made.json);
  });

  it('decisions §4.1: title is required', async () => {
    for (const title of [undefined, null, '', '   ', 5, 'x'.repeat(501)]) {
      const answer = await t.demo.post('~/incidents', { incident: { title } });
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ['incident.title']]);
    }
  });

  it('decisions §4.1: what is left out is empty', async () => {
    const made = await t.demo.post('~/incidents', { incident: { title: 'Bare' } });
    expect(made.json).toMatchObject({
      description: '',
      event_date: null,
      time_unknown: false,
      location: null,
      private: false,
    });
  });

  it('decisions §4.1, §2: the list is paged', async () => {
    const answer = await t.demo.get('~/incidents?per_page=2&page=2');
    expect(answer.json).toHaveLength(2);
    expect(answer.headers.get('link')).toMatch(/rel="first".*rel="last"/);
    expect((await t.demo.get('~/incidents?page=0')).status).toBe(422);
    expect((await t.demo.get('~/incidents?page=99')).json).toEqual([]);
  });

  it('decisions §4.1: an incident of another project is 404', async () => {
    const theirs = (await t.other.get('~/incidents')).json[0].id;
    expect((await t.demo.get(`~/incidents/${theirs}`)).status).toBe(404);
    expect((await t.demo.get('~/incidents/4711')).status).toBe(404);
  });
});

describe('decisions §4.2: catalog', () => {
  it('decisions §4.2, §10: it has the shape of the contract and at least what the demo promises', async () => {
    const answer = await t.demo.get('~/catalog');
    expect(catalogSchema.safeParse(answer.json).error).toBeUndefined();
    const least = {
      incidents: 3,
      people: 5,
      parties: 8,
      harm_sources: 6,
      work_activities: 6,
      managed_equipment: 4,
      companies: 3,
      vendors: 3,
      time_and_material_entries: 3,
      documents: 4,
      folders: 2,
      custom_field_definitions: 11,
    };
    for (const [name, count] of Object.entries(least))
      expect(answer.json[name].length, name).toBeGreaterThanOrEqual(count);
    const reference = answer.json.parties.filter(
      ({ reference_user }: { reference_user: boolean }) => reference_user,
    );
    expect(reference).toHaveLength(5);
    expect((await t.demo.get('~/incidents/near_misses')).headers.get('total')).toBe('250');
    const types = answer.json.custom_field_definitions.map(
      ({ data_type }: { data_type: string }) => data_type,
    );
    expect(new Set(types)).toEqual(
      new Set(['string', 'text', 'number', 'date', 'datetime', 'boolean', 'select']),
    );
  });

  it('decisions §4.7: it has the four fields of what has to be done, which a near miss takes like all others', async () => {
    const { json } = await t.demo.get('~/catalog');
    const fields = json.custom_field_definitions as {
      id: number;
      label: string;
      data_type: string;
    }[];
    const named = (label: string) => fields.find((one) => one.label === label);
    const typed = ['Follow-up', 'Follow-up by', 'Follow-up date', 'Follow-up done'].map(named);
    expect(typed.map((one) => one?.data_type)).toEqual(['string', 'string', 'date', 'date']);
    const [what, , due, done] = typed.map((one) => `custom_field_${one?.id ?? 0}`) as string[];
    const made = await t.demo.post('~/incidents/near_misses', {
      near_miss: {
        incident_id: json.incidents[0].id,
        description: 'Gate left open',
        [what ?? '']: 'Fit a spring',
        [due ?? '']: '2026-12-01',
      },
    });
    expect(made.status, made.text).toBe(201);
    const path = `~/incidents/near_misses/${made.json.id}`;
    const closed = await t.demo.patch(path, { near_miss: { [done ?? '']: '2026-11-30' } });
    expect(closed.json.custom_fields).toMatchObject({
      [what ?? '']: { value: 'Fit a spring' },
      [due ?? '']: { value: '2026-12-01' },
      [done ?? '']: { value: '2026-11-30' },
    });
  });

  it('decisions §4.8: it has the field of what is said of photos, whose lines come back as they were sent', async () => {
    const { json } = await t.demo.get('~/catalog');
    const fields = json.custom_field_definitions as {
      id: number;
      label: string;
      data_type: string;
    }[];
    const captions = fields.filter((one) => one.label === 'Photo captions');
    expect(captions.map((one) => one.data_type)).toEqual(['text']);
    const key = `custom_field_${captions[0]?.id ?? 0}`;
    const said =
      'IMG_2.jpg (before): Toe board — missing\nsite #2.jpg\nFoto ñ.jpg (after): fixed: «sí»';
    const made = await t.demo.post('~/incidents/near_misses', {
      near_miss: {
        incident_id: json.incidents[0].id,
        description: 'Toe board missing',
        [key]: said,
      },
    });
    expect(made.status, made.text).toBe(201);
    const shown = await t.demo.get(`~/incidents/near_misses/${made.json.id}`);
    expect(shown.json.custom_fields[key]).toMatchObject({ value: said });
  });

  it('decisions §4.2: it carries an ETag and answers 304 until something changes', async () => {
    const first = await t.demo.get('~/catalog');
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const sent of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await t.demo.get('~/catalog', { 'if-none-match': sent });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    }
    await t.demo.post('~/incidents', { incident: { title: 'New on the list' } });
    const changed = await t.demo.get('~/catalog', { 'if-none-match': etag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);
  });

  it('decisions §4.2: nothing of another company is in it', async () => {
    const mine = (await t.demo.get('~/catalog')).json;
    const theirs = (await t.other.get('~/catalog')).json;
    expect(theirs.notices).toEqual({ help_contact: null, privacy_notice: null });
    for (const name of Object.keys(mine).filter((one) => one !== 'notices')) {
      const ids = new Set(mine[name].map(({ id }: { id: number }) => id));
      for (const { id } of theirs[name]) expect(ids.has(id), `${name} ${id}`).toBe(false);
    }
  });
});

describe('decisions §4.3: me', () => {
  const ME = '/rest/v1.0/me';

  it('decisions §4.3: user, companies, projects, and the fields of the user at the top', async () => {
    const answer = await t.demo.get(ME);
    expect(meSchema.parse(answer.json)).toEqual({
      id: 1,
      name: 'Maria Kovacs',
      login: 'maria.kovacs@northline.example',
      user: { id: 1, name: 'Maria Kovacs', login: 'maria.kovacs@northline.example' },
      companies: [{ id: 1, name: 'Northline Construction', level: 'admin', project_ids: null }],
      token: { id: hashToken(t.demo.token).slice(0, 12), name: null, expires_at: null },
      projects: [{ id: 1, name: 'Harbour Bridge East', company_id: 1, active: true }],
    });
  });

  it('decisions §4.3, §1.1: a token alone finds its company; a company that is named is checked', async () => {
    const ask = async (headers: Readonly<Record<string, string>>) => {
      const answer = await fetch(t.url + ME, {
        headers: { authorization: `Bearer ${t.demo.token}`, ...headers },
      });
      return [answer.status, await answer.json()];
    };
    expect(await ask({})).toEqual([200, (await t.demo.get(ME)).json]);
    for (const name of ['service-company-id', 'procore-company-id']) {
      expect((await ask({ [name]: String(t.demo.company_id) }))[0], name).toBe(200);
      expect((await ask({ [name]: 'x' }))[0], name).toBe(400);
      expect((await ask({ [name]: String(t.other.company_id) }))[0], name).toBe(403);
    }
    expect((await ask({ authorization: 'Bearer nobody' }))[0]).toBe(401);
  });
});
