/**
 * ETags, generated from the route table (decisions §1.7): which responses carry one, and its effect in conditional requests.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { companyRecordKindNames } from '../../src/contract/rest/company-records.ts';
import { anyEndpoint, endpointNames, type EndpointName } from '../../src/contract/rest/index.ts';
import { startTestService, type Answer } from '../support/service.ts';
import { askRow, rows, victimFor } from './matrix-rows.ts';
import { makeWorld, type Victim, type World } from './matrix-world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld(
    await startTestService({ 'allow-private-webhooks': true, 'webhook-max-hooks': 1000 }),
  );
});
afterAll(() => world.t.stop());

const ask = (
  name: EndpointName,
  victim: Victim,
  headers?: Readonly<Record<string, string>>,
): Promise<Answer> =>
  askRow(name, rows[name] ?? { elsewhere: 404 }, victim, world.owner, world.owner, headers);

describe('decisions §1.7: ETags', () => {
  it.each(endpointNames.filter((name) => /\.(show|update|restore)$/.test(name)))(
    'decisions §1.7: the answer of %s carries an ETag',
    async (name) => {
      const answer = await ask(name, await victimFor(world, name));
      expect(answer.status, answer.text).toBe(200);
      expect(answer.headers.get('etag')).toMatch(/^"[\w-]+"$/);
    },
  );

  it('decisions §1.7: lists, and what is shown alone without signed addresses, have an answer to If-None-Match', () => {
    const isList = (name: EndpointName) => anyEndpoint(name).reply instanceof z.ZodArray;
    const reads = endpointNames.filter((name) => anyEndpoint(name).method === 'GET');
    expect(reads.filter((name) => anyEndpoint(name).cacheable)).toEqual(
      reads.filter(
        (name) =>
          isList(name) ||
          [
            'incidents.show',
            'company.show',
            'catalog.show',
            'insurances.show',
            'me.show',
            'retention.show',
            'company_users.show',
            'visible_projects.show',
          ].includes(name) ||
          companyRecordKindNames.some((kind) => name === `${kind}.show`),
      ),
    );
  });

  it.each(endpointNames.filter((name) => anyEndpoint(name).cacheable))(
    'decisions §1.7: %s answers 304 to its own ETag, and whole to another',
    async (name) => {
      const victim = await victimFor(world, name);
      const etag = (await ask(name, victim)).headers.get('etag') ?? '';
      const same = await ask(name, victim, { 'if-none-match': etag });
      expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', etag]);
      const other = await ask(name, victim, { 'if-none-match': '"other"' });
      expect([other.status, other.headers.get('etag')]).toEqual([200, etag]);
    },
  );

  const conditional = endpointNames.filter(
    (name) => /\{(id|uuid)\}/.test(anyEndpoint(name).path) && /\.(update|delete)$/.test(name),
  );
  // A trigger, a membership, a photo, a comment, a token, a code and a service account are created and deleted, and none is shown alone, so
  // there is no ETag to send.
  const untagged =
    /triggers\.|memberships\.|near_miss_(?:attachments|comments)\.|_tokens\.|enrolment_codes\.|service_accounts\./;
  it.each(conditional.filter((name) => !untagged.test(name)))(
    'decisions §1.7: %s with the ETag of another state is a 412 and changes nothing; with its own it is done',
    async (name) => {
      const victim = await victimFor(world, name);
      const show = name.replace(/\w+$/, 'show') as EndpointName;
      const etag = (await ask(show, victim)).headers.get('etag') ?? '';
      const refused = await ask(name, victim, { 'if-match': '"other"' });
      expect(refused.status, refused.text).toBe(412);
      expect((await ask(show, victim)).headers.get('etag')).toBe(etag);
      const done = await ask(name, victim, { 'if-match': etag });
      expect(done.status, done.text).toBe(anyEndpoint(name).status);
    },
  );

  it('decisions §1.7: an upload’s ETag says how far it is', async () => {
    const { owner } = world;
    const uploads = `/rest/v1.1/companies/${owner.company_id}/uploads`;
    const segments = [{ size: 1, sha256: 'a'.repeat(64) }];
    const { uuid } = (await owner.post(uploads, { response_filename: 'a', segments })).json as {
      uuid: string;
    };
    const first = (await owner.get(`${uploads}/${uuid}`)).headers.get('etag');
    // Each response has fresh addresses, but it is the same upload.
    world.t.clock.advance(1000);
    expect((await owner.get(`${uploads}/${uuid}`)).headers.get('etag')).toBe(first);
    const victim = await victimFor(world, 'uploads.show');
    const shown = await owner.get(`${uploads}/${victim.upload}`);
    expect(shown.headers.get('etag')).not.toBe(first);
  });
});
