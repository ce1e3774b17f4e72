/** The readable text of a description, in any HTML a server writes. */
import { expect, it } from 'vitest';
import { htmlOf, textOf } from '../../../src/renderer/data/model/text.ts';
import { emptyAnswers, answersOf, fieldsOf } from '../../../src/renderer/near-miss-form/answers.ts';

it('entities of other servers are the letters they stand for, and an edit of them is no edit of their writing', () => {
  const html =
    '<p>Ca&iacute;da en el ba&ntilde;o &#8211; &iquest;qu&eacute;? &Uuml;&#x1F477; it&rsquo;s</p>';
  expect(textOf(html)).toBe('Caída en el baño – ¿qué? Ü👷 it’s');
  const shown = answersOf({ description: html }, []);
  const edited = { ...emptyAnswers(1), what: `${shown.what}!` };
  expect(fieldsOf(edited, []).description).toBe('<p>Caída en el baño – ¿qué? Ü👷 it’s!</p>');
});

it('what a person typed as an entity stays what was typed', () => {
  for (const typed of ['&eacute;', '&amp;lt;', 'a & b; c', '&#39;', '&unknown;', '&constructor;'])
    expect(textOf(htmlOf(typed))).toBe(typed);
  expect(textOf('<p>&unknown; &#0; &#9999999; &#xD800;</p>')).toBe(
    '&unknown; &#0; &#9999999; \ufffd',
  );
});

it('cells of a table are words apart', () => {
  const table =
    '<table><tr><th>Gate</th><th>State</th></tr><tr><td>2</td> <td>open</td></tr></table>';
  expect(textOf(table)).toBe('Gate State\n2 open');
});
