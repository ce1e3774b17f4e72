#!/usr/bin/env node
/**
 * The npm package's program (`npx spotter`). Plain JavaScript that an old Node can read: it says in one sentence that it is too old.
 * What it starts is built from src/browser/npx.ts.
 */
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  console.error(`Spotter needs Node 24 or newer; this is Node ${process.versions.node}.`);
  process.exit(1);
}
await import('../../out/node/npx.js');
