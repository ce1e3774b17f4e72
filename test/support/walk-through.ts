/** Runs the first `curl` walk-through of src/service/walk-through.md with bash, as printed there. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeJpeg } from './jpeg.ts';

const run = promisify(execFile);
const page = readFileSync(new URL('../../src/service/walk-through.md', import.meta.url), 'utf8');
const script = /```sh\n(# the main job\n[\s\S]*?)```/.exec(page)?.[1] ?? '';

/**
 * Files a near miss with a photo, in `folder`, at the service that printed `first_line`. Returns the near miss's id. @throws
 * with bash's output if a command fails
 * @param curl further options of every curl, in bash's syntax
 */
export const walkThrough = async (
  folder: string,
  first_line: string,
  curl = '',
): Promise<number> => {
  writeFileSync(join(folder, 'service.json'), first_line);
  writeFileSync(join(folder, 'photo.jpg'), await makeJpeg({ seed: 99, bytes: 700_000 }));
  const { stdout } = await run(
    'bash',
    ['-euo', 'pipefail', '-c', `curl() { command curl ${curl} "$@"; }\n${script}`],
    { cwd: folder },
  );
  const [, id] = /near miss (\d+) delivered/.exec(stdout) ?? [];
  if (id === undefined) throw new Error(`the walk-through delivered nothing: ${stdout}`);
  return Number(id);
};
