/** Mail (decisions §16) by a real SMTP server, on a test clock. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { recordDueFollowUps } from '../../../src/service/domain/mail/due-follow-ups.ts';
import { clientOf, type Client, type TestService } from '../../support/service.ts';
import { until } from '../webhooks/support.ts';
import {
  addPerson,
  fieldsOf,
  mailing,
  mailsOf,
  PUBLIC_URL,
  signIn,
  startMailServer,
  type MailServer,
  type Person,
} from './support.ts';
import { slow } from '../../support/slow.ts';

const DAY = 86_400_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const list = '~/incidents/near_misses';
const file = async (client: Client, near_miss: object) => {
  const made = await client.post(list, { near_miss: { incident_id: 1, ...near_miss } });
  if (made.status !== 201) throw new Error(made.text);
  return made.json as { id: number; full_number: string };
};

const toPerson = ({ taken }: MailServer, { login }: Person) =>
  taken.filter(({ to }) => to === login);

const comes = (server: MailServer, person: Person, count = 1) =>
  until(() => toPerson(server, person).length >= count, `${count} mails to ${person.login}`);

/** All mails of the company have ended, so none is still to come. */
const settled = (t: TestService) =>
  until(
    async () => (await mailsOf(t.demo)).every(({ outcome }) => outcome !== 'waiting'),
    'an empty outbox',
  );

const subjects = (server: MailServer, person: Person) =>
  toPerson(server, person).map(({ headers }) => headers.get('subject'));

