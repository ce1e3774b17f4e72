/**
 * failures.md, Rich text and HTML: more than two hundred hostile descriptions, of which nothing runs, loads or styles in the
 * window, whether shown, opened in the editor or sent. What the service keeps (decisions §3.2) passes unchanged.
 */
import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  richTextRel,
  richTextSchemes,
  richTextTags,
} from '../../../src/contract/text/rich-text.ts';
import { purify, purifyToText, safeHref } from '../../../src/renderer/parts/rich-text/purify.ts';
import RichText from '../../../src/renderer/parts/rich-text/RichText.svelte';
import { openEditor } from '../../../src/renderer/parts/rich-text/tiptap.ts';
import { hostileHtml } from '../../support/hostile-html.ts';

const spied = window as unknown as { hit?: number };
let box: HTMLElement;
beforeEach(() => {
  delete spied.hit;
  box = document.createElement('div');
  document.body.append(box);
});
afterEach(() => box.remove());

const frames = () =>
  new Promise<void>((resolve) =>
    requestAnimationFrame(() => requestAnimationFrame(() => resolve())),
  );
/** Requests to the network or another document since the page began. */
const asked = () =>
  performance.getEntriesByType('resource').filter(({ name }) => name.includes('evil.invalid'));

const tags = new Set<string>(richTextTags);
const onlyTheList = (root: ParentNode, html: string) => {
  for (const element of root.querySelectorAll('*')) {
    expect(tags.has(element.localName), `${element.localName} of ${html}`).toBe(true);
    expect(element.namespaceURI).toBe('http://www.w3.org/1999/xhtml');
    for (const { name, value } of element.attributes) {
      const of = `${element.localName} ${name}`;
      expect(
        ['a href', 'a rel', 'td colspan', 'td rowspan', 'th colspan', 'th rowspan'],
        html,
      ).toContain(of);
      if (name === 'href') expect(safeHref(value), html).not.toBeNull();
    }
  }
};

describe('hostile HTML', () => {
  it(`is more than two hundred descriptions (${hostileHtml.length})`, () => {
    expect(new Set(hostileHtml).size).toBeGreaterThanOrEqual(200);
  });

  it('shown: nothing runs, nothing is asked for, nothing beyond the list is there', async () => {
    for (const html of hostileHtml) {
      const shown = mount(RichText, { target: box, props: { html } });
      flushSync();
      onlyTheList(box.querySelector('.rich') ?? box, html);
      for (const link of box.querySelectorAll<HTMLElement>('.rich *')) {
        if (link.localName !== 'a') link.click();
        link.dispatchEvent(new Event('mouseover', { bubbles: true }));
        link.dispatchEvent(new Event('focus', { bubbles: true }));
      }
      await frames();
      expect(spied.hit, html).toBeUndefined();
      await unmount(shown);
    }
    expect(asked()).toEqual([]);
  }, 300_000);

  it('sent: what leaves is clean, and clean again is the same', () => {
    for (const html of hostileHtml) {
      const text = purifyToText(html);
      const again = document.createElement('div');
      again.append(purify(text));
      onlyTheList(again, html);
      expect(purifyToText(text), html).toBe(text);
    }
  });

  it('opened in the editor and pasted into it: nothing runs, what comes out is clean', async () => {
    let out = '';
    const editor = openEditor({
      element: box,
      html: '<p>begin</p>',
      label: 'x',
      onMove: () => {},
      onChange: (html) => (out = html),
    });
    for (const html of hostileHtml) {
      const data = new DataTransfer();
      data.setData('text/html', html);
      data.setData('text/plain', 'plain');
      editor.commands.setContent({ type: 'doc', content: [{ type: 'paragraph' }] });
      editor.view.dom.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
      const parsed = document.createElement('div');
      parsed.append(purify(out));
      onlyTheList(parsed, html);
      expect(purifyToText(out), html).toBe(out);
      expect(spied.hit, html).toBeUndefined();
    }
    await frames();
    expect(spied.hit).toBeUndefined();
    editor.destroy();
    let read = 0;
    for (const html of hostileHtml) {
      const opened = openEditor({
        element: box,
        html,
        label: 'x',
        onMove: () => {},
        onChange: () => {},
      });
      // An unclosed element swallows the words after it.
      read += opened.getText().includes('safe') ? 1 : 0;
      opened.destroy();
    }
    expect(read).toBeGreaterThanOrEqual(200);
    expect(spied.hit).toBeUndefined();
    expect(asked()).toEqual([]);
  }, 300_000);
});

