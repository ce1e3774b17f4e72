/** Parses the options of `npm start` and holds the text of `--help`. */
import { parseArgs } from 'node:util';

export interface StartOptions {
  readonly help: boolean;
  /** Uses the browser shell even where Electron could run. */
  readonly browser: boolean;
  /** Requires Electron: retries its download and waits for it. */
  readonly electron: boolean;
  /** Opens no window: prints the address and serves. */
  readonly no_open: boolean;
  /** 0 means the remembered port, or a random one at the first start. */
  readonly port: number;
  readonly data_dir: string | undefined;
  readonly server: string | undefined;
  readonly dev: boolean;
}

export const HELP = `Spotter: near misses, captured where there is no network.

  npm start                        opens the app
  npm start -- --browser           opens it in Chromium although Electron could run
  npm start -- --electron          fetches Electron again where that failed, and waits for it
  npm start -- --no-open           opens nothing: prints the address to open, and serves until Ctrl+C
  npm start -- --port N            the window's port on 127.0.0.1 (default: drawn once, then kept)
  npm start -- --data-dir DIR      where queue, photos and settings are kept
  npm start -- --server URL        offers this server on the connect screen
  npm start -- --dev               builds again whatever changes, and loads the window or starts Electron again
  npm start -- --help              this page
`;

export type Parsed =
  | { readonly ok: true; readonly options: StartOptions }
  | { readonly ok: false; readonly sentence: string };

const no = (sentence: string): Parsed => ({ ok: false, sentence });

const portOf = (text: string): number | undefined => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  return port <= 65_535 ? port : undefined;
};

const isServer = (text: string): boolean =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);

export const parseStartOptions = (args: readonly string[]): Parsed => {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: false,
      options: {
        help: { type: 'boolean', default: false },
        browser: { type: 'boolean', default: false },
        electron: { type: 'boolean', default: false },
        'no-open': { type: 'boolean', default: false },
        port: { type: 'string', default: '0' },
        'data-dir': { type: 'string' },
        server: { type: 'string' },
        dev: { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    const words = error instanceof Error ? error.message.split('. ')[0] : String(error);
    return no(`${words}. See npm start -- --help.`);
  }
  const port = portOf(values.port);
  if (port === undefined) return no(`--port takes a number from 0 to 65535, not "${values.port}".`);
  if (values.server !== undefined && !isServer(values.server))
    return no(`--server takes an address such as https://spotter.example, not "${values.server}".`);
  if (values.browser && values.electron)
    return no('--browser and --electron exclude each other: choose one.');
  if (values['data-dir'] === '') return no('--data-dir takes a folder.');
  return {
    ok: true,
    options: {
      help: values.help,
      browser: values.browser,
      electron: values.electron,
      no_open: values['no-open'],
      port,
      data_dir: values['data-dir'],
      server: values.server,
      dev: values.dev,
    },
  };
};
