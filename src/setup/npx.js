#!/usr/bin/env node
/**
 * The npm package's program (`npx spotter`). It is plain JavaScript, so that an old Node can run it and explain that it is too
 * old. The programs that it starts are built from src/browser/npx.ts and, for `spotter service`, from src/service/cli.ts.
 */
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  console.error(`Spotter needs Node 24 or newer; this is Node ${process.versions.node}.`);
  process.exit(1);
}
if (process.argv[2] === 'service') {
  // In this process, so that a service manager's signals reach it.
  process.argv.splice(2, 1);
  await import('../../out/node/service.js');
} else {
  await import('../../out/node/npx.js');
}
