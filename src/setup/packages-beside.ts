/**
 * Which packages stay beside the built programs. The others are written into them: a start reads some fifteen files, not a
 * thousand, each of which a laptop's virus scanner looks at; the service listens in half the time.
 */
import packageJson from '../../package.json' with { type: 'json' };

/** These packages bring machine code or files that are found by their place, or are large and read only when asked for. */
export const packagesBeside: readonly string[] = [
  '@aws-sdk/client-s3',
  '@aws-sdk/s3-presigned-post',
  '@scalar/fastify-api-reference',
  '@smithy/signature-v4',
  'better-sqlite3',
  'electron-updater',
  'keytar',
  'libheif-js',
  'pg',
  'wasm-vips',
];

/** What npm installs to run Spotter, and the programs need no longer. */
export const packagesWithin: readonly string[] = Object.keys(packageJson.dependencies).filter(
  (name) => !packagesBeside.includes(name),
);

/** One sign beyond Latin-1 makes the engine keep all of a program's text at two bytes for each: 3 MB of a host. */
export const oneByteText = {
  charset: 'ascii',
  comments: { legal: true, annotation: false, jsdoc: false },
} as const;
