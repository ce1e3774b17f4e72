/** What a self-test decides without Electron: answers, report, table, status. The whole of it runs in test/e2e/shell-self-test.spec.ts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Answer,
  selfTestReport,
  shellCheck,
  windowCheck,
} from '../../src/contract/self-test.ts';
import { readArguments } from '../../src/main/arguments.ts';
import {
  collectAnswers,
  databasePlaceAnswer,
  keychainAnswer,
  networkAnswer,
  reportOf,
  serviceAnswer,
  statusOf,
  stopAnswer,
  tableOf,
} from '../../src/main/self-test/self-test.ts';
import { RED_HEIC } from '../../src/renderer/state/self-test/self-test-picture.ts';

const versions = {
  spotter: '1.2.3',
  electron: '44.0.0',
  chromium: '150',
  node: '24.0.0',
  platform: 'linux',
  arch: 'x64',
  system: '6.1',
  packaged: false,
};
const good: Answer = { result: 'pass', sentence: 'Well.' };
const names = [...shellCheck.options, ...windowCheck.options];

const reportWith = (changes: Readonly<Partial<Record<string, Answer | null>>>) => {
  const collected = collectAnswers();
  for (const name of names) {
    const answer = name in changes ? changes[name] : good;
    if (answer) collected.add(name, answer);
  }
  return reportOf(versions, 0, collected.checks('It never came to this.'));
};

describe('a self-test', () => {
  it('is asked for by its file, made absolute; without one it writes one where it was started', () => {
    const asked = (...args: string[]) => readArguments(['spotter', ...args], '/a').self_test;
    expect(asked('--self-test', 'b.json')).toBe('/a/b.json');
    expect(asked('--self-test=/c.json')).toBe('/c.json');
    expect(asked('--self-test')).toBe('/a/spotter-self-test.json');
    expect(asked()).toBeNull();
  });

  it('has status 0 only without a failure; what this machine has not got is none', () => {
    expect(statusOf(reportWith({}))).toBe(0);
    expect(statusOf(reportWith({ camera: { result: 'not here', sentence: 'None.' } }))).toBe(0);
    for (const name of names)
      expect(statusOf(reportWith({ [name]: { result: 'fail', sentence: 'Bad.' } })), name).toBe(1);
  });

  it('has failed in what nobody answered, and tells it; the first answer counts', () => {
    const report = reportWith({ delivery: null });
    expect(statusOf(report)).toBe(1);
    expect(report.checks.find(({ name }) => name === 'delivery')).toEqual({
      name: 'delivery',
      result: 'fail',
      sentence: 'It never came to this.',
    });
    const collected = collectAnswers();
    collected.add('fonts', { result: 'fail', sentence: 'Bad.' });
    collected.add('fonts', good);
    expect(collected.checks('x').find(({ name }) => name === 'fonts')?.result).toBe('fail');
    expect(collected.windowIsDone()).toBe(false);
    for (const name of windowCheck.options) collected.add(name, good);
    expect(collected.windowIsDone()).toBe(true);
  });

  it('is one object by its schema: a check that is missing or there twice is refused', () => {
    const report = reportWith({});
    const [first, ...others] = report.checks;
    expect(selfTestReport.safeParse(report).success).toBe(true);
    expect(selfTestReport.safeParse({ ...report, checks: others }).success).toBe(false);
    const twice = [first, first, ...others.slice(1)];
    expect(selfTestReport.safeParse({ ...report, checks: twice }).success).toBe(false);
  });

  it('is shown with a line for each check, what failed last', () => {
    const lines = tableOf(
      reportWith({
        start: { result: 'fail', sentence: 'Bad.' },
        camera: { result: 'not here', sentence: 'None.' },
      }),
    ).split('\n');
    expect(lines).toHaveLength(names.length + 1);
    expect(lines[0]).toContain('Spotter 1.2.3 from its sources, Electron 44.0.0');
    expect(lines.at(-1)).toMatch(/^fail {6}start +Bad\.$/);
    expect(lines.at(-2)).toMatch(/^not here {2}camera +None\.$/);
  });
});

describe('the shell’s own checks', () => {
  it('a keychain that keeps, gives back and erases passes; one that is locked or not there is told of', () => {
    const read = { state: 'ok', token: 'x' } as const;
    expect(keychainAnswer('ok', read, 'ok', 'darwin').result).toBe('pass');
    expect(keychainAnswer('locked', null, null, 'linux').result).toBe('not here');
    expect(keychainAnswer('absent', null, null, 'linux').result).toBe('not here');
    expect(keychainAnswer('absent', null, null, 'win32').result).toBe('fail');
    for (const state of ['hung', 'denied'] as const)
      expect(keychainAnswer(state, null, null, 'darwin').sentence).toContain(state);
    expect(keychainAnswer('ok', { state: 'empty' }, 'ok', 'darwin').result).toBe('fail');
    expect(keychainAnswer('ok', read, 'hung', 'darwin').result).toBe('fail');
  });

  it('a database elsewhere, a window that asks the network, and a service that runs on are failures', () => {
    expect(databasePlaceAnswer('/x', ['app_spotter_0.indexeddb.leveldb']).result).toBe('pass');
    // The store on SQLite, as Chromium's feature IdbSqliteBackingStore lays it down.
    expect(databasePlaceAnswer('/x', ['app_spotter_0']).result).toBe('pass');
    expect(databasePlaceAnswer('/x', ['app_spotter_0.indexeddb.blob']).result).toBe('fail');
    expect(databasePlaceAnswer('/x', []).result).toBe('fail');
    expect(databasePlaceAnswer('/x', null).result).toBe('fail');
    expect(networkAnswer([]).result).toBe('pass');
    expect(networkAnswer(['https://a.example']).sentence).toContain('https://a.example');
    expect(stopAnswer(5_000, true).result).toBe('pass');
    expect(stopAnswer(5_001, true).result).toBe('fail');
    expect(stopAnswer(10, false).result).toBe('fail');
    expect(serviceAnswer({ ok: true, value: {} }, 5).numbers).toEqual({ ms: 5 });
    const problem = { kind: 'offline', reason: 'refused', detail: 'no port' } as const;
    expect(serviceAnswer({ ok: false, problem }, 5).sentence).toContain('no port');
  });

  it('shows the HEIC picture of the fixtures', () => {
    const fixture = readFileSync(join(import.meta.dirname, '../fixtures/tiles.heic'));
    expect(Buffer.from(RED_HEIC, 'base64').equals(fixture)).toBe(true);
  });
});