describe('decisions §16.1: who is mailed about what', () => {
  it('decisions §16.1: the person in "Follow-up by", by name without accents or by login, once for each naming', async () => {
    const { t, server } = await mailing();
    const fields = await fieldsOf(t.demo);
    const who = fields['Follow-up by'] ?? '';
    const person = await addPerson(t.demo);
    const bare = person.name.replace('ú', 'u').toUpperCase();
    const { id, full_number } = await file(t.demo, {
      [who]: bare,
      [fields['Follow-up date'] ?? '']: '2030-01-31',
      description: 'Secret <b>words</b>',
    });
    await comes(server, person);
    const [mail] = toPerson(server, person);
    expect(mail?.headers.get('subject')).toBe(
      `Near miss ${full_number}: you are named for the follow-up`,
    );
    expect(mail?.body).toContain('It is due on 2030-01-31.');
    const key = `at-${t.demo.company_id}-${t.demo.project_id}-${id}-${full_number}`;
    expect(mail?.body).toContain(`${PUBLIC_URL}/mail/near-misses/en/${key}`);
    expect(mail?.text).not.toContain('Secret');
    const path = `${list}/${id}`;
    await t.demo.patch(path, { near_miss: { description: 'changed' } });
    await t.demo.patch(path, { near_miss: { [who]: 'Nobody of this name' } });
    await t.demo.patch(path, { near_miss: { [who]: person.login } });
    await comes(server, person, 2);
    await settled(t);
    expect(toPerson(server, person)).toHaveLength(2);
    const ids = toPerson(server, person).map(({ headers }) => headers.get('message-id'));
    expect(new Set(ids).size).toBe(2);
  });

  it('decisions §16.1: the reporter hears that the follow-up is done; nobody hears of an own change', async () => {
    const { t, server } = await mailing();
    const fields = await fieldsOf(t.demo);
    const person = await addPerson(t.demo, { level: 'reporter' });
    const reporter = await signIn(t, person);
    const { id } = await file(reporter, { [fields['Follow-up by'] ?? '']: person.name });
    const done = { [fields['Follow-up done'] ?? '']: '2026-01-02' };
    await t.demo.patch(`${list}/${id}`, { near_miss: done });
    await comes(server, person);
    await settled(t);
    expect(subjects(server, person)).toEqual([
      expect.stringMatching(/^Near miss .*: follow-up done$/),
    ]);
  });

  it('decisions §16.1, §18.3: a comment reaches reporter, assignee and earlier commenters, once each, and can be turned off', async () => {
    const { t, server } = await mailing();
    const fields = await fieldsOf(t.demo);
    const [reporter, assignee, earlier, quiet] = [
      await addPerson(t.demo, { level: 'reporter' }),
      await addPerson(t.demo),
      await addPerson(t.demo),
      await addPerson(t.demo),
    ];
    const near_miss = { [fields['Follow-up by'] ?? '']: assignee.name };
    const { id, full_number } = await file(await signIn(t, reporter), near_miss);
    const say = (client: Client, text: string) =>
      client.post(`${list}/${id}/comments`, { comment: { text } });
    const silent = await signIn(t, quiet);
    await silent.patch('/rest/v1.0/me/mail', { mail: { comments: false } });
    await say(silent, 'First');
    await say(await signIn(t, earlier), 'Secret words');
    await say(t.demo, 'Third');
    await comes(server, assignee, 4);
    await settled(t);
    const subject = `Near miss ${full_number}: new comment`;
    expect(subjects(server, reporter)).toEqual([subject, subject, subject]);
    expect(subjects(server, assignee)).toHaveLength(4);
    expect(subjects(server, earlier)).toEqual([subject]);
    expect(subjects(server, quiet)).toEqual([]);
    expect(toPerson(server, reporter).some(({ text }) => text.includes('Secret'))).toBe(false);
  });

  it('decisions §16.1: the highest severity reaches those who chose it, and nobody else', async () => {
    const { t, server } = await mailing();
    const severity = (await fieldsOf(t.demo))['Potential severity'] ?? '';
    const [asks, other] = [await addPerson(t.demo), await addPerson(t.demo)];
    const client = await signIn(t, asks);
    const chosen = await client.patch('/rest/v1.0/me/mail', {
      mail: { severe: true, language: 'es' },
    });
    expect(chosen.json).toMatchObject({
      severe: true,
      language: 'es',
      offered: true,
      reachable: true,
    });
    const { id, full_number } = await file(t.demo, { [severity]: 'Serious' });
    await t.demo.patch(`${list}/${id}`, { near_miss: { [severity]: 'Could have killed' } });
    await comes(server, asks);
    await settled(t);
    expect(toPerson(server, other)).toEqual([]);
    const [mail] = toPerson(server, asks);
    expect(mail?.headers.get('subject')).toMatch(/^=\?UTF-8\?|^Reporte/);
    expect(mail?.body).toContain(`El reporte ${full_number} tiene la gravedad potencial máxima.`);
  });

  it('decisions §16.1: nobody who may not read it: private, recycled, another project, a reporter, inactive, no address', async () => {
    const { t, server } = await mailing();
    const fields = await fieldsOf(t.demo);
    const who = fields['Follow-up by'] ?? '';
    const elsewhere = (
      await t.demo.post(`/rest/v1.0/companies/${t.demo.company_id}/projects`, {
        project: { name: 'Elsewhere' },
      })
    ).json.id as number;
    const people = [
      await addPerson(t.demo, { project_ids: [elsewhere] }),
      await addPerson(t.demo, { level: 'reporter' }),
      await addPerson(t.demo, { login: 'no-address' }),
    ];
    const gone = await addPerson(t.demo);
    await t.demo.patch(`/rest/v1.0/companies/${t.demo.company_id}/users/${gone.id}`, {
      user: { active: false },
    });
    const good = await addPerson(t.demo);
    for (const { name } of [...people, gone]) await file(t.demo, { [who]: name });
    const hidden = (await t.demo.post('~/incidents', { incident: { title: 'x', private: true } }))
      .json.id;
    await file(t.demo, { incident_id: hidden, [who]: good.name });
    // Private since: the mail waits for its server, and is withdrawn.
    server.judge(() => ({ code: 451, text: 'later' }));
    const opened = (await t.demo.post('~/incidents', { incident: { title: 'y' } })).json.id;
    await file(t.demo, { incident_id: opened, [who]: good.name });
    const { id } = await file(t.demo, { [who]: good.name });
    await until(
      async () => (await mailsOf(t.demo)).filter(({ failures }) => failures > 0).length >= 2,
      'two failures',
    );
    await t.demo.patch(`~/incidents/${opened}`, { incident: { private: true } });
    await t.demo.delete(`${list}/${id}`);
    server.judge(() => null);
    t.clock.advance(DAY);
    await settled(t);
    expect(
      server.taken.filter(({ to }) => [...people, gone, good].some(({ login }) => login === to)),
    ).toEqual([]);
    expect((await mailsOf(t.demo)).slice(0, 2).map(({ outcome }) => outcome)).toEqual([
      'withdrawn',
      'withdrawn',
    ]);
  });

  slow(
    'decisions §16.1: due tomorrow and overdue, each once for a date, and not once done',
    async () => {
      const { t, server } = await mailing();
      const fields = await fieldsOf(t.demo);
      const person = await addPerson(t.demo);
      const [who, due, done] = ['Follow-up by', 'Follow-up date', 'Follow-up done'].map(
        (label) => fields[label] ?? '',
      ) as [string, string, string];
      const tomorrow = dayOf(t.clock.now() + DAY);
      const { id } = await file(t.demo, { [who]: person.name, [due]: tomorrow });
      await file(t.demo, { [who]: person.name, [due]: tomorrow, [done]: tomorrow });
      await file(t.demo, { [who]: person.name, [due]: dayOf(t.clock.now() - 30 * DAY) });
      const named = 2;
      await comes(server, person, named);
      for (let start = 0; start < 2; start += 1) await t.restart();
      await comes(server, person, named + 1);
      t.clock.advance(2 * DAY);
      for (let start = 0; start < 2; start += 1) await t.restart();
      await comes(server, person, named + 2);
      await settled(t);
      expect(subjects(server, person).slice(named)).toEqual([
        expect.stringContaining('follow-up due tomorrow'),
        expect.stringContaining('follow-up overdue'),
      ]);
      // Another date is another reminder.
      const later = dayOf(t.clock.now() + DAY);
      await t.demo.patch(`${list}/${id}`, { near_miss: { [due]: later } });
      await t.restart();
      await comes(server, person, named + 3);
      expect(toPerson(server, person).at(-1)?.body).toContain(later);
    },
  );
});

