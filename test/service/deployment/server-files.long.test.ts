/** resources/server, judged by the programs that read its files: systemd's, Prometheus', Caddy's (decisions §10). */
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { optionTable } from '../../../src/service/options.ts';
import { debianProgram } from '../../support/debian.ts';
import { tempDir } from '../../support/service.ts';

const server = fileURLToPath(new URL('../../../resources/server', import.meta.url));
const read = (name: string): string => readFileSync(join(server, name), 'utf8');

const folderOf = (name: string): string => {
  const folder = tempDir(name);
  onTestFinished(() => folder.remove());
  return folder.path;
};

const [analyze, promtool, caddy] = await Promise.all([
  debianProgram('systemd', '/usr/bin/systemd-analyze', ['--version']),
  debianProgram('prometheus', '/usr/bin/promtool', ['--version']),
  debianProgram('caddy', '/usr/bin/caddy', ['version']),
]);
const needing = (name: string, program: string | null): string =>
  program === null ? ` (needs Debian’s ${name})` : '';

it.skipIf(analyze === null)(
  `decisions §10: systemd accepts the unit, which is hardened${needing('systemd', analyze)}`,
  () => {
    const folder = folderOf('unit');
    const unit = join(folder, 'spotter@.service');
    // The program is not installed here, and systemd looks for it.
    const text = read('spotter@.service').replace('/usr/local/bin/spotter service', '/bin/true');
    expect(text).toContain('ExecStart=/bin/true');
    writeFileSync(unit, text);
    const verified = spawnSync(analyze ?? '', ['verify', unit], { encoding: 'utf8' });
    expect([verified.status, verified.stderr]).toEqual([0, '']);
    const judged = spawnSync(analyze ?? '', ['security', '--offline=true', unit], {
      encoding: 'utf8',
    });
    const exposure = Number(/exposure level .*: (\d+\.\d+)/.exec(judged.stdout)?.[1]);
    expect(exposure).toBeLessThan(2);
  },
);

it.skipIf(promtool === null)(
  `decisions §10: Prometheus accepts the five alerts and the scrape configuration${needing('prometheus', promtool)}`,
  () => {
    const folder = folderOf('prometheus');
    copyFileSync(join(server, 'monitoring/alerts.yaml'), join(folder, 'alerts.yaml'));
    const config = read('monitoring/prometheus.yaml').replace(
      '/etc/prometheus/spotter-alerts.yaml',
      join(folder, 'alerts.yaml'),
    );
    writeFileSync(join(folder, 'prometheus.yaml'), config);
    const checked = spawnSync(
      promtool ?? '',
      ['check', 'config', join(folder, 'prometheus.yaml')],
      {
        encoding: 'utf8',
      },
    );
    expect([checked.status, checked.stdout]).toEqual([0, expect.stringContaining('5 rules found')]);
  },
);

it.skipIf(caddy === null)(
  `decisions §10: Caddy accepts the configuration with the store of photos${needing('caddy', caddy)}`,
  () => {
    const adapted = spawnSync(
      caddy ?? '',
      ['adapt', '--adapter', 'caddyfile', '--config', join(server, 'Caddyfile')],
      {
        encoding: 'utf8',
        env: {
          SPOTTER_NAME: 'spotter.example.com',
          SPOTTER_FILES_NAME: 'files.spotter.example.com',
          SPOTTER_UPSTREAMS: 'spotter-1:3210 spotter-2:3210',
        },
      },
    );
    expect(adapted.status).toBe(0);
    for (const text of ['files.spotter.example.com', 'spotter-2:3210', 'store:8333', '/readyz'])
      expect(adapted.stdout).toContain(text);
  },
);

it('decisions §10: every variable that the examples set is one of the service, or of compose.yaml', () => {
  const known = new Set(
    Object.keys(optionTable).map((name) => `SPOTTER_${name.toUpperCase().replaceAll('-', '_')}`),
  );
  const set = (text: string, line: RegExp): string[] =>
    [...text.matchAll(line)].map(([, name = '']) => name);
  const ours = [
    ...set(read('spotter.env.example'), /^(SPOTTER_\w+)=/gm),
    ...set(read('Dockerfile'), /(SPOTTER_\w+)=/g),
    ...set(read('compose.yaml').split('\nservices:')[0] ?? '', /^ +(SPOTTER_\w+):/gm),
  ];
  expect(ours.length).toBeGreaterThan(8);
  expect(ours.filter((name) => !known.has(name))).toEqual([]);
  const asked = new Set(set(read('compose.yaml'), /\$\{(SPOTTER_\w+)/g));
  expect(new Set(set(read('.env.example'), /^(SPOTTER_\w+)=/gm))).toEqual(asked);
});
