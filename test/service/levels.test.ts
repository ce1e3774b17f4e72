/**
 * Who may do what, generated from the table of permissions (decisions §12.1, §12.2): every route by every level, for records that
 * the caller created and for those of others, in a project of the caller's list and in one outside it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { levels, type Level } from '../../src/contract/rest/access/levels.ts';
import { conditionOf, ruleOf, type Condition } from '../../src/contract/rest/access/permissions.ts';
import { anyEndpoint, endpointNames, type EndpointName } from '../../src/contract/rest/index.ts';
import { hashToken, mintToken } from '../../src/service/domain/tokens.ts';
import { insertUser } from '../../src/service/store/users.ts';
import { clientOf, startTestService, type Answer, type Client } from '../support/service.ts';
import { slow } from '../support/slow.ts';
import { askRow, rows, victimFor, type Row } from './matrix-rows.ts';
import { CANARY, makeWorld, snapshot, type Victim, type World } from './matrix-world.ts';

/** The users of one level: of all projects, of the victim's alone, and of another alone. */
interface Users {
  readonly all: Client;
  readonly inside: Client;
  readonly outside: Client;
}

let world: World;
const users = new Map<Level, Users>();
const ids = new Map<Client, number>();

const userOf = async (level: Level, project_ids: readonly number[] | null): Promise<Client> => {
  const { t, owner } = world;
  const { company_id } = owner;
  const now = t.clock.now();
  const login = `${level}-${ids.size}@example.com`;
  const made = await t.service.app.store.write(async (tx) => {
    const standing = { level, project_ids, active: true };
    const id = await insertUser(tx, { login, name: login, company_id, now }, standing);
    return { id, token: await mintToken(tx, id, now) };
  });
  const client = clientOf(t.url, { ...owner, token: made.token });
  ids.set(client, made.id);
  return client;
};

beforeAll(async () => {
  const t = await startTestService({
    'allow-private-webhooks': true,
    'webhook-max-hooks': 10_000,
    'upload-sweep-interval': 86_400_000,
  });
  world = await makeWorld(t);
  const { owner, next_door } = world;
  for (const level of levels)
    users.set(level, {
      all: await userOf(level, null),
      inside: await userOf(level, level === 'admin' ? null : [owner.project_id]),
      outside: await userOf(level, level === 'admin' ? null : [next_door.project_id]),
    });
});
afterAll(() => world.t.stop());

const usersOf = (level: Level): Users => {
  const found = users.get(level);
  if (!found) throw new Error(`no users of the level ${level}`);
  return found;
};

/** Makes the records of the victim that have a creator those of another user. */
const giveTo = async (victim: Victim, user_id: number): Promise<void> => {
  const mine = { created_by: user_id };
  await world.t.service.app.store.write(async (tx) => {
    for (const id of [victim.near_miss, victim.recycled])
      await tx.updateTable('near_misses').set(mine).where('id', '=', id).execute();
    await tx.updateTable('near_miss_comments').set(mine).where('id', '=', victim.comment).execute();
    await tx.updateTable('incidents').set(mine).where('id', '=', victim.incident).execute();
    await tx
      .updateTable('time_and_material_entry_attachments')
      .set(mine)
      .where('id', '=', victim.attachment)
      .execute();
    await tx
      .updateTable('uploads')
      .set({ owner_id: user_id })
      .where('uuid', 'in', [victim.upload, victim.drawing])
      .execute();
    await tx
      .updateTable('tokens')
      .set({ user_id })
      .where('token_hash', 'like', `${victim.token}%`)
      .execute();
  });
};

/**
 * A list shows what the caller sees, so it is a success with less in it. The history and the comments of a near miss are there only for
 * those who see the near miss.
 */
const isList = (name: EndpointName): boolean =>
  name.endsWith('.list') && !/^near_miss_(history|comments)/.test(name);

/** The status for records that the caller created, or for any records where the condition is `any`. */
const statusForOwn = (name: EndpointName, condition: Condition | undefined): number => {
  if (condition === undefined) return 403;
  // The row changes the description, which is more than a photo.
  return condition === 'own_photos' ? 403 : anyEndpoint(name).status;
};

