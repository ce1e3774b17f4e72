/** Texts, headers and rules of mail without a service (decisions §16.1, §16.4), and its options. */
import { describe, expect, it } from 'vitest';
import { languages, type Language } from '../../../src/contract/languages.ts';
import {
  type MailKind,
  mailKinds,
  type RecordMailKind,
} from '../../../src/contract/rest/access/mail.ts';
import { isMailAddress } from '../../../src/service/domain/mail/address.ts';
import { dueDates } from '../../../src/service/domain/mail/due-follow-ups.ts';
import { kindsOf } from '../../../src/service/domain/mail/mail-events.ts';
import { lastWeek, tallyOf } from '../../../src/service/domain/mail/weekly.ts';
import { createSigner } from '../../../src/service/files/signing.ts';
import { composeMail } from '../../../src/service/mail/compose.ts';
import { readMailServer, readSender } from '../../../src/service/mail/mail-options.ts';
import { parseOptions } from '../../../src/service/options.ts';
import { runCli } from '../../support/service.ts';
import { readMail, startMailServer } from './support.ts';
import { slow } from '../../support/slow.ts';

const signer = createSigner(Buffer.alloc(32, 1));
const sender = { name: 'Spotter', address: 'spotter@firm.example' };
const parts = { signer, sender, public_url: 'https://spotter.firm.example/' };
const identity = { company_id: 1, user_id: 7, event: 'assigned/5/1000' };
const mail = {
  to: 'ana@firm.example',
  language: 'en',
  created_at: Date.parse('2026-11-20T08:00:00Z'),
  about: {
    kind: 'assigned',
    near_miss: { company_id: 1, project_id: 2, id: 57, number: '12-3' },
    due: '2026-11-30',
  },
} as const;

const isOfRecord = (
  one: readonly [Language, MailKind],
): one is readonly [Language, RecordMailKind] => one[1] !== 'weekly';

describe('decisions §16.4: what is sent', () => {
  it('decisions §16.4: the same event and recipient give the same bytes, another of either another Message-ID', async () => {
    const [one, same] = [
      await composeMail(parts, identity, mail),
      await composeMail(parts, identity, mail),
    ];
    expect(same.bytes.equals(one.bytes)).toBe(true);
    const others = await Promise.all([
      composeMail(parts, { ...identity, user_id: 8 }, mail),
      composeMail(parts, { ...identity, event: 'assigned/5/1001' }, mail),
      composeMail({ ...parts, signer: createSigner(Buffer.alloc(32, 2)) }, identity, mail),
    ]);
    expect(new Set([one, ...others].map(({ message_id }) => message_id)).size).toBe(4);
    expect(one.message_id).toMatch(/^<[0-9a-f]{40}@firm\.example>$/);
  });

  it.each(
    languages
      .flatMap((language) => mailKinds.map((kind) => [language, kind] as const))
      .filter(isOfRecord),
  )(
    'decisions §16.4: %s, %s: number, links, plain text and nothing else',
    async (language, kind) => {
      const { bytes } = await composeMail(parts, identity, {
        ...mail,
        language,
        about: { ...mail.about, kind },
      });
      const text = bytes.toString('utf8');
      expect(text).toMatch(/^Content-Type: text\/plain; charset=utf-8\r$/m);
      expect(readMail(mail.to, text).body).toContain(
        `https://spotter.firm.example/mail/near-misses/${language}/at-1-2-57-12-3`,
      );
      expect(text).toMatch(
        /^List-Unsubscribe: <https:\/\/spotter\.firm\.example\/mail\/unsubscribe\/1\/7\/[0-9a-f]{64}>\r$/m,
      );
      expect(text).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
      expect(text).toMatch(/^Date: Fri, 20 Nov 2026 08:00:00 \+0000\r$/m);
      expect(text).not.toMatch(/multipart|text\/html/);
    },
  );

  it('decisions §16.4: an address that could add a header, a recipient or a command is none', () => {
    const bad = [
      'ana@firm.example\r\nBcc: eve@evil.example',
      'ana@firm.example, eve@evil.example',
      'Ana <ana@firm.example>',
      '"ana b"@firm.example',
      'ana@firm',
      'ana@firm.example>',
      'aña@firm.example',
      `${'a'.repeat(65)}@firm.example`,
      '',
    ];
    expect(bad.filter(isMailAddress)).toEqual([]);
    expect(['ana@firm.example', "o'neil+site@a-b.firm.example"].every(isMailAddress)).toBe(true);
    expect(readSender('Spotter\r\nBcc: x@y.example <spotter@firm.example>')).toBeNull();
    expect(readSender('Firm, Spotter <spotter@firm.example>')).toEqual({
      name: 'Firm, Spotter',
      address: 'spotter@firm.example',
    });
  });
});

