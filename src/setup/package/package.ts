/**
 * `npm run package`: builds the Electron app's installers with electron-builder (.config/electron-builder.js). It rebuilds
 * stale parts, writes the licences and the SBOM (CycloneDX, by npm) that ship beside the program, and checks the result
 * (package-check.ts). Arguments are passed on: `npm run package -- --dir` makes only the folder; `-- --mac`, `--win` and
 * `--linux` choose a system.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { checkPackages } from './package-check.ts';
import { licencesText } from '../licences.ts';
import { bringShell } from '../shell.ts';
import { runHere } from '../system.ts';

const runFile = promisify(execFile);

/** Runs npm by the path of its script, because Windows cannot start a plain `npm`. */
const npm = (args: readonly string[]): Promise<string> => {
  const script = process.env['npm_execpath'];
  const [file, before] = script === undefined ? ['npm', []] : [process.execPath, [script]];
  return runFile(file, [...before, ...args], { maxBuffer: 64 * 1024 * 1024 }).then(
    ({ stdout }) => stdout,
  );
};

const writeNotices = async (root: string): Promise<void> => {
  const folder = join(root, 'node_modules/.cache/package');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'LICENSES.txt'), licencesText(root));
  const sbom = await npm(['sbom', '--omit=dev', '--package-lock-only', '--sbom-format=cyclonedx']);
  writeFileSync(join(folder, 'sbom.cdx.json'), sbom);
};

const OUTPUT = '-c.directories.output=';

/** The output folder among electron-builder's arguments. */
const outputOf = (args: readonly string[]): string =>
  args.findLast((text) => text.startsWith(OUTPUT))?.slice(OUTPUT.length) ?? 'dist';

export const run = async (args: readonly string[]): Promise<number> => {
  const root = process.cwd();
  if (!(await bringShell(root, (text) => console.log(text)))) return 1;
  await writeNotices(root);
  if (process.platform === 'darwin' && !(process.env['APPLE_API_KEY'] ?? process.env['APPLE_ID']))
    console.log('No keys for Apple in the environment: the package is not notarised.');
  const cli = join(root, 'node_modules/electron-builder/cli.js');
  const output = resolve(root, outputOf(args));
  // Removes the packages of an earlier run, which would be checked again.
  rmSync(output, { recursive: true, force: true });
  const status = await runHere(process.execPath, [
    cli,
    '--config=.config/electron-builder.js',
    ...args,
  ]);
  if (status !== 0) return status;
  const faults = await checkPackages(output);
  for (const fault of faults) console.error(fault);
  console.log(
    faults.length === 0 ? 'The packages hold what they should.' : 'The packages are not good.',
  );
  return faults.length === 0 ? 0 : 1;
};
