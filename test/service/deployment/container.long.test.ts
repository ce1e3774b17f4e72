/**
 * The Dockerfile without Docker, which does not run here: exactly the files that it copies, with the packages of its `npm ci`,
 * run its entry point with its environment, and its health check (decisions §10). `.ci/container` builds the image on GitHub.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { tempDir } from '../../support/service.ts';
import { walkThrough } from '../../support/walk-through.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const dockerfile = readFileSync(join(root, 'resources/server/Dockerfile'), 'utf8');
const final = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
const ignore = readFileSync(join(root, 'resources/server/Dockerfile.dockerignore'), 'utf8');

interface Locked {
  readonly dev?: boolean;
  readonly optional?: boolean;
}

/** What `npm ci --omit=dev --omit=optional` installs, from this installation. */
const installInto = (modules: string): void => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, Locked>>;
  };
  for (const [place, { dev = false, optional = false }] of Object.entries(packages)) {
    if (dev || optional || !/^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(place)) continue;
    const to = join(modules, place.slice('node_modules/'.length));
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(join(root, place), to, 'junction');
  }
};

const jsonAfter = (word: string): string[] =>
  JSON.parse(new RegExp(`${word} (\\[.*\\])`).exec(final)?.[1] ?? '[]') as string[];

it('decisions §10: the image runs as a user without rights, and the build sees only what it copies', () => {
  expect(final).toMatch(/^USER node$/m);
  expect(dockerfile.match(/^FROM node:24-bookworm-slim/gm)).toHaveLength(2);
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
    ([, sources = '']) => sources.split(' '),
  );
  const allowed = ignore.split('\n').filter((line) => line.startsWith('!'));
  for (const source of copied)
    expect(
      allowed.some((line) => source.startsWith(line.slice(1))),
      source,
    ).toBe(true);
});

it.skipIf(process.platform === 'win32')(
  'decisions §10: what the Dockerfile copies does the main job, is healthy, and ends in order',
  async () => {
    const image = tempDir('image');
    const [app, data, work] = ['app', 'data', 'work'].map((name) => join(image.path, name));
    for (const folder of [app, data, work]) mkdirSync(folder as string, { mode: 0o700 });
    for (const [, source = ''] of final.matchAll(/^COPY (?!--from)(\S+)(?= \S+$)/gm))
      cpSync(join(root, source), join(app as string, source), { recursive: true });
    cpSync(join(root, 'package.json'), join(app as string, 'package.json'));
    installInto(join(app as string, 'node_modules'));
    const [node = '', ...entry] = jsonAfter('ENTRYPOINT');
    expect(node).toBe('node');
    const env = { PATH: process.env['PATH'], SPOTTER_DATA_DIR: data, SPOTTER_HOST: '127.0.0.1' };
    const argv = [...entry, '--demo', '--demo-bare', '--port', '0'];
    const child = spawn(process.execPath, argv, {
      cwd: app,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (part) => (said += String(part)));
    const ended = once(child, 'exit');
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await ended;
      image.remove();
    });
    const lines = createInterface({ input: child.stdout });
    const first = await Promise.race([once(lines, 'line'), ended.then(() => [said])]);
    const line = String(first[0]);
    const { url } = JSON.parse(line) as { readonly url: string };
    expect(await walkThrough(work as string, line)).toBeGreaterThan(0);
    const [, ...check] = jsonAfter('HEALTHCHECK [^\\n]* CMD');
    const healthOf = (port: string) =>
      spawnSync(process.execPath, check, { env: { SPOTTER_PORT: port } }).status;
    expect(healthOf(new URL(url).port)).toBe(0);
    child.kill('SIGTERM');
    await ended;
    expect(child.exitCode).toBe(0);
    expect(healthOf(new URL(url).port)).toBe(1);
  },
);
