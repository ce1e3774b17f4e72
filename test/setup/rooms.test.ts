/**
 * The walls between the rooms are the compiler's: each forbidden import is put into a room as a file that exists only
 * in memory, and the room's own project must refuse it. The control, an allowed import in the same place, must pass.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Compiles one more file of a room with the room's own settings, and answers what is wrong in that file. */
const compile = (room: string, text: string): string[] => {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, 'src', room, 'tsconfig.json'),
    { noEmit: true },
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (problem) => expect.fail(String(problem.messageText)),
    },
  );
  if (config === undefined) throw new Error(`${room} has no tsconfig`);
  const { options } = config;
  const file = join(root, 'src', room, 'wall-probe.ts');
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.readFile = (name) => (name === file ? text : readFile(name));
  host.getSourceFile = (name, target, ...rest) =>
    name === file
      ? ts.createSourceFile(name, text, target)
      : getSourceFile.call(host, name, target, ...rest);
  const make = (rootNames: readonly string[], oldProgram?: ts.Program) =>
    ts.createProgram({
      rootNames,
      options,
      host,
      ...(oldProgram === undefined ? {} : { oldProgram }),
      ...(config.projectReferences === undefined
        ? {}
        : { projectReferences: config.projectReferences }),
    });
  // A composite project refuses every source that is neither its own nor of a project it refers to (TS6307). Its own
  // are those of its folder that the probe reaches; the rest of the room need not be compiled each time.
  const reached = make([file]);
  const own = reached
    .getSourceFiles()
    .map(({ fileName }) => fileName)
    .filter((name) => name.startsWith(join(root, 'src', room)));
  return ts
    .getPreEmitDiagnostics(make(own, reached))
    .map(
      ({ code, messageText }) => `TS${code}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
};

// A room sees another through what the compiler wrote of it (as in `tsc -b`): that must be there, and of now.
beforeAll(() => {
  const rooms = ['contract', 'host'].map((room) => join(root, 'src', room));
  ts.createSolutionBuilder(ts.createSolutionBuilderHost(ts.sys), rooms, {}).build();
}, 120_000);

describe('each room imports only what it may', () => {
  const otherRoom = /TS6307/;
  const noNode = /TS(2307|2580|2591)/;
  const noDom = /TS(2304|2584)/;
  const useHost = `import { systemClock } from '../host/clock.ts';\nvoid systemClock;`;
  it.each([
    ['renderer', 'host', useHost, otherRoom],
    ['renderer', 'node:', `import { readFileSync } from 'node:fs';\nvoid readFileSync;`, noNode],
    ['renderer', 'Buffer', `void Buffer.from('x');`, noNode],
    ['contract', 'the DOM', `void document.title;`, noDom],
    ['contract', 'Node', `void process.pid;`, noNode],
    ['contract', 'host', useHost, otherRoom],
    [
      'host',
      'service',
      `import { OptionError } from '../service/options.ts';\nvoid OptionError;`,
      otherRoom,
    ],
    ['host', 'the DOM', `void document.title;`, noDom],
    ['service', 'host', useHost, otherRoom],
    ['preload', 'host', useHost, otherRoom],
    ['setup', 'contract', `import { ok } from '../contract/problem.ts';\nvoid ok;`, otherRoom],
  ])('%s may not use %s', (room, _what, text, reason) => {
    expect(compile(room, text).join('\n')).toMatch(reason);
  });

  it.each([
    ['renderer', `import { ok } from '../contract/problem.ts';\nvoid ok(document.title);`],
    ['contract', `import { ok } from './problem.ts';\nvoid ok(1);`],
    [
      'host',
      `import { readFileSync } from 'node:fs';\nimport { ok } from '../contract/problem.ts';\nvoid ok(readFileSync);`,
    ],
    ['service', `import { ok } from '../contract/problem.ts';\nvoid ok(process.pid);`],
    ['preload', `import { ok } from '../contract/problem.ts';\nvoid ok(document.title);`],
    ['setup', `import { readFileSync } from 'node:fs';\nvoid readFileSync;`],
    ['browser', `import { systemClock } from '../host/clock.ts';\nvoid systemClock;`],
  ])('the control: %s may do this', (room, text) => {
    expect(compile(room, text)).toEqual([]);
  });

  it('the contract types both ends: a misspelt route or field does not compile', () => {
    const uses = (line: string) =>
      compile('renderer', `import { host } from './host/client.ts';\n${line}`);
    const right = `void host.request('near_misses.list', { params: { project_id: 1 }, query: { page: 2 } });`;
    expect(uses(right)).toEqual([]);
    for (const wrong of [
      right.replace('near_misses.list', 'near_miss.list'),
      right.replace('project_id', 'projectId'),
      right.replace('page', 'pagee'),
      right.replace('params: { project_id: 1 }', 'params: {}'),
      `void host.call('reach.chek', {});`,
      `void host.call('settings.set', { theme: 'pink' });`,
      `void host.listen('service.stat', () => undefined);`,
      `void host.request('me.show', { params: {} }).then((r) => r.ok && r.value.data.user.nme);`,
    ])
      expect(uses(wrong), wrong).not.toEqual([]);
  }, 120_000);
});