describe('decisions §16.6: once a week', () => {
  slow(
    'decisions §16.6: one mail a week to those who chose it, with figures of what each may read',
    async () => {
      const { t, server } = await mailing();
      const { company_id } = t.demo;
      const projects = `/rest/v1.0/companies/${company_id}/projects`;
      const made = async (name: string) =>
        (await t.demo.post(projects, { project: { name } })).json.id as number;
      const project_id = await made('Quay');
      const quay = clientOf(t.url, { ...t.demo, project_id });
      const only = { project_ids: [project_id] };
      const [standard, reporter, silent, stranger] = [
        await addPerson(t.demo, only),
        await addPerson(t.demo, { ...only, level: 'reporter' }),
        await addPerson(t.demo, only),
        await addPerson(t.demo, { project_ids: [await made('Elsewhere')] }),
      ];
      const clients = await Promise.all(
        [standard, reporter, stranger].map((one) => signIn(t, one)),
      );
      for (const client of clients)
        await client.patch('/rest/v1.0/me/mail', { mail: { weekly: true } });
      const fields = await fieldsOf(quay);
      const [who, due, done, severity] = [
        'Follow-up by',
        'Follow-up date',
        'Follow-up done',
        'Potential severity',
      ].map((label) => fields[label] ?? '') as [string, string, string, string];
      const incident_id = (await quay.post('~/incidents', { incident: { title: 'Crane' } })).json
        .id;
      const hidden = (await quay.post('~/incidents', { incident: { title: 'x', private: true } }))
        .json;
      const today = dayOf(t.clock.now());
      await file(quay, {
        incident_id,
        [who]: 'Nobody',
        [due]: today,
        [severity]: 'Could have killed',
      });
      await file(quay, { incident_id, [who]: 'Nobody', [done]: today });
      await file(quay, { incident_id: hidden.id });
      const { id } = await file(quay, { incident_id });
      await quay.delete(`${list}/${id}`);
      const own = clientOf(t.url, { ...t.demo, project_id, token: clients[1]?.token ?? '' });
      await file(own, { incident_id });
      await t.restart();
      const chose = [standard, reporter, stranger];
      for (const person of chose) await comes(server, person);
      await settled(t);
      t.clock.advance(7 * DAY);
      for (let start = 0; start < 3; start += 1) await t.restart();
      for (const person of chose) await comes(server, person, 2);
      await settled(t);
      const figures = (person: Person) =>
        toPerson(server, person)
          .at(-1)
          ?.body.match(/: \d+/g)
          ?.map((text) => Number(text.slice(2)));
      expect(figures(standard)).toEqual([3, 1, 1, 1, 1]);
      expect(figures(reporter)).toEqual([1, 0, 0, 0, 0]);
      expect(toPerson(server, silent)).toEqual([]);
      expect(figures(stranger)).toEqual([0, 0, 0, 0, 0]);
      // Each of the three has one for the week before the choice and one for the week after.
      const kinds = (await mailsOf(t.demo)).filter(({ kind }) => kind === 'weekly');
      expect(kinds).toHaveLength(6);
    },
  );

  it('decisions §16.6: a weekly mail that its user no longer wants is withdrawn before it is sent', async () => {
    const { t, server } = await mailing(() => ({ code: 451, text: 'later' }));
    const person = await addPerson(t.demo);
    const client = await signIn(t, person);
    await client.patch('/rest/v1.0/me/mail', { mail: { weekly: true } });
    await t.restart();
    await until(
      async () =>
        (await mailsOf(t.demo)).some(({ kind, failures }) => kind === 'weekly' && failures > 0),
      'a failure',
    );
    await client.patch('/rest/v1.0/me/mail', { mail: { weekly: false } });
    server.judge(() => null);
    t.clock.advance(DAY);
    await settled(t);
    // The demo's own users may have reminders.
    const weekly = (await mailsOf(t.demo)).filter(({ kind }) => kind === 'weekly');
    expect(weekly.map(({ outcome }) => outcome)).toEqual(['withdrawn']);
    expect(toPerson(server, person)).toEqual([]);
  });
});

