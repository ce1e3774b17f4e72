/** "Does this have to be reported?": the rules of three countries, what they say of a report, and the screen. */
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import {
  countries,
  dayOf,
  deadline,
  guessCountry,
  isStale,
  pointedTo,
  rulesOf,
} from '../../../src/renderer/screens/reportable/reportable.ts';
import { words } from '../../../src/renderer/words/company-words.ts';
import { openApp } from '../../support/renderer-app.ts';
import { look } from '../../support/renderer-looks.ts';
import { asServer, reported, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const t = words.reportable;

describe('the rules', () => {
  it.each(countries)(
    'of %s have the shape of the schema, a source and dates that make sense',
    async (country) => {
      const rules = await rulesOf(country);
      expect(rules.country).toBe(country);
      expect(dayOf(rules.check_again)).toBeGreaterThan(dayOf(rules.checked));
      expect(new Set(rules.rules.map(({ id }) => id)).size).toBe(rules.rules.length);
      expect(isStale(rules, dayOf(rules.checked))).toBe(false);
      expect(isStale(rules, dayOf(rules.check_again) + 86_400_000)).toBe(true);
    },
  );

  it('are pointed to by words of the report, in either language, and not by parts of words', async () => {
    const { rules } = await rulesOf('uk');
    const pointed = (text: string) => pointedTo(rules, text).map(({ id }) => id);
    expect(pointed('Scaffold at the north stair swayed')).toEqual(['scaffold']);
    expect(pointed('El andamio norte se movió')).toEqual(['scaffold']);
    expect(pointed('Crane hook touched the overhead line')).toEqual(['lifting', 'overhead']);
    expect(pointed('Wherewithal, liftable in no other way, was gone')).toEqual(['lifting']);
    expect(pointed('Hammer on the stairs')).toEqual([]);
    expect(pointed('LA GRUA toco la linea electrica')).toEqual(pointed('La grúa, línea eléctrica'));
    expect(pointed('La gru\u0301a')).toEqual(['lifting']);
  });

  it('end a number of days at midnight and a number of hours to the minute', () => {
    const at = new Date(2026, 2, 20, 14, 5).getTime();
    expect(deadline({ kind: 'days', days: 10 }, at)).toBe(new Date(2026, 2, 31).getTime() - 1);
    expect(deadline({ kind: 'hours', hours: 8 }, at)).toBe(new Date(2026, 2, 20, 22, 5).getTime());
    expect(deadline({ kind: 'at_once' }, at)).toBeNull();
  });

  it('are those of the system’s region, or else of the time zone, or of none', () => {
    expect(guessCountry('en-GB', 'Europe/Berlin')).toBe('uk');
    expect(guessCountry('es', 'America/Chicago')).toBe('us');
    expect(guessCountry('pl', 'Europe/Stockholm')).toBe('se');
    expect(guessCountry('de-DE', 'Europe/Berlin')).toBeNull();
    expect(guessCountry('es-MX', 'America/Chicago')).toBe('us');
    for (const zone of ['Mexico_City', 'Toronto', 'Bogota'])
      expect(guessCountry('es-MX', `America/${zone}`)).toBeNull();
  });
});

slow('a mark on one report is not one on the next', async () => {
  const texts = ['Scaffold board fell', 'Scaffold tie broke'];
  const host = asServer(siteHost(texts.map((text, at) => reported(text, at + 2))));
  await openApp({ host, settings: { law_country: 'uk' } });
  const link = (at: number) => page.getByRole('link', { name: new RegExp(texts[at] ?? '') });
  await expect.element(link(1)).toBeVisible();
  const [one, other] = [0, 1].map((at) => link(at).element().getAttribute('href') ?? '');
  const rule = page.getByRole('checkbox', { name: /A scaffold collapsed/ });
  location.hash = `${one}/reportable`.replace(/^.*#/, '');
  await rule.click();
  await expect.element(rule).toBeChecked();
  location.hash = `${other}/reportable`.replace(/^.*#/, '');
  await expect.element(page.getByRole('link', { name: /Scaffold tie broke/ })).toBeVisible();
  await expect.element(rule).not.toBeChecked();
});

slow(
  'a report shows the rules that its words point to; a mark says by when, to whom and which facts',
  async () => {
    const host = asServer(siteHost([reported('Scaffold board fell from level 3', 2)]));
    await openApp({ host, settings: { law_country: 'uk' } });
    await page.getByRole('link', { name: /Scaffold board fell/ }).click();
    await page.getByRole('button', { name: words.detail.more }).click();
    await page.getByRole('menuitem', { name: t.open }).click();
    const rule = page.getByRole('checkbox', { name: /A scaffold collapsed/ });
    await expect.element(rule).toBeVisible();
    await expect.poll(() => page.getByRole('checkbox').elements()).toHaveLength(1);
    await expect.element(page.getByText(t.none)).toBeVisible();
    await rule.click();
    await expect.element(page.getByText('Health and Safety Executive (HSE)')).toBeVisible();
    const due = new Date();
    due.setDate(due.getDate() + 8);
    await expect
      .element(page.getByText(t.at_once_and_by(words.format.day(due.getTime()))))
      .toBeVisible();
    await expect.element(page.getByText('Scaffold board fell from level 3').last()).toBeVisible();
    await look('reportable');

    // Another country asks other questions, and is remembered.
    await page.getByRole('button', { name: t.countries.us }).click();
    await expect
      .element(page.getByRole('checkbox', { name: /Digging damaged a pipeline, even/ }))
      .toBeVisible();
    await expect
      .element(page.getByRole('button', { name: t.countries.us }))
      .toHaveAttribute('aria-pressed', 'true');
  },
);
