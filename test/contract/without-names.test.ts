/** Names in texts: how they are spelt, and texts that somebody wrote to keep the search busy. */
import { expect, it } from 'vitest';
import { knownNames, namesFound, withoutNames } from '../../src/contract/text/without-names.ts';

const masked = (name: string, text: string): string =>
  withoutNames(text, knownNames([name]), '[name]');

it('decisions §19.4, §21.1: letters with a stroke are found without it, ß as ss, and unseen characters in between', () => {
  for (const [name, text] of [
    ['Łukasz Nowak', 'Lukasz Nowak'],
    ['Lukasz Nowak', 'ŁUKASZ NOWAK'],
    ['Søren Ruß', 'Soren Russ'],
    ['Søren Ruß', 'SØREN RUSS'],
    ['Đorđe Ilić', 'Dorde Ilic'],
    ['Ana Ruiz', 'Ana \u202eRuiz'],
    ['Ana Ruiz', 'A\u00adna\u200b Ru\u2066iz'],
    ['Ana - Ruiz', 'Ana-Ruiz'],
  ] as const)
    expect(masked(name, `${text} fell`)).toBe('[name] fell');
  // Another word is no name.
  expect(masked('Ana Ruiz', 'Anabel Ruizova')).toBe('Anabel Ruizova');
  // A name of hyphens is in no text.
  expect(namesFound('a - b', { whole: ['---', ' - '], parts: [] })).toEqual([]);
});

it('failures S27: a text full of blanks or unseen characters does not keep the search of names busy', () => {
  const long = 60_000;
  for (const [name, run] of [
    ['Ana - Ruiz', ' '],
    ['Ana Ruiz', '\u00ad'],
    ['Ana Ruiz', '\u200b'],
    ['Ana Ruiz', '\u0483'],
    ['- Ana Ruiz', '-'],
  ] as const) {
    const known = { whole: [name, 'x\u00ad\u00ad\u00ady z'], parts: [] };
    const text = `Ana${run.repeat(long)}! ${name}x xy zz ${name}`;
    expect(namesFound(text, known)).toHaveLength(1);
  }
});