describe('decisions §16.3: no more mail than is true and useful', () => {
  slow(
    'decisions §16.3: one sender fills no mailbox: 20 mails of one and 50 reminders leave room for others',
    async () => {
      const { t, server } = await mailing();
      const fields = await fieldsOf(t.demo);
      const who = fields['Follow-up by'] ?? '';
      const person = await addPerson(t.demo);
      const sender = await signIn(t, await addPerson(t.demo));
      const path = list.replace('~', `/rest/v1.0/projects/${t.demo.project_id}`);
      const due = { [fields['Follow-up date'] ?? '']: '2026-01-14', [who]: person.login };
      const operations = Array.from({ length: 60 }, (_, at) => ({
        method: 'POST',
        path,
        idempotency_key: `flood-${at}`,
        body: { near_miss: { incident_id: 1, ...due } },
      }));
      const sent = await sender.post('/rest/v1.0/batch', { operations });
      expect(sent.json.operations.map(({ status }: { status: number }) => status)).toEqual(
        operations.map(() => 201),
      );
      const counts = async () =>
        Object.fromEntries(
          (
            await t.database.query(
              `select kind, count(*) as n from mails where user_id = ${person.id} group by kind`,
            )
          ).map(({ kind, n }) => [kind, Number(n)]),
        );
      expect((await counts())['assigned']).toBe(20);
      const { store, now } = t.service.app;
      await recordDueFollowUps({ store, now, stopping: () => false });
      expect(await counts()).toEqual({ assigned: 20, overdue: 50 });
      await file(t.demo, { [who]: person.login });
      expect(await counts()).toEqual({ assigned: 21, overdue: 50 });
      await comes(server, person, 71);
    },
  );

  it('decisions §16.3: a waiting mail is withdrawn when the follow-up was given to somebody else or done', async () => {
    const { t, server } = await mailing(() => ({ code: 451, text: 'later' }));
    const fields = await fieldsOf(t.demo);
    const [who, due, done] = ['Follow-up by', 'Follow-up date', 'Follow-up done'].map(
      (label) => fields[label] ?? '',
    ) as [string, string, string];
    const [first, second] = [await addPerson(t.demo), await addPerson(t.demo)];
    const tomorrow = dayOf(t.clock.now() + DAY);
    const given = await file(t.demo, { [who]: first.name, [due]: tomorrow });
    const ended = await file(t.demo, { [who]: first.name });
    await t.restart();
    const firsts = async () => (await mailsOf(t.demo)).filter(({ user }) => user.id === first.id);
    await until(
      async () => (await firsts()).filter(({ failures }) => failures > 0).length === 3,
      'three failures',
    );
    await t.demo.patch(`${list}/${given.id}`, { near_miss: { [who]: second.name } });
    await t.demo.patch(`${list}/${ended.id}`, { near_miss: { [done]: tomorrow } });
    server.judge(() => null);
    t.clock.advance(80_000);
    await comes(server, second);
    await settled(t);
    expect((await firsts()).map(({ outcome }) => outcome)).toEqual(Array(3).fill('withdrawn'));
    expect(toPerson(server, first)).toEqual([]);
  });

  it('decisions §16.3, §18.2: a waiting mail about a comment is withdrawn when the comment is removed', async () => {
    const { t, server } = await mailing(() => ({ code: 451, text: 'later' }));
    const reporter = await addPerson(t.demo, { level: 'reporter' });
    const { id, full_number } = await file(await signIn(t, reporter), {});
    const comments = `${list}/${id}/comments`;
    const removed = await t.demo.post(comments, { comment: { text: 'On the wrong report' } });
    await t.demo.post(comments, { comment: { text: 'Which hoist?' } });
    await until(
      async () => (await mailsOf(t.demo)).filter(({ failures }) => failures > 0).length === 2,
      'two failures',
    );
    await t.demo.delete(`${comments}/${removed.json.id}`);
    server.judge(() => null);
    t.clock.advance(80_000);
    await comes(server, reporter);
    await settled(t);
    expect((await mailsOf(t.demo)).map(({ outcome }) => outcome).toSorted()).toEqual([
      'sent',
      'withdrawn',
    ]);
    expect(subjects(server, reporter)).toEqual([`Near miss ${full_number}: new comment`]);
  });

  it('decisions §16.1, §18: a waiting mail about a comment is withdrawn when the follow-up went to somebody else', async () => {
    const { t, server } = await mailing(() => ({ code: 451, text: 'later' }));
    const by = (await fieldsOf(t.demo))['Follow-up by'] ?? '';
    const [first, second] = [await addPerson(t.demo), await addPerson(t.demo)];
    const { id } = await file(t.demo, { [by]: first.name });
    await t.demo.post(`${list}/${id}/comments`, { comment: { text: 'Which hoist?' } });
    await until(
      async () => (await mailsOf(t.demo)).filter(({ failures }) => failures > 0).length === 2,
      'two failures',
    );
    await t.demo.patch(`${list}/${id}`, { near_miss: { [by]: second.name } });
    server.judge(() => null);
    t.clock.advance(80_000);
    await comes(server, second);
    await settled(t);
    expect(subjects(server, first)).toEqual([]);
  });
});

