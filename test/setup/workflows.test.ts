/**
 * The workflows under .github: every action is pinned to a commit and named with its version; the release publishes nothing
 * without a person.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const folder = join(import.meta.dirname, '../../.github/workflows');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

it('every action is pinned by its commit', () => {
  const used = readdirSync(folder).flatMap((name) =>
    read(name)
      .split('\n')
      .filter((line) => /^\s*-? ?uses:/.test(line))
      .map((line) => `${name}: ${line.trim()}`),
  );
  expect(used.length).toBeGreaterThan(4);
  for (const line of used)
    expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

it('the suites run on every Windows and macOS in use, in a folder with a space and an umlaut', () => {
  const ci = read('ci.yml');
  for (const system of ['windows-2022', 'windows-2025', 'macos-14', 'macos-15'])
    expect(ci).toContain(system);
  expect(ci).toContain('path: Jörg Müller/spotter');
  expect(ci).toContain('core.autocrlf true');
});

it('the browsers, the policy and the keychain of real laptops are tried where they are', () => {
  const ci = read('ci.yml');
  for (const there of ['chrome.exe', 'msedge.exe', 'Google Chrome', 'Microsoft Edge'])
    expect(ci).toContain(there);
  expect(ci).toContain('RemoteDebuggingAllowed');
  expect(ci).toContain('security create-keychain');
});

it('the image of the service is built, and does the main job alone and in compose.yaml', () => {
  expect(read('ci.yml')).toContain('run: .ci/container');
  const script = readFileSync(join(folder, '../../.ci/container'), 'utf8');
  for (const step of ['docker build -f resources/server/Dockerfile', 'docker compose up'])
    expect(script).toContain(step);
  expect(script.match(/^main_job$/gm)).toHaveLength(2);
});

it('a release is a draft, and only the job that makes it may write', () => {
  const release = read('release.yml');
  expect(release).toMatch(/gh release create .*--draft/);
  expect(release).toContain('--publish never');
  expect(release.match(/contents: write/g)).toHaveLength(1);
  expect(release.indexOf('contents: write')).toBeGreaterThan(release.indexOf('\n  draft:'));
});

it('each system’s package is driven before its inspector is taken away, and what ships tests itself', () => {
  const release = read('release.yml');
  expect(release).toMatch(
    /enableNodeCliInspectArguments=true\n\s+- name: End to end in the package/,
  );
  for (const system of ['linux', 'mac', 'win'])
    expect(release).toContain(`dist/spotter-${system}.self-test.json`);
  expect(read('ci.yml').match(/npm run verify:electron/g)).toHaveLength(2);
});
