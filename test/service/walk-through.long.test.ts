/** Runs the `curl` walk-throughs of src/service/walk-through.md as printed there, against a service started as it says. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { onPostgres } from '../support/database.ts';
import { bareDemo, clientOf, spawnService, tempDir } from '../support/service.ts';
import { walkThrough } from '../support/walk-through.ts';

const run = promisify(execFile);
const page = readFileSync(new URL('../../src/service/walk-through.md', import.meta.url), 'utf8');
const companyScript = /```sh\n(# a company without demo data\n[\s\S]*?)```/.exec(page)?.[1] ?? '';

const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
);
/** On Windows `bash` is often that of another system. `prove -- windows` runs the walk-through from Linux. */
const needs = process.platform === 'win32' ? ' (needs another system)' : ' (needs curl)';
const runs = hasCurl && process.platform !== 'win32';

it.skipIf(!runs)(
  `decisions §10: curl does the main job as walk-through.md shows${runs ? '' : needs}`,
  async () => {
    const data = tempDir('walk-service');
    const work = tempDir('walk-work');
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

    // The second run uses the same idempotency key, so the response is replayed and nothing is filed again.
    expect(await walkThrough(work.path, service.stdout())).toBe(id);
  },
);

it.skipIf(!runs || onPostgres)(
  `decisions §11.5: a new company imports, adds and retires as walk-through.md shows${runs ? '' : needs}`,
  async () => {
    const work = tempDir('walk-company');
    onTestFinished(() => work.remove());
    // As printed, except for the working directory: npm would look for the package there.
    const cli = fileURLToPath(new URL('../../src/service/cli.ts', import.meta.url));
    const script = companyScript
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
  // Four processes in sequence.
  300_000,
);