describe('decisions §16.2, §16.4: what a user chooses', () => {
  it('decisions §16.2: choices hold for one user and company, and a wrong one is a 422', async () => {
    const { t } = await mailing();
    const path = '/rest/v1.0/me/mail';
    const standard = t.as('standard');
    const first = { language: 'en', assigned: true, due: true, done: true, severe: false };
    expect((await standard.get(path)).json).toMatchObject({ ...first, offered: true });
    await standard.patch(path, { mail: { due: false } });
    expect((await standard.get(path)).json).toMatchObject({ ...first, due: false });
    expect((await t.demo.get(path)).json).toMatchObject(first);
    const wrong = await standard.patch(path, { mail: { language: 'fr', due: 'yes' } });
    expect([wrong.status, Object.keys(wrong.json.errors).toSorted()]).toEqual([
      422,
      ['mail.due', 'mail.language'],
    ]);
  });

  it('decisions §16.4: one press ends the mail of one person: no sign-in, any number of times, no other address', async () => {
    const { t, server } = await mailing();
    const who = (await fieldsOf(t.demo))['Follow-up by'] ?? '';
    const [person, other] = [await addPerson(t.demo), await addPerson(t.demo)];
    await file(t.demo, { [who]: person.name });
    await comes(server, person);
    const [mail] = toPerson(server, person);
    const stop = /^<(.*)>$/.exec(mail?.headers.get('list-unsubscribe') ?? '')?.[1] ?? '';
    expect(stop.startsWith(`${PUBLIC_URL}/mail/unsubscribe/`)).toBe(true);
    expect(mail?.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(mail?.body).toContain(stop);
    const url = stop.replace(PUBLIC_URL, t.url);

    // A scanner of mail follows the address: nothing changes.
    const page = await fetch(url);
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(await page.text()).toContain('<form method="post">');
    await file(t.demo, { [who]: person.name });
    await comes(server, person, 2);

    const press = (to: string) =>
      fetch(to, {
        method: 'POST',
        body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
      });
    for (let times = 0; times < 2; times += 1) {
      const said = await press(url);
      expect([said.status, await said.text()]).toEqual([
        200,
        expect.stringContaining('You get no more mail'),
      ]);
    }
    const others = url.replace(`/${person.id}/`, `/${other.id}/`);
    const forged = [others, url.slice(0, -1) + (url.endsWith('0') ? '1' : '0')];
    for (const one of forged) expect((await press(one)).status).toBe(404);
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(405);
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(100_000) })).status).toBe(413);
    await file(t.demo, { [who]: person.name });
    await file(t.demo, { [who]: other.name });
    await comes(server, other);
    await settled(t);
    expect(toPerson(server, person)).toHaveLength(2);
  });
});

