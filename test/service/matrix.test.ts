/**
 * Who may see and change what, generated from the route table (decisions §1.1; failures S21): every route against no token, a
 * bad token, another company, another project of the same company and another owner's upload. Each row ends with the owner's
 * own successful request, so the refusals above were not for everybody.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpointNames, endpoints, type EndpointName } from '../../src/contract/rest/index.ts';
import { startTestService, type Answer, type Client } from '../support/service.ts';
import { askRow, rows, victimFor, type Place, type Row } from './matrix-rows.ts';
import { CANARY, makeWorld, snapshot, type Victim, type World } from './matrix-world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld(
    await startTestService({
      'allow-private-webhooks': true,
      'webhook-max-hooks': 1000,
      // No sweep: one between two snapshots would look like a stranger's write.
      'upload-sweep-interval': 86_400_000,
    }),
  );
});
afterAll(() => world.t.stop());

/** The status for a stranger whose path names the victim's company and project. */
const statusForStranger = (path: string, row: Row): number => {
  if (path.includes('{company_id}')) return 403;
  return path.includes('{project_id}') ? 404 : row.elsewhere;
};

const NOT_FOUND = JSON.stringify({ errors: ['Not found.'] });

const expectRefusals = async (name: EndpointName, row: Row, victim: Victim): Promise<void> => {
  const { owner, colleague, next_door, stranger } = world;
  const { path } = endpoints[name];
  const seen = (answer: Answer, status: number, who: string): void => {
    expect(answer.status, `${name}, ${who}: ${answer.text}`).toBe(status);
    expect(answer.text, `${name}, ${who}`).not.toContain(CANARY);
    // Indistinguishable from a record that does not exist.
    if (status === 404) expect(answer.text, `${name}, ${who}`).toBe(NOT_FOUND);
  };
  const as = (by: Client, place: Place, headers?: Readonly<Record<string, string>>) =>
    askRow(name, row, victim, by, place, headers);
  seen(await as(owner, owner, { authorization: '' }), 401, 'no token');
  seen(await as(owner, owner, { authorization: 'Bearer nobody' }), 401, 'a bad token');
  for (const none of ['', 'x'])
    seen(await as(owner, owner, { 'service-company-id': none }), 400, 'no company');
  const company = { 'service-company-id': String(owner.company_id) };
  seen(await as(stranger, owner, company), 403, 'a stranger who names the company');
  seen(await as(stranger, owner), statusForStranger(path, row), 'a stranger in the project');
  seen(await as(stranger, stranger), row.elsewhere, 'a stranger at home');
  if (path.includes('{project_id}'))
    seen(await as(next_door, next_door), row.elsewhere, 'the project next door');
  if (row.colleague !== undefined)
    seen(await as(colleague, owner), row.colleague, 'another owner’s upload');
};

describe('failures S21, decisions §1.1: nobody sees or changes what is not theirs', () => {
  it('failures S21: every route of the contract has a row (test/service/matrix-rows.ts)', () => {
    expect(endpointNames.filter((name) => rows[name] === undefined)).toEqual([]);
  });

  for (const name of endpointNames) {
    const row = rows[name];
    // A route without a token: access.test.ts.
    if (row === undefined || !endpoints[name].needsToken) continue;
    it(`failures S21: ${name} (reference R-authentication-1, R-authentication-2, R-endpoints-2, R-endpoints-4)`, async () => {
      const victim = await victimFor(world, name);
      const before = await snapshot(world);
      await expectRefusals(name, row, victim);
      expect(await snapshot(world), `${name} wrote`).toBe(before);
      const own = await askRow(name, row, victim, world.owner, world.owner);
      const { status, reply } = endpoints[name];
      expect(own.status, `${name}, the owner: ${own.text}`).toBe(status);
      if (status !== 204) {
        expect(own.headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(Array.isArray(own.json)).toBe(reply.def.type === 'array');
      }
    });
  }
});
