/**
 * Lists the packages that stay separate from the built programs; all others are bundled. A bundled start reads about fifteen
 * files instead of a thousand, each of which a virus scanner would check, and the service listens in half the time.
 */
import packageJson from '../../../package.json' with { type: 'json' };

/** These packages contain machine code or files found by their path, or are large and rarely loaded. */
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

/** Bundled packages, which the built programs no longer need installed. */
export const packagesWithin: readonly string[] = Object.keys(packageJson.dependencies).filter(
  (name) => !packagesBeside.includes(name),
);

/** A single character beyond Latin-1 makes V8 store a program's whole text at two bytes per character: 3 MB for the host. */
export const oneByteText = {
  charset: 'ascii',
  comments: { legal: true, annotation: false, jsdoc: false },
} as const;
