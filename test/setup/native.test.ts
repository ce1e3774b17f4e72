/**
 * No native library of ours quarrels with the process it is in. Every Electron process on Linux has the system's GLib loaded first;
 * a library that brings a GLib of its own binds half of its calls to that one and falls over (lovell/sharp#4522). So the built
 * service runs here with the system's GLib put first, and the loader writes down whom each call was bound to.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shippedPlaces } from '../../src/setup/licences.ts';
import { bringShell } from '../../src/setup/shell.ts';

const root = join(import.meta.dirname, '../..');
const GLIB = ['libglib-2.0.so.0', 'libgobject-2.0.so.0'];

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Parameters<typeof shippedPlaces>[1];
};

describe('native libraries that ship', () => {
  const found = shippedPlaces(root, packages).flatMap((place) =>
    globSync('**/*.{node,so,so.*,dylib,dll}', { cwd: join(root, place) }).map((file) =>
      join(root, place, file),
    ),
  );

  it('are addons of Node alone, those of better-sqlite3 among them', () => {
    expect(found.some((path) => path.includes('better-sqlite3'))).toBe(true);
    expect(found.filter((path) => !path.endsWith('.node'))).toEqual([]);
  });

  it('are Node-API: one file serves every version of Node and Electron', () => {
    const others = found.filter((path) => !readFileSync(path).includes('napi_register_module_v1'));
    expect(others).toEqual([]);
  });
});

const hasGlib = (): boolean => {
  if (process.platform !== 'linux') return false;
  const known = execFileSync('/sbin/ldconfig', ['-p'], { encoding: 'utf8' });
  return GLIB.every((name) => known.includes(name));
};

describe.skipIf(!hasGlib())('the built service with GLib put first (Linux that has GLib)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spotter-native-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeAll(async () => {
    expect(await bringShell(root, () => undefined)).toBe(true);
  }, 300_000);

  it('seeds the demo and makes thumbnails, and no library of ours is bound to that GLib', async () => {
    const args = ['--demo', '--port', '0', '--data-dir', join(folder, 'data')];
    const child = spawn(process.execPath, [join(root, 'out/main/service.js'), ...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        ...process.env,
        LD_PRELOAD: GLIB.join(' '),
        LD_DEBUG: 'bindings',
        LD_DEBUG_OUTPUT: join(folder, 'bindings'),
      },
    });
    const ended = once(child, 'exit');
    try {
      const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
      const { url, token, company_id, project_id } = JSON.parse(line) as Record<string, string>;
      const headers = {
        Authorization: `Bearer ${token}`,
        'Service-Company-Id': String(company_id),
      };
      const list = await fetch(
        `${url}/rest/v1.0/projects/${project_id}/incidents/near_misses?per_page=100`,
        { headers },
      );
      const rows = (await list.json()) as { attachments?: { thumbnail_url: string | null }[] }[];
      const pictures = rows.flatMap(({ attachments }) => attachments ?? []).slice(0, 20);
      expect(pictures.length).toBeGreaterThan(5);
      for (const { thumbnail_url } of pictures)
        expect((await fetch(thumbnail_url ?? '')).status).toBe(200);
    } finally {
      child.kill();
      await ended;
    }
    const bound = globSync('bindings.*', { cwd: folder })
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
      .map((line) => /binding file (\S+) .*? to (\S+) /.exec(line))
      .flatMap((match) => (match ? [{ from: match[1] ?? '', to: match[2] ?? '' }] : []))
      .filter(({ from }) => from.startsWith(root));
    // The loader has written, and of our libraries.
    expect(bound.some(({ from }) => from.includes('better-sqlite3'))).toBe(true);
    expect(bound.filter(({ to }) => /lib(glib|gobject|gio|gmodule)-2\.0/.test(to))).toEqual([]);
  }, 300_000);
});
