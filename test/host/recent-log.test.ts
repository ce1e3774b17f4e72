/** The part of the host's log in "Copy diagnostics": sentences and codes, never their subjects. */
import { expect, it } from 'vitest';
import type { LogLine } from '../../src/host/lib/log.ts';
import { keepRecent } from '../../src/host/lib/recent-log.ts';

it('keeps warnings and errors without their facts, the newest 30, and hands every line on', () => {
  const heard: LogLine[] = [];
  const { log, said } = keepRecent((line) => heard.push(line), { now: () => 1_000 });
  log({ level: 'info', message: 'started' });
  log({ level: 'error', message: 'vault', code: 'EACCES', detail: 'secret at /home/secret' });
  expect(said()).toEqual([{ at: 1_000, level: 'error', message: 'vault', code: 'EACCES' }]);
  for (let n = 0; n < 40; n += 1) log({ level: 'warn', message: `line ${n}` });
  expect(said()).toHaveLength(30);
  expect(said().at(-1)).toEqual({ at: 1_000, level: 'warn', message: 'line 39', code: '' });
  expect(heard).toHaveLength(42);
});
