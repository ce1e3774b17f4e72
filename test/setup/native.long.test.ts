/**
 * Our native libraries are compatible with their process. On Linux every Electron process loads the system's GLib first; a
 * library with its own GLib would bind half of its calls to that one and crash (lovell/sharp#4522). So the built service runs
 * here with the system's GLib loaded first, and the loader logs each binding.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shippedPlaces } from '../../src/setup/licences.ts';
import { bringShell } from '../../src/setup/shell.ts';
import { makeJpeg } from '../support/jpeg.ts';
import { type Client, clientOf } from '../support/service.ts';

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

/** Besides the demo's forty. */
const MORE = 12;

/** A near miss with `count` different pictures. */
const addPictures = async (client: Client, count: number): Promise<void> => {
  const catalog = await client.get('~/catalog');
  const upload_uuids: string[] = [];
  for (let seed = 0; seed < count; seed += 1) {
    const bytes = await makeJpeg({ seed, bytes: 40_000 });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const uploads = `/rest/v1.1/companies/${client.company_id}/uploads`;
    const { json } = await client.post(uploads, {
      response_filename: `${seed}.jpg`,
      segments: [{ size: bytes.length, sha256 }],
    });
    const headers = { 'x-amz-content-sha256': sha256 };
    const sent = await fetch(json.segments[0].url, {
      method: 'PUT',
      body: new Uint8Array(bytes),
      headers,
    });
    expect(sent.ok).toBe(true);
    const etag = createHash('md5').update(bytes).digest('hex');
    await client.patch(`${uploads}/${json.uuid}`, { segments: [{ etag }] });
    upload_uuids.push(json.uuid);
  }
  const made = await client.post('~/incidents/near_misses', {
    near_miss: { incident_id: catalog.json.incidents[0].id, description: 'Many', upload_uuids },
  });
  expect(made.status).toBe(201);
};

describe.skipIf(!hasGlib())('the built service with GLib put first (Linux that has GLib)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spotter-native-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeAll(async () => {
    expect(await bringShell(root, () => undefined)).toBe(true);
  }, 300_000);

  it('seeds the demo and makes 50 thumbnails, and no library of ours is bound to that GLib', async () => {
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
      const first = JSON.parse(line) as Pick<Client, 'url' | 'token' | 'company_id' | 'project_id'>;
      const client = clientOf(first.url, first);
      await addPictures(client, MORE);
      const lists = await Promise.all(
        [1, 2, 3].map((page) => client.get(`~/incidents/near_misses?per_page=100&page=${page}`)),
      );
      const pictures = lists
        .flatMap(({ json }) => json as { attachments?: { thumbnail_url: string | null }[] }[])
        .flatMap(({ attachments }) => attachments ?? [])
        .flatMap(({ thumbnail_url }) => thumbnail_url ?? []);
      expect(new Set(pictures).size).toBeGreaterThanOrEqual(50);
      for (const address of pictures) expect((await fetch(address)).status).toBe(200);
    } finally {
      child.kill();
      await ended;
    }
    const bound = globSync('bindings.*', { cwd: folder })
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
      .map((line) => /binding file (\S+) .*? to (\S+) /.exec(line))
      .flatMap((match) => (match ? [{ from: match[1] ?? '', to: match[2] ?? '' }] : []))
      .filter(({ from }) => from.startsWith(root));
    // The loader has logged, including our libraries.
    expect(bound.some(({ from }) => from.includes('better-sqlite3'))).toBe(true);
    expect(bound.filter(({ to }) => /lib(glib|gobject|gio|gmodule)-2\.0/.test(to))).toEqual([]);
  }, 300_000);
});
