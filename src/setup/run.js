/**
 * Entry of the npm scripts. It is plain JavaScript that any Node can run, so that a half-installed machine gets one clear
 * sentence instead of a stack trace. `node src/setup/run.js start --help` runs start.ts with `--help`.
 */
const [name, ...rest] = process.argv.slice(2);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Spotter runs on the Node 24 that npm install brings along; this is Node ${process.versions.node}. Run npm install in this folder, then start it through npm.`,
  );
  process.exit(1);
}
try {
  const script = await import(`./${name}.ts`);
  process.exitCode = await script.run(rest);
} catch (error) {
  if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  console.error(
    `Spotter is not installed completely. Run npm install in this folder. (${error.message.split('\n')[0]})`,
  );
  process.exitCode = 1;
}
