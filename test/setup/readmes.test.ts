/**
 * A README is read in three minutes, and every page of the repository leads where it says: bounds of words, and links with
 * their anchors (.github/CONTRIBUTING.md, rule 6).
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const MOST_OF_ROOT = 700;
const MOST = 600;

const pages = ['*.md', '.github/**/*.md', 'resources/**/*.md', 'src/**/*.md', 'test/**/*.md']
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.includes('node_modules/'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** The words of a page as `wc -w` counts them, without those that are only marks, such as the lines of a table. */
const wordsOf = (text: string): number =>
  text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** A page without its code, in which a bracket is no link and `#` no heading. */
const proseOf = (text: string): string =>
  text
    .replaceAll(/^```[^]*?^```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]]/g, ''));

/** The anchors that GitHub gives to the headings of a page. */
const anchorsOf = (text: string): readonly string[] => {
  const seen = new Map<string, number>();
  return [...proseOf(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const anchor = heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
};

/** The relative links of a page that lead nowhere. */
const deadLinks = ({ path, text }: (typeof pages)[number]): readonly string[] =>
  [...proseOf(text).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : join(dirname(path), file);
      if (!existsSync(join(root, target))) return true;
      return (
        anchor !== undefined &&
        !anchorsOf(readFileSync(join(root, target), 'utf8')).includes(anchor)
      );
    });

/** The files of the repository that a page names in code and that are not there. */
const missingFiles = (text: string): readonly string[] =>
  [...text.matchAll(/`((?:src|test|resources|\.config|\.github)\/[\w./-]+\.\w+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => !existsSync(join(root, path)));

describe('a README', () => {
  const readmes = pages.filter(({ path }) => /(?:^|\/)README\.md$/.test(path));

  it('is there for the repository, for each room and for the tests', () => {
    const paths = readmes.map(({ path }) => path);
    expect(paths).toContain('README.md');
    expect(paths).toContain('test/README.md');
    expect(paths.filter((path) => /^src\/\w+\/README\.md$/.test(path))).toHaveLength(10);
  });

  it.each(readmes)('$path has at most as many words as CONTRIBUTING says', ({ path, text }) => {
    expect(wordsOf(text)).toBeLessThanOrEqual(path === 'README.md' ? MOST_OF_ROOT : MOST);
  });

  it('the frame of a table counts no words, its cells and code do', () => {
    expect(wordsOf('| a | b |\n| - | --- |\n| c | 1 |')).toBe(4);
    expect(wordsOf('```sh\nnpm test # all\n```')).toBe(4);
  });
});

describe('links', () => {
  it.each(pages)('each link of $path leads to a file and a heading that exist', (page) => {
    expect(deadLinks(page)).toEqual([]);
  });

  it.each(pages)('each file of the repository that $path names exists', ({ text }) => {
    expect(missingFiles(text)).toEqual([]);
  });

  it('a missing file and a missing heading are found, code is no link', () => {
    const links = '[a](gone.md) [b](README.md#gone) [c](README.md#rooms) [d](LICENSE)';
    const code = '`[e](gone)`\n```\n[f](gone)\n```\n';
    expect(deadLinks({ path: 'page.md', text: `${links}\n${code}` })).toEqual([
      'gone.md',
      'README.md#gone',
    ]);
    expect(missingFiles('`src/gone.ts` `src/main/index.ts` `docs/gone.md`')).toEqual([
      'src/gone.ts',
    ]);
    expect(anchorsOf('# A b\n## `c/` and d\n## A b\n')).toEqual(['a-b', 'c-and-d', 'a-b-1']);
  });
});
