/**
 * Builds each page for phones into one file beside the window. Script and style are inlined, because the listener serves only one
 * address. Both shells and every package contain the window's folder, and with it these files.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Built file, and its page and styles below `src/phone`. */
const PAGES = [
  { file: 'phone.html', folder: '.', styles: ['page.css'] },
  { file: 'report.html', folder: 'report', styles: ['page.css', 'report/report.css'] },
] as const;

/** Oldest supported phones: iOS 15.4, and Chrome for Android of 2022. */
const target = ['safari15.4', 'chrome100'];

const put = (page: string, element: 'style' | 'script', open: string, text: string): string => {
  const empty = `${open}</${element}>`;
  if (!page.includes(empty) || text.includes(`</${element}`))
    throw new Error(`a page for phones has no place for its ${element}`);
  return page.replace(empty, () => `${open}${text}</${element}>`);
};

/** The page's script with all that it imports. */
const scriptOf = async (folder: string): Promise<string> => {
  const { build } = await import('vite');
  const built = await build({
    configFile: false,
    root: folder,
    publicDir: false,
    logLevel: 'warn',
    build: {
      write: false,
      target,
      minify: 'oxc',
      modulePreload: false,
      rolldownOptions: { input: join(folder, 'page.ts'), output: { format: 'iife' } },
    },
  });
  const [script] = (Array.isArray(built) ? built : [built]).flatMap((one) =>
    'output' in one ? one.output : [],
  );
  if (script?.type !== 'chunk') throw new Error(`${folder} has no script`);
  return script.code;
};

export const phonePage = (root: string): Plugin => {
  const source = join(root, 'src/phone');
  const read = (name: string) => readFileSync(join(source, name), 'utf8');
  return {
    name: 'spotter:phone-page',
    apply: 'build',
    async generateBundle() {
      for (const name of globSync('**/*.*', { cwd: source })) this.addWatchFile(join(source, name));
      for (const { file, folder, styles } of PAGES) {
        const page = read(join(folder, 'index.html'));
        const styled = put(page, 'style', '<style>', styles.map(read).join(''));
        const script = await scriptOf(join(source, folder));
        const whole = put(styled, 'script', '<script type="module">', script);
        this.emitFile({ type: 'asset', fileName: file, source: whole });
      }
    },
  };
};
