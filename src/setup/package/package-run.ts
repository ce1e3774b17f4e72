/**
 * Extracts a package's archive into a folder far from any other node_modules and runs its service with the current Node, so
 * that a missing file is found before a user installs it. The service seeds the demo and makes a thumbnail, which uses the
 * database's native file, the decoders and the demo's photos.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Time limit for the whole run on a busy machine, in milliseconds. */
const MOST = 120_000;

const lookAt = async (line: string): Promise<string[]> => {
  const { url, token, company_id, project_id } = JSON.parse(line) as Record<string, string>;
  const list = await fetch(
    `${url}/rest/v1.0/projects/${project_id}/incidents/near_misses?per_page=50`,
    { headers: { Authorization: `Bearer ${token}`, 'Service-Company-Id': String(company_id) } },
  );
  const rows = (await list.json()) as { attachments?: { thumbnail_url?: string | null }[] }[];
  const address = rows.flatMap(({ attachments }) => attachments ?? [])[0]?.thumbnail_url;
  const small = address ? await fetch(address) : null;
  return small?.status === 200
    ? []
    : [`its service made no thumbnail (${small?.status ?? 'none'})`];
};

/**
 * @param program the built service
 * @param folder an empty folder
 */
export const runServiceFaults = async (program: string, folder: string): Promise<string[]> => {
  const child = spawn(
    process.execPath,
    [program, '--demo', '--port', '0', '--data-dir', join(folder, 'service-data')],
    { stdio: ['ignore', 'pipe', 'pipe'], timeout: MOST, cwd: folder },
  );
  const ended = once(child, 'exit');
  let said = '';
  child.stderr.on('data', (chunk) => (said = `${said}${String(chunk)}`.slice(-2000)));
  const first = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>;
  const line = await Promise.race([first.then(([text]) => text), ended.then(() => null)]);
  const faults = line === null ? [`its service does not start: ${said}`] : await lookAt(line);
  child.kill();
  await ended;
  return faults;
};

/** @param archive app.asar for the current system */
export const runFaults = async (archive: string): Promise<string[]> => {
  const { extractAll } = await import('@electron/asar');
  const folder = mkdtempSync(join(tmpdir(), 'spotter-package-'));
  try {
    extractAll(archive, join(folder, 'app'));
    return await runServiceFaults(join(folder, 'app/out/main/service.js'), folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
