/** The service's README has a `curl` walk-through, which is run as it is printed there, against a service started as it says. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { onPostgres } from '../support/database.ts';
import { bareDemo, clientOf, spawnService, tempDir } from '../support/service.ts';
import { walkThrough } from '../support/walk-through.ts';

const run = promisify(execFile);
const readme = readFileSync(new URL('../../src/service/README.md', import.meta.url), 'utf8');
const firmThrough = /```sh\n(# a firm of its own\n[\s\S]*?)```/.exec(readme)?.[1] ?? '';

const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
);
/** What `bash` is on Windows nobody knows: often it is another system's. `prove -- windows` runs the walk-through from Linux. */
const needs = process.platform === 'win32' ? ' (needs another system)' : ' (needs curl)';
const runs = hasCurl && process.platform !== 'win32';

it.skipIf(!runs)(
  `decisions §10: curl does the main job as the service’s README shows${runs ? '' : needs}`,
  async () => {
    const data = tempDir('readme-service');
    const work = tempDir('readme-work');
    const service = await spawnService(bareDemo(data.path));
    onTestFinished(async () => {
      await service.end();
      data.remove();
      work.remove();
    });
    const id = await walkThrough(work.path, service.stdout());
    const shown = await clientOf(service.first.url, service.first).get(
      `~/incidents/near_misses/${id}`,
    );
    expect(shown.status).toBe(200);
    expect(shown.json).toMatchObject({
      description_plain_text: 'Scaffold board slid off level 3',
      attachments: [{ filename: 'photo.jpg' }],
    });

    // A second time: the record's key is the same, so it is answered, not filed again.
    expect(await walkThrough(work.path, service.stdout())).toBe(id);
  },
);

it.skipIf(!runs || onPostgres)(
  `decisions §11.5: a firm of its own imports, adds and retires as the service’s README shows${runs ? '' : needs}`,
  async () => {
    const work = tempDir('readme-firm');
    onTestFinished(() => work.remove());
    // As printed, but for where it runs: npm would look for the package in the folder of the firm.
    const cli = fileURLToPath(new URL('../../src/service/cli.ts', import.meta.url));
    const script = firmThrough
      .replaceAll('npm run -s service --', `"${process.execPath}" "${cli}"`)
      .replaceAll('get() { node ', `get() { "${process.execPath}" `);
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: work.path });
    const lines = stdout.trim().split('\n');
    expect(lines.slice(0, 2).map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { imported: false, created: 2, bad: 0 },
      { imported: true, created: 2, bad: 0 },
    ]);
    expect(lines[2]).toMatch(/^person \d+, vendor \d+$/);
  },
  // Four processes, one after the other.
  300_000,
);
