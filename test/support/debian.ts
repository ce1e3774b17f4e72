/**
 * Programs of Debian packages that are not installed: they are downloaded and unpacked, because installing a server would start
 * it on this machine's ports. `apt-get download` needs no root.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = fileURLToPath(new URL('../../node_modules/.cache/debian', import.meta.url));

/** Package lists may be missing on a minimal system; only root can fetch them. */
const download = async (name: string, folder: string): Promise<void> => {
  const once = () => run('apt-get', ['download', '-qq', name], { cwd: folder });
  await once().catch(async () => {
    await run('apt-get', ['update', '-qq'], { timeout: 300_000 });
    await once();
  });
};

const unpack = async (name: string): Promise<string> => {
  const home = join(cache, name);
  if (existsSync(home)) return home;
  mkdirSync(cache, { recursive: true });
  const part = mkdtempSync(join(cache, 'part-'));
  try {
    await download(name, part);
    const [file = ''] = readdirSync(part);
    await run('dpkg-deb', ['--extract', join(part, file), join(part, 'root')]);
    // A test beside this one may have been faster.
    if (!existsSync(home)) renameSync(join(part, 'root'), home);
    return home;
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
};

/**
 * The path of a program that runs, installed or unpacked; null where neither is possible.
 * @param path of the program, such as `/usr/sbin/nginx`
 * @param probe arguments with which it ends with status 0
 */
export const debianProgram = async (
  name: string,
  path: string,
  probe: readonly string[],
): Promise<string | null> => {
  if (process.platform !== 'linux') return null;
  try {
    const program = existsSync(path) ? path : join(await unpack(name), path);
    await run(program, [...probe]);
    return program;
  } catch {
    return null;
  }
};