describe('decisions §16.1: rules', () => {
  const said = { what: '', who: '', due: '', done: '', answer: '', severest: false };

  it('decisions §16.1: a new name, a first day of completion, and the last option count; the rest does not', () => {
    const named = { ...said, who: 'Ana' };
    expect(kindsOf(said, named)).toEqual(['assigned']);
    expect(kindsOf(named, { ...named, due: '2026-01-01' })).toEqual([]);
    expect(kindsOf(said, { ...named, done: '2026-01-01' })).toEqual(['done']);
    expect(kindsOf(named, said)).toEqual([]);
    expect(kindsOf({ ...said, done: '2026-01-01' }, { ...said, done: '2026-01-02' })).toEqual([]);
    expect(kindsOf(said, { ...said, answer: 'Rail fitted' })).toEqual(['answered']);
    expect(kindsOf({ ...said, answer: 'x' }, { ...said, answer: 'y' })).toEqual([]);
    expect(kindsOf(said, { ...said, severest: true })).toEqual(['severe']);
    expect(kindsOf({ ...said, severest: true }, { ...said, severest: true })).toEqual([]);
  });

  it('decisions §16.1: tomorrow and the seven days before today, over the end of a month', () => {
    const dates = dueDates(Date.parse('2026-03-01T23:59:59Z'));
    expect([...dates]).toEqual([
      ['2026-03-02', 'due_tomorrow'],
      ...[28, 27, 26, 25, 24, 23, 22].map((day) => [`2026-02-${day}`, 'overdue']),
    ]);
  });
});

describe('decisions §16.6: the figures of a week', () => {
  const said = { what: '', who: '', due: '', done: '', answer: '', severest: false };
  const week = lastWeek(Date.parse('2026-11-25T12:00:00Z'));
  const filed = (time: string) => ({ created_at: Date.parse(time), said });

  it('decisions §16.6: from Monday to Sunday in UTC, whatever the day it is written on', () => {
    const days = (now: string) =>
      Object.values(lastWeek(Date.parse(now))).map((ms: number) => new Date(ms).toISOString());
    const expected = ['2026-11-16T00:00:00.000Z', '2026-11-23T00:00:00.000Z'];
    expect(days('2026-11-23T00:00:00Z')).toEqual(expected);
    expect(days('2026-11-29T23:59:59.999Z')).toEqual(expected);
    expect(days('2026-11-22T23:59:59.999Z')[1]).toBe('2026-11-16T00:00:00.000Z');
  });

  it('decisions §16.6: a report counts in the week in which it was filed, a follow-up on the day it was done', () => {
    const reported = (time: string) => tallyOf(week, filed(time)).reported;
    expect(
      [
        '2026-11-15T23:59:59Z',
        '2026-11-16T00:00:00Z',
        '2026-11-22T23:59:59Z',
        '2026-11-23T00:00:00Z',
      ].map(reported),
    ).toEqual([0, 1, 1, 0]);
    const done = (day: string) =>
      tallyOf(week, { created_at: 0, said: { ...said, who: 'Ana', done: day } }).done;
    expect(['', '2026-11-15', '2026-11-16', '2026-11-22', '2026-11-23'].map(done)).toEqual([
      0, 0, 1, 1, 0,
    ]);
  });

  it('decisions §16.6: open with any of text, person and day, overdue before the Monday; the severest only if filed then', () => {
    const follow = (more: Partial<typeof said>) =>
      tallyOf(week, { created_at: 0, said: { ...said, ...more } });
    expect(follow({})).toMatchObject({ open: 0, overdue: 0 });
    expect(follow({ what: 'Fix the rail' })).toMatchObject({ open: 1, overdue: 0 });
    expect(follow({ due: '2026-11-22' })).toMatchObject({ open: 1, overdue: 1 });
    expect(follow({ due: '2026-11-23' })).toMatchObject({ open: 1, overdue: 0 });
    expect(follow({ due: '2026-11-22', done: '2026-11-22' })).toMatchObject({
      open: 0,
      overdue: 0,
    });
    expect(follow({ severest: true }).severe).toBe(0);
    const severe = { ...filed('2026-11-18T09:00:00Z'), said: { ...said, severest: true } };
    expect(tallyOf(week, severe).severe).toBe(1);
  });

  it.each(languages)(
    'decisions §16.6: %s: figures, the way out, and no address of a near miss',
    async (language) => {
      const figures = { reported: 12, severe: 2, done: 5, open: 9, overdue: 3 };
      const about = {
        kind: 'weekly',
        figures: { ...figures, from: '2026-11-16', to: '2026-11-22' },
      };
      const { bytes } = await composeMail(parts, identity, { ...mail, language, about } as never);
      const { headers, body } = readMail(mail.to, bytes.toString('utf8'));
      expect(headers.get('subject')).toContain('2026-11-22');
      expect(body.match(/: \d+/g)).toEqual([': 12', ': 2', ': 5', ': 9', ': 3']);
      expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
      expect(body).not.toContain('/mail/near-misses/');
    },
  );
});

