/** A login that is added twice at once, by transactions that do not wait for each other's company (decisions §12.4, §12.9). */
import { expect, it, onTestFinished } from 'vitest';
import { signIn } from '../../../src/service/domain/access/sign-in.ts';
import { createUser } from '../../../src/service/domain/access/users.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestService } from '../../support/service.ts';

it('decisions §12.4, §12.9: a login that two companies and a sign-in add at once in two spellings is one user', async () => {
  const t = await startTestService();
  onTestFinished(() => t.stop());
  const { store, now } = t.service.app;
  const [inserted, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // Else a failure would leave the service waiting.
  onTestFinished(() => commit.resolve());
  const first = store.write(async (tx) => {
    const user = { login: 'Ana.Ruiz@example.com', name: 'Ana' };
    const operator = { company_id: t.demo.company_id, user_id: null, now: now() };
    const { data } = await createUser(tx, operator, user);
    inserted.resolve();
    await commit.promise;
    return data;
  }, t.demo.company_id);
  await inserted.promise;
  const users = `/rest/v1.0/companies/${t.other.company_id}/users`;
  const second = ['Ana.Ruiz@example.com', 'ana.ruiz@example.com'].map((login) =>
    t.other.post(users, { user: { login, name: 'Ana' } }),
  );
  const identity = { login: 'ana.ruiz@example.com', name: 'Ana', ticket: '' };
  const rules = { now: now(), window: 60_000, new_users: t.other.company_id };
  const third = store.write((tx) => signIn(tx, identity, null, rules));
  await eventually(async () => {
    const waiting = await t.database.query(
      "select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(Number(waiting[0]?.['n'])).toBeGreaterThan(0);
  });
  commit.resolve();
  const { id } = await first;
  const answers = await Promise.all(second);
  // The second spelling is refused: the company has the user already.
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
  expect(answers.find(({ status }) => status === 201)?.json.id).toBe(id);
  expect((await third).user.id).toBe(id);
  const rows = await t.database.query("select id from users where lower(login) like 'ana.ruiz@%'");
  expect(rows).toHaveLength(1);
});
