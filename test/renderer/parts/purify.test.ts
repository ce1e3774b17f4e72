/** failures.md, Rich text and HTML: nothing of a hostile description runs, loads or styles in the window. */
import { describe, expect, it } from 'vitest';
import { purify } from '../../../src/renderer/parts/purify.ts';

const hostile = [
  '<script>window.hit = 1</script>',
  '<img src=x onerror="window.hit = 1">',
  '<svg onload="window.hit = 1"><animate onbegin="window.hit = 1"/></svg>',
  '<a href="javascript:window.hit = 1">x</a>',
  '<iframe srcdoc="<script>parent.hit = 1</script>"></iframe>',
  '<style>* { display: none }</style><p style="position: fixed">x</p>',
  '<form action="https://evil.example"><input name="a"><button>x</button></form>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=window.hit=1&gt;">',
  '<p class="card" id="app" data-x="1" aria-label="x" tabindex="0">x</p>',
  '<noscript><p title="</noscript><img src=x onerror=window.hit=1>">',
  '<object data="data:text/html,x"></object><embed src="x"><link rel="stylesheet" href="x"><base href="//evil.example">',
];

describe('purify', () => {
  it.each(hostile)('leaves no attribute and no element beyond plain text: %s', async (html) => {
    const box = document.createElement('div');
    box.innerHTML = String(purify(html));
    document.body.append(box);
    await new Promise((resolve) => requestAnimationFrame(resolve));
    expect((window as unknown as { hit?: number }).hit).toBeUndefined();
    for (const element of box.querySelectorAll('*')) {
      expect(element.attributes).toHaveLength(0);
      expect(element.tagName).toMatch(/^(P|SPAN|DIV|BR)$/);
    }
    box.remove();
  });

  it('keeps what a person wrote', () => {
    const html = '<p>Board <strong>slid</strong> off<br>level 3</p><ul><li>north</li></ul>';
    expect(String(purify(html))).toBe(html);
  });
});
