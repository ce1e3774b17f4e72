/** A mail server that drops, delays and greylists, by a seed, and a service that is killed (decisions §16.3, §16.4). */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { bareDemo, clientOf, spawnService, tempDir, type Client } from '../../support/service.ts';
import { until } from '../webhooks/support.ts';
import {
  addPerson,
  fieldsOf,
  mailing,
  mailOptions,
  mailsOf,
  signIn,
  startMailServer,
  type Judge,
  type Person,
  type Taken,
} from './support.ts';

/** `SPOTTER_SEEDS`, `SPOTTER_EVENTS`: a longer proof. */
const SEEDS = Number(process.env['SPOTTER_SEEDS'] ?? 2);
const EVENTS = Number(process.env['SPOTTER_EVENTS'] ?? 200);
const TIMEOUT_MS = 400;
const HOUR = 3_600_000;

/** mulberry32 */
const randomOf = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const idOf = ({ headers }: Taken): string => headers.get('message-id') ?? '';

it.each(Array.from({ length: SEEDS }, (_, at) => at + 1))(
  'decisions §16.3, §16.4: a server drops, delays and greylists many mails: all come under one Message-ID (%i)',
  async (seed) => {
    const random = randomOf(seed);
    const kinds = new Map<string, number>();
    const count = (kind: string): void => void kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const judge: Judge = async () => {
      const at = random();
      const kind =
        at < 0.15 ? 'drop' : at < 0.2 ? 'late' : at < 0.3 ? 'slow' : at < 0.5 ? 'grey' : 'take';
      count(kind);
      if (kind === 'late') await sleep(TIMEOUT_MS * 1.5);
      if (kind === 'slow') await sleep(TIMEOUT_MS / 8);
      if (kind === 'drop') return 'drop';
      return kind === 'grey' ? { code: 450, text: 'Greylisted' } : null;
    };
    const { t, server } = await mailing(judge, {
      'mail-timeout': TIMEOUT_MS,
      // The clock runs ahead for as long as a busy machine needs.
      'mail-give-up': 10_000 * 24 * HOUR,
      'mail-workers': 16,
    });
    const who = (await fieldsOf(t.demo))['Follow-up by'] ?? '';
    // Each of them is written at most 100 mails a day, and 20 by one sender.
    const people = [await addPerson(t.demo), await addPerson(t.demo)];
    const senders: Client[] = [];
    for (let made = 0; made < 5; made += 1) senders.push(await signIn(t, await addPerson(t.demo)));
    const numbers: string[] = [];
    for (let event = 0; event < EVENTS; event += 1) {
      const near_miss = { incident_id: 1, [who]: people[event % 2]?.name };
      const sender = senders[Math.floor(event / 2) % senders.length] as Client;
      numbers.push((await sender.post('~/incidents/near_misses', { near_miss })).json.full_number);
    }
    const mine = async () =>
      (await mailsOf({ ...t.demo, get: (path) => t.demo.get(`${path}?per_page=1000`) })).filter(
        ({ user }) => people.some(({ id }) => id === user.id),
      );
    // Nothing is retried before the clock moves. Every wait is shorter than this step.
    const waiting = t.service.app.store.read.selectFrom('mails').where('ended_at', 'is', null);
    await until(async () => {
      t.clock.advance(2 * HOUR);
      return (await waiting.select('id').limit(1).execute()).length === 0;
    }, 'every mail taken');
    expect((await mine()).every(({ outcome }) => outcome === 'sent')).toBe(true);
    expect(await mine()).toHaveLength(EVENTS);
    const taken = server.taken.filter(({ to }) => people.some(({ login }) => login === to));
    const byId = Map.groupBy(taken, idOf);
    expect(byId.size, 'one Message-ID for each event').toBe(EVENTS);
    // A repetition has the same bytes, and each near miss is in exactly one of the mails.
    for (const same of byId.values()) expect(new Set(same.map(({ text }) => text)).size).toBe(1);
    const told = [...byId.values()].map(
      ([one]) => /Near miss ([\d-]+):/.exec(one?.headers.get('subject') ?? '')?.[1],
    );
    expect(told.toSorted()).toEqual(numbers.toSorted());
    for (const kind of ['drop', 'grey', 'take']) expect(kinds.get(kind), kind).toBeGreaterThan(0);
  },
  300_000,
);

it('decisions §16.3: killed while the server has the mail: the next start sends the same, once', async () => {
  let held = 0;
  const smtp = await startMailServer(async () => {
    held += 1;
    if (held === 1) await new Promise(() => undefined);
    return null;
  });
  onTestFinished(() => smtp.close());
  const dir = tempDir('mail-killed');
  onTestFinished(dir.remove);
  const options = Object.entries(mailOptions(smtp.port)).map(([name, value]) =>
    typeof value === 'number' ? `--${name}=${value}ms` : `--${name}=${String(value)}`,
  );
  // The demo's own people are named in follow-ups too: only the mails of this person count.
  const argv = bareDemo(dir.path, ...options, '--mail-timeout=1s', '--log-level=warn');
  const first = await spawnService(argv);
  const client = clientOf(first.first.url, first.first);
  const person = await addPerson(client);
  const near_miss = {
    incident_id: 1,
    [(await fieldsOf(client))['Follow-up by'] ?? '']: person.name,
  };
  await client.post('~/incidents/near_misses', { near_miss });
  await until(() => held > 0, 'the mail under way');
  await first.end('SIGKILL');
  const second = await spawnService(argv);
  onTestFinished(async () => void (await second.end()));
  const mine = () => smtp.taken.filter(({ to }) => to === person.login);
  await until(() => mine().length > 0, 'the mail');
  const again = clientOf(second.first.url, second.first);
  await until(
    async () => (await mailsOf(again)).every(({ outcome }) => outcome === 'sent'),
    'the record of it',
  );
  expect(mine()).toHaveLength(1);
});

it('decisions §16.3: a user whom six others name 20 times each gets 100 mails in a day; others still get theirs', async () => {
  const { t, server } = await mailing();
  const who = (await fieldsOf(t.demo))['Follow-up by'] ?? '';
  const [flooded, other] = [await addPerson(t.demo), await addPerson(t.demo)];
  const { id } = (await t.demo.post('~/incidents/near_misses', { near_miss: { incident_id: 1 } }))
    .json;
  const name = (value: string, by: Client = t.demo) =>
    by.patch(`~/incidents/near_misses/${id}`, { near_miss: { [who]: value } });
  const written = async (person: Person) => {
    const mails = t.service.app.store.read.selectFrom('mails').where('user_id', '=', person.id);
    return (await mails.select('id').execute()).length;
  };
  for (let sender = 0; sender < 6; sender += 1) {
    const { id: user_id, ...person } = await addPerson(t.demo);
    const path = `/rest/v1.0/companies/${t.demo.company_id}/users/${user_id}`;
    await t.demo.patch(path, { user: { level: 'admin' } });
    const by = await signIn(t, { id: user_id, ...person });
    for (let times = 0; times < 25; times += 1) {
      await name(flooded.name, by);
      await name('Nobody', by);
    }
    expect(await written(flooded)).toBe(Math.min(100, (sender + 1) * 20));
  }
  await name(other.name);
  expect(await written(other)).toBe(1);
  t.clock.advance(24 * HOUR);
  await name(flooded.login);
  expect(await written(flooded)).toBe(101);
  await until(() => server.taken.some(({ to }) => to === flooded.login), 'a mail');
});
