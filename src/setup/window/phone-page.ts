/**
 * Builds the phone's page into one file beside the window. Script and style are inlined, because the listener serves only one
 * address. Both shells and every package contain the window's folder, and with it this file.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const FILE = 'phone.html';

/** Oldest supported phones: iOS 15.4, and Chrome for Android of 2022. */
const target = ['safari15.4', 'chrome100'];

const put = (page: string, element: 'style' | 'script', open: string, text: string): string => {
  const empty = `${open}</${element}>`;
  if (!page.includes(empty) || text.includes(`</${element}`))
    throw new Error(`${FILE} has no place for its ${element}`);
  return page.replace(empty, () => `${open}${text}</${element}>`);
};

export const phonePage = (root: string): Plugin => {
  const folder = join(root, 'src/phone');
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return {
    name: 'spotter:phone-page',
    apply: 'build',
    async generateBundle() {
      for (const name of globSync('*', { cwd: folder })) this.addWatchFile(join(folder, name));
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
      if (script?.type !== 'chunk') throw new Error(`${FILE} has no script`);
      const styled = put(read('index.html'), 'style', '<style>', read('page.css'));
      const source = put(styled, 'script', '<script type="module">', script.code);
      this.emitFile({ type: 'asset', fileName: FILE, source });
    },
  };
};