/** The status for the records of somebody else, in a project that the caller sees. */
const statusForForeign = (name: EndpointName, row: Row, level: Level): number => {
  const condition = conditionOf(name, level);
  if (condition === undefined) return 403;
  if (name === 'my_tokens.delete') return 404;
  if (condition === 'any') return row.colleague ?? anyEndpoint(name).status;
  if (isList(name)) return 200;
  // For a reporter the reports of others do not exist.
  const ofReport = ruleOf[name] === 'see_reports' || name.startsWith('near_miss_comments.');
  return condition === 'own_photos' || (ofReport && level === 'reporter') ? 404 : 403;
};

const isCompanyRecord = (name: EndpointName): boolean =>
  ruleOf[name] === 'see_company' && anyEndpoint(name).path.includes('/companies/{company_id}/');

/** The status outside the caller's list of projects. */
const statusOutside = (name: EndpointName, row: Row, level: Level): number => {
  const condition = conditionOf(name, level);
  const { path } = anyEndpoint(name);
  if (path.includes('{project_id}')) return 404;
  if (name === 'visible_projects.show') return 404;
  if (condition !== undefined && isCompanyRecord(name) && /\.show$/.test(name))
    return /^(company_users)\./.test(name) ? 200 : 404;
  return statusForForeign(name, row, level);
};

const refused = (status: number): boolean => status >= 400;

/** Lists whose rows depend on who asks, of which none may be shown. */
const HIDDEN_OUTSIDE = /^(?!company_users|companies|my_tokens|webhook|vapid)/;

/** `npm test` asks the first route of each rule and method: the others of a rule take the same way through the service. */
const asked = new Set<string>();
const isFirst = (name: EndpointName): boolean => {
  const kind = `${ruleOf[name]} ${anyEndpoint(name).method}`;
  const first = !asked.has(kind);
  asked.add(kind);
  return first;
};

describe('decisions §12.1, §12.2: every route by every level', () => {
  for (const name of endpointNames) {
    const row = rows[name];
    if (row === undefined || !anyEndpoint(name).needsToken) continue;
    const test = isFirst(name) ? it : slow;
    test(`failures S21, decisions §12.2: ${name}`, async () => {
      const { owner } = world;
      const standing = await victimFor(world, name);
      const before = await snapshot(world);
      const seen = (answer: Answer, status: number, who: string): void => {
        expect(answer.status, `${name}, ${who}: ${answer.text.slice(0, 300)}`).toBe(status);
        if (refused(status)) expect(answer.text, `${name}, ${who}`).not.toContain(CANARY);
      };
      const ask = (by: Client, victim = standing) => askRow(name, row, victim, by, owner);
      const allowed: (readonly [Client, number, string, 'own' | 'foreign'])[] = [];
      for (const level of levels) {
        const condition = conditionOf(name, level);
        const { all, inside, outside } = usersOf(level);
        const foreign = statusForForeign(name, row, level);
        const own = statusForOwn(name, condition);
        // An admin sees all projects. Only a project of the list is there for the others.
        const within = name === 'projects.show' && level !== 'admin' && condition ? 404 : foreign;
        if (refused(foreign)) seen(await ask(all), foreign, `${level}, of others`);
        else allowed.push([all, foreign, `${level}, of others`, 'foreign']);
        if (refused(within)) seen(await ask(inside), within, `${level}, of others, in the list`);
        if (level !== 'admin') {
          const status = statusOutside(name, row, level);
          const answer = await ask(outside);
          if (refused(status)) seen(answer, status, `${level}, outside the list`);
          else if (isList(name) && HIDDEN_OUTSIDE.test(name) && ruleOf[name] !== 'administer')
            expect(answer.text, `${name}, ${level}, outside the list`).not.toContain(CANARY);
        }
        if (refused(foreign) || isList(name)) allowed.push([all, own, `${level}, own`, 'own']);
      }
      if (anyEndpoint(name).method === 'GET' || allowed.every(([, status]) => refused(status)))
        expect(await snapshot(world), `${name} wrote`).toBe(before);
      for (const [by, status, who, whose] of allowed) {
        const victim = await victimFor(world, name);
        if (whose === 'own') await giveTo(victim, ids.get(by) ?? 0);
        const answer = await ask(by, victim);
        seen(answer, status, who);
        if (whose === 'own') await giveTo(victim, await ownerId());
      }
    });
  }
});