describe('decisions §16.3, §16.5: delivery', () => {
  it('decisions §16.3: what the server delays is tried again, what it refuses is not; the list says so to an admin', async () => {
    const { t, server } = await mailing(() => ({ code: 451, text: 'Greylisted, try later' }));
    const who = (await fieldsOf(t.demo))['Follow-up by'] ?? '';
    const person = await addPerson(t.demo);
    const mine = async () => (await mailsOf(t.demo)).filter(({ user }) => user.id === person.id);
    await file(t.demo, { [who]: person.name });
    await until(async () => (await mine())[0]?.failures === 1, 'a failure');
    expect((await mine())[0]).toMatchObject({
      kind: 'assigned',
      outcome: 'waiting',
      error: expect.stringContaining('Greylisted'),
    });
    server.judge(() => null);
    t.clock.advance(80_000);
    await comes(server, person);
    await until(async () => (await mine())[0]?.outcome === 'sent', 'the record');
    server.judge(() => ({ code: 554, text: 'No' }));
    await file(t.demo, { [who]: person.name });
    await until(async () => (await mine())[0]?.outcome === 'refused', 'the refusal');
    server.judge(() => ({ code: 451, text: 'Never' }));
    await file(t.demo, { [who]: person.name });
    await until(async () => (await mine())[0]?.failures === 1, 'a failure');
    t.clock.advance(3 * DAY);
    await until(async () => (await mine())[0]?.outcome === 'given_up', 'the end');
    expect(toPerson(server, person)).toHaveLength(1);
    expect(
      (await t.as('standard').get(`/rest/v1.0/companies/${t.demo.company_id}/mails`)).status,
    ).toBe(403);
  });

  it('decisions §16.4: a mail that was taken before the connection broke comes again with the same bytes', async () => {
    const { t, server } = await mailing(() => 'drop');
    const who = (await fieldsOf(t.demo))['Follow-up by'] ?? '';
    const person = await addPerson(t.demo);
    await file(t.demo, { [who]: person.name });
    await comes(server, person);
    await until(async () => (await mailsOf(t.demo))[0]?.failures === 1, 'the failure');
    server.judge(() => null);
    t.clock.advance(80_000);
    await comes(server, person, 2);
    const [first, second] = toPerson(server, person);
    expect(second?.text).toBe(first?.text);
  });

  it('decisions §16.3: no mail is written while mail is off, and none when it is switched on later', async () => {
    const { t, server } = await mailing(undefined, { 'mail-server': '' });
    const who = (await fieldsOf(t.demo))['Follow-up by'] ?? '';
    const person = await addPerson(t.demo);
    await file(t.demo, { [who]: person.name });
    expect(await mailsOf(t.demo)).toEqual([]);
    expect((await t.demo.get('/rest/v1.0/me/mail')).json.offered).toBe(false);
    expect(server.taken).toEqual([]);
  });

  it('decisions §16.4: without STARTTLS nothing is sent to another machine, and a certificate is verified', async () => {
    const plain = await startMailServer();
    onTestFinished(() => plain.close());
    const { sendMail } = await import('../../../src/service/mail/send.ts');
    const { composeTestMail } = await import('../../../src/service/mail/compose.ts');
    const { readMailServer } = await import('../../../src/service/mail/mail-options.ts');
    const sender = { name: '', address: 'spotter@firm.example' };
    const letter = await composeTestMail(sender, 'ana@firm.example', 0);
    // Leads to this machine, but is none of the names that need no TLS.
    const host = '[::ffff:127.0.0.1]';
    const server = readMailServer(`smtp://${host}:${plain.port}`);
    if (server === null) throw new Error('no server');
    const rules = { server, sender, without_tls: false, timeout: 5000 };
    expect((await sendMail(letter, rules)).fault).toBe('tls');
    expect(plain.taken).toEqual([]);
    expect(await sendMail(letter, { ...rules, without_tls: true })).toMatchObject({ error: null });
    // The server of the test has a certificate that no authority signed.
    const secure = await startMailServer(undefined, { disabledCommands: [] });
    onTestFinished(() => secure.close());
    const strict = readMailServer(`smtp://${host}:${secure.port}`) ?? server;
    expect((await sendMail(letter, { ...rules, server: strict })).fault).toBe('tls');
    expect(secure.taken).toEqual([]);
  });
});
