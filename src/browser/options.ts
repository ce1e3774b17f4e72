/** How `npm start` (src/setup) starts the browser shell. Not for typing: `npm start -- --help` is. */
import { parseArgs } from 'node:util';

export interface ShellOptions {
  readonly data_dir: string;
  readonly port: number;
  /** The browser to open the window in; undefined: print the address and serve. */
  readonly chromium: string | undefined;
  readonly headless: boolean;
  /** A server's address, offered on the connect screen. */
  readonly server: string | undefined;
}

export const readShellOptions = (args: readonly string[]): ShellOptions => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'data-dir': { type: 'string' },
      port: { type: 'string', default: '0' },
      chromium: { type: 'string' },
      headless: { type: 'boolean', default: false },
      server: { type: 'string' },
    },
  });
  if (values['data-dir'] === undefined) throw new Error('--data-dir is missing');
  return {
    data_dir: values['data-dir'],
    port: Number(values.port),
    chromium: values.chromium,
    headless: values.headless,
    server: values.server,
  };
};