const ownerId = async (): Promise<number> =>
  (await world.owner.get('/rest/v1.0/me')).json.id as number;

describe('decisions §12.2: a reporter’s lists hold only own reports', () => {
  it('decisions §12.2: the list, its totals, filters, search, Link, the bin and the incidents', async () => {
    const { owner, t } = world;
    const { inside: reporter } = usersOf('reporter');
    const list = '~/incidents/near_misses';
    const { incidents } = (await owner.get('~/catalog')).json as { incidents: { id: number }[] };
    const incident_id = incidents[0]?.id;
    const mine: number[] = [];
    for (const word of ['alpha', 'beta', 'gamma'])
      mine.push(
        (await reporter.post(list, { near_miss: { incident_id, description: `own ${word}` } })).json
          .id as number,
      );
    const page = await reporter.get(`${list}?per_page=2`);
    const idsIn = ({ json }: Answer) => (json as { id: number }[]).map(({ id }) => id);
    expect([idsIn(page), page.headers.get('total')]).toEqual([[mine[2], mine[1]], '3']);
    expect(page.headers.get('link')).toContain('page=2');
    expect(page.headers.get('link')).not.toContain('page=3');
    for (const query of [
      'filters[query]=own',
      `incident_id=${incident_id}`,
      'sort=-number',
      'sort=harm_source',
      'sort=full_number',
      'filters[created_at]=2020-01-01...',
      'page=1&per_page=1000',
    ]) {
      const found = await reporter.get(`${list}?${query}`);
      expect(idsIn(found).sort(), query).toEqual(mine);
      expect(found.headers.get('total'), query).toBe('3');
    }
    const none = await reporter.get(`${list}?filters[query]=scaffold`);
    expect([idsIn(none), none.headers.get('total')]).toEqual([[], '0']);
    const bin = await reporter.get('~/recycle_bin/incidents/near_misses');
    expect([idsIn(bin), bin.headers.get('total')]).toEqual([[], '0']);
    await owner.delete(`${list}/${mine[0]}`);
    expect(idsIn(await reporter.get('~/recycle_bin/incidents/near_misses'))).toEqual([mine[0]]);
    expect((await reporter.get(list)).headers.get('total')).toBe('2');
    const seen = await reporter.get('~/incidents');
    expect([idsIn(seen), seen.headers.get('total')]).toEqual([[incident_id], '1']);
    const answers = await t.database.query(
      `select count(*) as n from near_misses where created_by = ${ids.get(reporter) ?? 0}`,
    );
    expect(Number(answers[0]?.['n'])).toBe(3);
  });

  it('decisions §12.1: a user with a list sees its projects alone: /me, projects, company data', async () => {
    const { owner, next_door } = world;
    const { outside } = usersOf('standard');
    const me = (await outside.get('/rest/v1.0/me')).json as {
      companies: object[];
      projects: { id: number }[];
      token: { id: string };
    };
    expect(me.companies).toMatchObject([
      { level: 'standard', project_ids: [next_door.project_id] },
    ]);
    expect(me.projects.map(({ id }) => id)).toEqual([next_door.project_id]);
    expect(me.token.id).toBe(hashToken(outside.token).slice(0, 12));
    const query = `company_id=${owner.company_id}`;
    const projects = await outside.get(`/rest/v1.0/projects?${query}`);
    expect(projects.json.map(({ id }: { id: number }) => id)).toEqual([next_door.project_id]);
    expect(projects.headers.get('total')).toBe('1');
  });
});