describe('decisions §10, §16: options', () => {
  const from = ['--mail-from', 'Spotter <spotter@firm.example>'];
  const url = ['--public-url', 'https://spotter.firm.example'];
  const server = ['--mail-server', 'smtp://user:p%40ss@smtp.firm.example'];

  it('decisions §16.4: a server is read with its port, TLS and sign-in', () => {
    expect(readMailServer('smtp://user:p%40ss%2F@smtp.firm.example')).toEqual({
      host: 'smtp.firm.example',
      port: 587,
      secure: false,
      login: { user: 'user', pass: 'p@ss/' },
    });
    expect(readMailServer('smtps://[::1]:2465/')).toMatchObject({
      host: '::1',
      port: 2465,
      secure: true,
    });
    for (const wrong of [
      'smtp.firm.example',
      'http://a.example',
      'smtp://u@a.example',
      'smtp://a.example/x',
      'smtp://u:%zz@a.example',
    ])
      expect([wrong, readMailServer(wrong)]).toEqual([wrong, null]);
  });

  it.each([
    [['--mail-server', 'smtp.firm.example', ...from, ...url], /^--mail-server must be an address/],
    [[...server, ...url], /^--mail-from must be the sender/],
    [[...server, ...from], /^--mail-server needs --public-url/],
    [
      ['--mail-server', 'smtps://a.example', '--mail-without-tls', ...from, ...url],
      /exclude each other/,
    ],
    [['--mail-window', '1d'], /^--mail-window must be at least 10d/],
  ])('decisions §10: %j is refused with a sentence', (argv, sentence) => {
    expect(() => parseOptions(argv)).toThrow(sentence);
    expect(() => parseOptions(argv)).not.toThrow(/p%40ss|p@ss/);
  });

  it('decisions §10: all of them, and none, are taken', () => {
    expect(parseOptions([...server, ...from, ...url])['mail-timeout']).toBe(30_000);
    expect(parseOptions([])['mail-server']).toBe('');
  });

  slow('decisions §10: mail test sends one mail, and says what to do when it cannot', async () => {
    const smtp = await startMailServer();
    const options = ['--mail-server', `smtp://127.0.0.1:${smtp.port}`, ...from, ...url];
    const sent = await runCli(['mail', 'test', 'ana@firm.example', ...options]);
    expect([sent.code, sent.stderr]).toEqual([0, '']);
    expect(smtp.taken.map(({ to }) => to)).toEqual(['ana@firm.example']);
    smtp.judge(() => ({ code: 550, text: 'No relay' }));
    const refused = await runCli(['mail', 'test', 'ana@firm.example', ...options]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/check --mail-from.*No relay/),
    ]);
    await smtp.close();
    const away = await runCli(['mail', 'test', 'ana@firm.example', ...options]);
    expect([away.code, away.stderr]).toEqual([1, expect.stringMatching(/check name and port/)]);
    const none = await runCli(['mail', 'test', 'ana@firm.example']);
    expect([none.code, none.stderr]).toEqual([2, expect.stringMatching(/^Mail is off\./)]);
  });
});
