/**
 * `spotter verify FILE`: says whether an evidence pack is genuine (decisions §19.6). Exit codes: 0 all is well, 1 it is not, 2 called
 * wrongly, 3 all is well but the key was compared with none.
 */
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { signingKeyEndpoints } from '../../contract/rest/evidence/signing-keys.ts';
import { quoted, readKey, verifyPack, type TrustedKey, type VerifyHow } from './verify-pack.ts';
import type { Source } from './zip.ts';

const HELP = `spotter verify FILE [--key FILE | --service URL] [--without-text]

Says whether an evidence pack of Spotter is genuine and complete. It unpacks nothing.

  --key FILE       the public key that you trust, in PEM
  --service URL    asks this service for the keys that it publishes, and when each of them signed
  --without-text   accepts that report.html, report.json and history.json were removed

Exit codes: 0 genuine, 1 not genuine, 2 called wrongly, 3 genuine, but the key was compared with none.
`;

/** What was called wrongly, or could not be read. */
class Misuse extends Error {}

const FETCH_MS = 20_000;
const ANSWER_MAX = 4 * 1024 * 1024;

const readCapped = async (answer: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > ANSWER_MAX) throw new Misuse('The service answered too much.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

const addressOf = (text: string): URL => {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new Misuse(`--service takes an address such as https://spotter.example.com.`);
  return url;
};

/** @throws Misuse */
const keysOf = async (service: string) => {
  const { path, reply } = signingKeyEndpoints['signing_keys.list'];
  const base = addressOf(service).href.replace(/(?<!\/)\/+$/, '');
  let text: string;
  try {
    const answer = await fetch(base + path, { signal: AbortSignal.timeout(FETCH_MS) });
    if (answer.status !== 200)
      throw new Misuse(`${base} publishes no keys: it answered ${answer.status}.`);
    text = await readCapped(answer);
  } catch (error) {
    if (error instanceof Misuse) throw error;
    throw new Misuse(`${base} could not be asked for its keys.`);
  }
  const keys = z.string().transform((one, context) => {
    try {
      return JSON.parse(one) as unknown;
    } catch {
      context.addIssue('is no JSON');
      return z.NEVER;
    }
  });
  const parsed = keys.pipe(reply).safeParse(text);
  if (!parsed.success) throw new Misuse(`${base} did not answer with keys.`);
  return parsed.data;
};

const ofService =
  (service: string): VerifyHow['trusted'] =>
  async (key_id) => {
    const found = (await keysOf(service)).find(({ id }) => id === key_id);
    if (!found) return null;
    const { public_key, from, until } = found;
    return {
      public_key,
      from: Date.parse(from),
      until: until === null ? null : Date.parse(until),
    };
  };

const ofFile = (file: string): VerifyHow['trusted'] => {
  let public_key: string;
  try {
    public_key = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Misuse(`${file} cannot be read: ${(error as Error).message}.`);
  }
  if (!readKey(public_key)) throw new Misuse(`${file} holds no Ed25519 key in PEM.`);
  const trusted: TrustedKey = { public_key, from: null, until: null };
  return () => Promise.resolve(trusted);
};

interface Asked {
  readonly file: string;
  readonly how: VerifyHow;
  /** A service that is asked without TLS. */
  readonly open_service: string | null;
}

/** What a problem quotes comes from the file. */
const LINE_MAX = 500;

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** @throws Misuse */
const parse = (argv: readonly string[]): Asked | 'help' => {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        key: { type: 'string' },
        service: { type: 'string' },
        'without-text': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new Misuse((error as Error).message);
  }
  const { values, positionals } = parsed;
  if (values.help) return 'help';
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new Misuse('Name one file.');
  const { key, service } = values;
  if (key !== undefined && service !== undefined)
    throw new Misuse('Take --key or --service, not both.');
  const trusted =
    key !== undefined ? ofFile(key) : service !== undefined ? ofService(service) : undefined;
  const url = service === undefined ? null : addressOf(service);
  return {
    file,
    how: { without_text: values['without-text'], ...(trusted ? { trusted } : {}) },
    open_service: url?.protocol === 'http:' && !LOOPBACK.test(url.hostname) ? url.host : null,
  };
};

const verifyFile = async (
  { file, how, open_service }: Asked,
  say: (line: string) => void,
): Promise<number> => {
  let handle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    throw new Misuse(`${file} cannot be read: ${(error as Error).message}.`);
  }
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Misuse(`${file} is no file.`);
    const source: Source = {
      size: stat.size,
      read: async (offset, length) => {
        const bytes = Buffer.alloc(length);
        let have = 0;
        for (let more = -1; have < length && more !== 0; have += more)
          more = (await handle.read(bytes, have, length - have, offset + have)).bytesRead;
        return bytes.subarray(0, have);
      },
    };
    const { problems, good, receipt } = await verifyPack(source, how);
    if (receipt)
      say(
        `${basename(file)}: near miss ${quoted(receipt.near_miss.number)}, made on ${receipt.made_at} by ${quoted(receipt.service)}`,
      );
    for (const line of good) say(`  right  ${line}`);
    for (const line of problems) say(`  WRONG  ${quoted(line.slice(0, LINE_MAX))}`);
    if (problems.length > 0) {
      say(
        receipt ? 'The pack is NOT genuine or not complete.' : `${basename(file)} is NOT genuine.`,
      );
      return 1;
    }
    if (open_service !== null)
      say(`Note: ${open_service} was asked without TLS, so that others on the way could answer.`);
    if (how.trusted) {
      say('The pack is genuine.');
      return 0;
    }
    say(
      'Nothing in the pack was changed since it was signed. WHO signed it is not known: compare the key with --key FILE or --service URL.',
    );
    return 3;
  } finally {
    await handle.close();
  }
};

/** @returns the exit code */
export const runVerify = async (
  argv: readonly string[],
  say: (line: string) => void = console.log,
  complain: (line: string) => void = console.error,
): Promise<number> => {
  try {
    const asked = parse(argv);
    if (asked === 'help') {
      say(HELP);
      return 0;
    }
    return await verifyFile(asked, say);
  } catch (error) {
    if (!(error instanceof Misuse)) throw error;
    complain(`${error.message}\nspotter verify --help shows how to call it.`);
    return 2;
  }
};
