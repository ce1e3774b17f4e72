/** The `curl` walk-through of the service's README, run by bash as it is printed there. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeJpeg } from './jpeg.ts';

const run = promisify(execFile);
const readme = readFileSync(new URL('../../src/service/README.md', import.meta.url), 'utf8');
const script = /```sh\n(# the main job\n[\s\S]*?)```/.exec(readme)?.[1] ?? '';

/**
 * Files a near miss with a photo, in `folder`, at the service that printed `first_line`. Answers the near miss's id.
 * @throws with what bash said when a command of it fails
 */
export const walkThrough = async (folder: string, first_line: string): Promise<number> => {
  writeFileSync(join(folder, 'service.json'), first_line);
  writeFileSync(join(folder, 'photo.jpg'), await makeJpeg({ seed: 99, bytes: 700_000 }));
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder });
  const [, id] = /near miss (\d+) delivered/.exec(stdout) ?? [];
  if (id === undefined) throw new Error(`the walk-through delivered nothing: ${stdout}`);
  return Number(id);
};
