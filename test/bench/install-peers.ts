/** Installs the peers' packages, separate from the product's, and only for a measurement. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;

export const installPeers = (): void => {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>;
  };
  const names = Object.keys(dependencies);
  if (names.every((name) => existsSync(join(folder, 'node_modules', name)))) return;
  console.log('Installing the peers into test/bench/node_modules …');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
};
