/** How an erasure finds and replaces a name in rich text, addresses and entities (decisions §21.1). */
import { expect, it } from 'vitest';
import { finderOf } from '../../../src/service/domain/erasure/finder.ts';

const INSTEAD = 'Person 7F3K';

it('decisions §21.1: the name of a tag is no name of a person, and the tag stays', () => {
  for (const [name, html] of [
    ['Li', '<ul><li>one</li></ul>'],
    ['Strong', '<p><strong class="Strong">bold</strong></p>'],
    ['Code', '<pre><code>x</code></pre>'],
  ] as const) {
    const finder = finderOf([name]);
    expect([finder.find(html), finder.without(html, INSTEAD)]).toEqual([null, html]);
    const named = `${html}<p>${name} fell</p>`;
    expect(finder.find(named)).toBe('whole');
    expect(finder.without(named, INSTEAD)).toBe(`${html}<p>${INSTEAD} fell</p>`);
  }
});

it('decisions §21.1: a name with an ampersand is found where text spells it as an entity, without any tag too', () => {
  const finder = finderOf(['Anna & Bert']);
  for (const html of ['Anna &amp; Bert fell', '<p>Anna &amp; <em>Bert</em> fell</p>']) {
    expect(finder.find(html)).toBe('whole');
    expect(finder.without(html, INSTEAD)).toBe(`${INSTEAD} fell`);
  }
});

it('decisions §21.1: a name in an address is found as addresses spell it, and a link loses it', () => {
  const finder = finderOf(['José Ruíz']);
  for (const spelt of ['Jos%C3%A9%20Ru%C3%ADz', 'jose%20ruiz', 'jose+ruiz', 'jose-ruiz']) {
    expect(finder.find(`https://x.example/?who=${spelt}`)).toBe('whole');
    const link = `<p>See <a href="https://x.example/?who=${spelt}" rel="nofollow">it</a></p>`;
    expect(finder.find(link)).toBe('whole');
    expect(finder.without(link, INSTEAD)).toBe('<p>See <a rel="nofollow">it</a></p>');
  }
  expect(finder.without('<p><a href="https://x.example/a">x</a></p>', INSTEAD)).toContain('href');
});

it('decisions §21.1: tags that split a name hide it from nobody', () => {
  const finder = finderOf(['Ana Ruiz']);
  for (const html of ['A<b>na Ru</b>iz', '<p>Ana</p><p>Ruiz</p>', 'Ana<br />Ruiz']) {
    expect(finder.find(html)).toBe('whole');
    expect(finder.without(html, INSTEAD)).toBe(INSTEAD);
  }
  expect(finder.find('seen by Bo <Ana Ruiz>')).toBe('whole');
  expect(finder.without('seen by Bo <Ana Ruiz>', INSTEAD)).toBe(`seen by Bo <${INSTEAD}>`);
});
