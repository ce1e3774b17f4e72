/**
 * `npm run check`: runs every check that does not run the app, or only the named ones. Each step is a script `check:…` of
 * package.json. The steps are independent and use one core each, so as many run at once as there are cores, in the order of
 * package.json. A failed step prints its whole output; every step ends with one line.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Runs a script to its end. True when it succeeds. */
const passes = (script: string, root: string): Promise<boolean> =>
  new Promise((resolve) => {
    const started = performance.now();
    const said: Buffer[] = [];
    const child = spawn(process.execPath, ['--run', script], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const end = (well: boolean) => {
      const seconds = Math.round((performance.now() - started) / 1_000);
      if (!well) console.error(Buffer.concat(said).toString().trimEnd());
      console.log(`${well ? 'passed' : 'FAILED'}: ${script} (${seconds} s)`);
      resolve(well);
    };
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => void said.push(part));
    child.on('error', (error) => {
      said.push(Buffer.from(error.message));
      end(false);
    });
    child.on('close', (status) => end(status === 0));
  });

/** @param names steps to run (`types` for `check:types`); all steps if empty */
export const run = async (names: readonly string[] = []): Promise<number> => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const waiting = Object.keys(scripts)
    .filter((name) => name.startsWith('check:'))
    .filter((name) => names.length === 0 || names.includes(name.slice('check:'.length)));
  let failed = 0;
  const work = async (): Promise<void> => {
    for (let script = waiting.shift(); script !== undefined; script = waiting.shift())
      if (!(await passes(script, root))) failed += 1;
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return failed === 0 ? 0 : 1;
};
