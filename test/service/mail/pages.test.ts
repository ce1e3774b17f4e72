/** The page behind the link of a mail (decisions §16.7), over HTTP. */
import { createHash } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { languages } from '../../../src/contract/languages.ts';
import { linkKeyOf, readLinkKey } from '../../../src/contract/near-miss-link.ts';
import { askOfLink } from '../../../src/main/arguments.ts';
import { startTestService } from '../../support/service.ts';
import { until } from '../webhooks/support.ts';
import { addPerson, fieldsOf, mailing, PUBLIC_URL } from './support.ts';

const started = async (plain = false) => {
  const t = await startTestService({ plain });
  onTestFinished(() => t.stop());
  return t;
};
const PAGE = '/mail/near-misses/en/at-1-1-57-12-3';
const linkIn = (html: string): string => /href="([^"]*)"/.exec(html)?.[1] ?? '';

describe('decisions §16.7: the link of a mail', () => {
  it('decisions §16.7: the address in a mail leads to a page without sign-in, whose link the app takes for this near miss', async () => {
    const { t, server } = await mailing();
    const who = (await fieldsOf(t.demo))['Follow-up by'] ?? '';
    const person = await addPerson(t.demo);
    const near_miss = { incident_id: 1, [who]: person.name, description: 'Secret words' };
    const { json } = await t.demo.post('~/incidents/near_misses', { near_miss });
    await until(() => server.taken.some(({ to }) => to === person.login), 'a mail');
    const body = server.taken.find(({ to }) => to === person.login)?.body ?? '';
    const address = /^https:\S+\/mail\/near-misses\/\S+$/m.exec(body)?.[0] ?? '';

    const answer = await fetch(address.replace(PUBLIC_URL, t.url));
    const html = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(html).toContain(`<h1>Near miss ${json.full_number}</h1>`);
    expect(html).not.toMatch(/Secret/);
    const ask = askOfLink(linkIn(html));
    const key = ask?.ask === 'near_miss' ? ask.key : '';
    expect(readLinkKey(key)).toEqual({
      company_id: t.demo.company_id,
      project_id: t.demo.project_id,
      id: json.id,
      number: json.full_number,
    });
  });

  it('decisions §16.7: the page is the same whether the near miss exists or not, and shows only what the address has', async () => {
    const t = await started();
    const near_miss = { incident_id: 1, description: 'Secret words' };
    const { json } = await t.demo.post('~/incidents/near_misses', { near_miss });
    const { company_id, project_id } = t.demo;
    const there = { company_id, project_id, id: json.id as number, number: '12-3' };
    const read = async (key: string) => {
      const answer = await fetch(`${t.url}/mail/near-misses/en/${key}`);
      const headers = [...answer.headers].filter(
        ([name]) => !['date', 'x-request-id'].includes(name),
      );
      return { status: answer.status, headers, text: (await answer.text()).replaceAll(key, 'KEY') };
    };
    const [real, none] = [
      await read(linkKeyOf(there)),
      await read(linkKeyOf({ ...there, company_id: company_id + 1 })),
    ];
    expect(real.status).toBe(200);
    expect(none).toEqual(real);
  });

  it('decisions §16.7: nothing is kept, referred, framed, run or fetched, and the style is the one that the policy allows', async () => {
    const t = await started();
    const answer = await fetch(`${t.url}${PAGE}`);
    const html = await answer.text();
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect([
      answer.headers.get('cache-control'),
      answer.headers.get('referrer-policy'),
      answer.headers.get('x-content-type-options'),
    ]).toEqual(['no-store', 'no-referrer', 'nosniff']);
    expect(policy).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(policy).not.toContain('unsafe');
    const style = /<style>(.*)<\/style>/.exec(html)?.[1] ?? '';
    expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(style).toContain('color-scheme:light dark');
    expect(html).not.toMatch(/<script|http-equiv|style=|src=|https?:/);
    expect(html.match(/href="[^"]*"/g)).toEqual(['href="spotter://near-misses/at-1-1-57-12-3"']);
  });

  it.each(languages)('decisions §16.7: %s is the language of the page', async (language) => {
    const t = await started();
    const html = await (await fetch(`${t.url}${PAGE.replace('/en/', `/${language}/`)}`)).text();
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toContain(
      { en: '>Open in Spotter</a>', es: '>Abrir en Spotter</a>', pl: '>Otwórz w Spotterze</a>' }[
        language
      ],
    );
    expect(html).toMatch(
      { en: /type 12-3 into/, es: /escriba 12-3 en/, pl: /wpisz 12-3 w/ }[language],
    );
  });

  it('decisions §16.7: another address is a 404, another method a 405, and --plain has no page', async () => {
    const t = await started();
    const status = async (path: string, method = 'GET') =>
      (await fetch(`${t.url}${path}`, { method })).status;
    const wrong = [
      PAGE.replace('/en/', '/fr/'),
      PAGE.replace('at-', 'srv-'),
      PAGE.replace('57', '057'),
      PAGE.replace('57', '1'.repeat(16)),
      `${PAGE}-4`,
      `${PAGE}%22%3E%3Cb%3E`,
      '/mail/near-misses/en/12-3',
    ];
    for (const one of wrong) expect([one, await status(one)]).toEqual([one, 404]);
    expect([await status(PAGE, 'HEAD'), await status(PAGE, 'POST')]).toEqual([200, 405]);
    const plain = await started(true);
    expect((await fetch(`${plain.url}${PAGE}`)).status).toBe(404);
  });
});
