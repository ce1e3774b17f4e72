/** Parses `--file-store s3://bucket/prefix?endpoint=…&region=…`. Credentials come from the standard AWS sources. */
import { OptionError } from '../../options.ts';

export interface S3Address {
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  readonly region: string;
  /** Undefined: Amazon's endpoint for the region. */
  readonly endpoint: string | undefined;
  /** `https://host/bucket` rather than `https://bucket.host`. */
  readonly path_style: boolean;
}

const EXAMPLE = 's3://bucket/prefix?endpoint=https://s3.example.com&region=eu-central-1';
const KNOWN = ['endpoint', 'region', 'path-style'];

const fail = (what: string): never => {
  throw new OptionError(`--file-store ${what}; it should look like ${EXAMPLE}.`);
};

const parse = (text: string): URL => {
  try {
    return new URL(text);
  } catch {
    return fail('is not an address');
  }
};

/** @throws {OptionError} */
export const parseS3Address = (text: string): S3Address => {
  const url = parse(text);
  if (url.protocol !== 's3:') fail(`begins with "${url.protocol}"`);
  if (url.username !== '' || url.password !== '')
    fail('must not carry credentials (set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY)');
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname)) fail('names no bucket');
  for (const name of url.searchParams.keys())
    if (!KNOWN.includes(name)) fail(`has "${name}", which is none of ${KNOWN.join(', ')}`);
  const endpoint = url.searchParams.get('endpoint') ?? undefined;
  if (endpoint !== undefined && !/^https?:\/\/[^/?#@]+\/?$/.test(endpoint))
    fail('needs an endpoint that is http(s)://host[:port]');
  const folder = decodeURIComponent(url.pathname).replace(/^\/+|(?<!\/)\/+$/g, '');
  if (!/^[\w./-]*$/.test(folder))
    fail('has a prefix with characters other than letters, digits and ._-/');
  return {
    bucket: url.hostname,
    prefix: folder === '' ? '' : `${folder}/`,
    region: url.searchParams.get('region') ?? process.env['AWS_REGION'] ?? 'us-east-1',
    endpoint,
    path_style: (url.searchParams.get('path-style') ?? String(endpoint !== undefined)) === 'true',
  };
};