describe('what the service keeps', () => {
  const kept = [
    '<p>Board <strong>slid</strong> off<br>level 3</p><ul><li>north</li></ul>',
    `<p><a href="https://a.example/x?y=1" rel="${richTextRel}">plan</a></p>`,
    '<table><tbody><tr><th colspan="2">a</th></tr><tr><td>b</td><td>c</td></tr></tbody></table>',
    '<blockquote><p>he <em>said</em> <u>so</u> <s>not</s></p></blockquote><hr><pre><code>1 &lt; 2</code></pre>',
    '<p>H<sub>2</sub>O m<sup>2</sup> <mark>look</mark> <del>a</del><ins>b</ins></p>',
  ];
  it.each(kept)('comes through: %s', (html) => {
    expect(purifyToText(html)).toBe(html);
  });

  it('a link leads where the list of schemes allows, and nowhere else', () => {
    const links = {
      http: '//a.example',
      https: '//a.example',
      mailto: 'x@a.example',
      tel: '+15550',
    };
    for (const scheme of richTextSchemes)
      expect(safeHref(`${scheme}:${links[scheme]}`)).not.toBeNull();
    for (const href of [
      'http://127.1/',
      'https://nas/',
      'javascript:1',
      'data:text/html,x',
      '/x',
      '//x',
      'x',
      '',
      'ftp://a/',
    ])
      expect(safeHref(href), href).toBeNull();
  });

  it('what leads to this machine or network is shown as its words', () => {
    const shown = purifyToText(
      '<p>see <a href="http://2130706433:37301/x">the <b>plan</b></a></p>',
    );
    expect(shown).toBe('<p>see the <b>plan</b></p>');
  });

  it('the editor gives back what it was given, and a plain sentence stays one', () => {
    const through = (html: string): string => {
      let out = '';
      const editor = openEditor({
        element: box,
        html,
        label: 'x',
        onMove: () => {},
        onChange: (now) => (out = now),
      });
      editor.commands.insertContentAt(editor.state.doc.content.size - 1, 'x');
      const made = out.replace(/x(?=(<\/\w+>)*$)/, '');
      editor.destroy();
      return made;
    };
    for (const html of [
      '<p>Board slid off level 3</p>',
      '<p>one</p><p>two</p>',
      '<p>a <strong>b</strong> <em>c</em> <u>d</u> <s>e</s></p>',
      `<p>see <a href="https://a.example/" rel="${richTextRel}">plan</a> now</p>`,
      '<ul><li><p>a</p></li><li><p>b</p></li></ul><p>c</p>',
      '<p>H<sub>2</sub>O m<sup>2</sup> <mark>look</mark></p>',
      '<table><tbody><tr><td colspan="1" rowspan="1"><p>b</p></td></tr></tbody></table><p>c</p>',
    ])
      expect(through(html)).toBe(html);
  });

  it('of a paste from elsewhere the words and their formatting stay', () => {
    let out = '';
    const editor = openEditor({
      element: box,
      html: '',
      label: 'x',
      onMove: () => {},
      onChange: (now) => (out = now),
    });
    const data = new DataTransfer();
    data.setData(
      'text/html',
      '<html><head><style>p{color:red}</style></head><body><!--StartFragment--><p class="MsoNormal" style="margin:0"><b>Rail</b> loose<o:p></o:p></p><!--EndFragment--></body></html>',
    );
    editor.view.dom.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
    expect(out).toBe('<p><strong>Rail</strong> loose</p>');
    editor.destroy();
  });
});
