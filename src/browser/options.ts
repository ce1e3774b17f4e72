/** Command line of the browser shell, as `npm start` (src/setup) passes it. People use `npm start -- --help` instead. */
import { parseArgs } from 'node:util';

export interface ShellOptions {
  readonly data_dir: string;
  readonly port: number;
  /** The browser that opens the window; undefined prints the address instead. */
  readonly chromium: string | undefined;
  readonly headless: boolean;
  /** Server address that the connect screen offers. */
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
