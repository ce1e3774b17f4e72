/**
 * dependency-cruiser enforces the boundaries of rooms and folders (.config/dependency-cruiser.js). Forbidden and allowed
 * imports are planted in a temporary folder, and `npm run check`'s own command judges them. The compiler enforces what a room
 * may use of a machine (Node, the DOM): probes that exist only in memory must not compile.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tempDir } from '../support/service.ts';
import { SLOW } from '../support/slow.ts';

const root = join(import.meta.dirname, '../..');

/** Files by path; what must be refused follows with its rule. */
const allowed = {
  'src/contract/words.ts': `export interface Words { readonly one: string }\nexport const words = 1;`,
  'src/disk/file.ts': `import { readFileSync } from 'node:fs';\nexport const file = readFileSync;`,
  'src/host/core.ts': `import { file } from '../disk/file.ts';\nimport { words } from '../contract/words.ts';\nexport const core = [file, words];`,
  'src/renderer/router.ts': `export const go = () => import('./screens/Late.svelte');`,
  'src/renderer/screens/Late.svelte': `<script lang="ts">import { go } from '../router.ts'; go();</script>`,
  'src/renderer/data/company/policy.ts': `export const policy = 1;`,
  'src/renderer/screens/company/policies.ts': `import { policy } from '../../data/company/policy.ts';\nexport const policies = [policy];`,
  'src/renderer/routes.ts': `export const places = () => import('./screens/company/policies.ts');`,
  'src/renderer/data/near-misses/history.ts': `export const history = 1;`,
  'src/renderer/state/started.ts': `import { history } from '../data/near-misses/history.ts';\nexport const started = history;`,
  'src/renderer/data/row.ts': `import type { Words } from '../../contract/words.ts';\nexport type Row = Words;`,
};

const circle = 'no circle';
const in_window = 'no circle in the window';
const refused: readonly (readonly [file: string, text: string, rule: string | RegExp])[] = [
  ['src/service/a.ts', `import { b } from './b.ts';\nexport const a = b;`, circle],
  ['src/service/b.ts', `import { a } from './a.ts';\nexport const b = () => a;`, circle],
  // Three files that import only types.
  ['src/host/x.ts', `import type { Y } from './y.ts';\nexport type X = Y;`, circle],
  ['src/host/y.ts', `import type { Z } from './z.ts';\nexport type Y = Z;`, circle],
  ['src/host/z.ts', `import type { X } from './x.ts';\nexport type Z = X | 1;`, circle],
  // A cycle through a dynamic import: allowed only in the window.
  ['src/service/late.ts', `export const late = () => import('./later.ts');`, circle],
  ['src/service/later.ts', `import { late } from './late.ts';\nexport const later = late;`, circle],
  // Through a component that imports only a type.
  [
    'src/renderer/screens/Round.svelte',
    `<script lang="ts">import type { Shown } from './round.ts'; const { shown }: { shown: Shown } = $props();</script>{shown}`,
    in_window,
  ],
  [
    'src/renderer/screens/round.ts',
    `import Round from './Round.svelte';\nexport type Shown = typeof Round;`,
    in_window,
  ],
  ['src/renderer/core.ts', `import { core } from '../host/core.ts';\nvoid core;`, /^renderer /],
  ['src/contract/up.ts', `import '../host/core.ts';`, /^contract imports/],
  ['src/disk/up.ts', `import '../contract/words.ts';`, /^disk imports/],
  ['src/host/beside.ts', `import '../service/store/sql.ts';`, /^host imports/],
  ['src/service/beside.ts', `import '../host/core.ts';`, /^service imports/],
  ['src/preload/up.ts', `import '../host/core.ts';`, /^preload imports/],
  ['src/setup/app.ts', `import '../contract/words.ts';`, /^setup imports/],
  ['src/service/store/sql.ts', `import '../domain/rule.ts';`, /^service\/store/],
  ['src/service/domain/rule.ts', `import 'kysely';`, 'domain holds the rules'],
  ['src/renderer/data/screen.ts', `import '../screens/Late.svelte';`, /^renderer\/data/],
  ['src/renderer/operations/row.ts', `import '../data/row.ts';`, /^renderer\/operations/],
  [
    'src/renderer/screens/capture/module.ts',
    `import '../../data/company/policy.ts';`,
    'importers of the company module are listed',
  ],
  [
    'src/renderer/screens/engine.ts',
    `import '../outbox/engine/engine.ts';`,
    'screens drive no engine',
  ],
  [
    'src/renderer/outbox/noted.ts',
    `import type { history } from '../data/near-misses/history.ts';\nexport type Noted = typeof history;`,
    'the queue is handed its history',
  ],
  ['src/renderer/outbox/engine/engine.ts', `import '../../state/shared.ts';`, /^renderer\/outbox/],
  ['src/renderer/state/shared.ts', `import '../screens/Late.svelte';`, /^renderer\/state/],
  [
    'src/renderer/parts/Wise.svelte',
    `<script lang="ts">import type { Row } from '../data/row.ts'; const { row }: { row: Row } = $props();</script>{row}`,
    /^renderer\/parts/,
  ],
  ['src/renderer/parts/node.ts', `import 'node:fs';`, /no Node$/],
  ['src/contract/package.ts', `import 'kysely';`, /^contract takes/],
];

interface Broken {
  readonly from: string;
  readonly rule: { readonly name: string };
  readonly cycle?: readonly { readonly name: string }[];
}

/** The violations that `npm run check:walls` finds in another folder: the same command, with the repository's own paths. */
const broken = (folder: string): Promise<Broken[]> =>
  new Promise((resolve, reject) => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: { 'check:walls': string };
    };
    const [, ...args] = scripts['check:walls'].split(' ').map((word) => {
      // Node accepts an absolute module path only as a URL, because a path may begin with a drive.
      if (word.startsWith('./')) return pathToFileURL(join(root, word)).href;
      return word.includes('/') ? join(root, word) : word;
    });
    const env = { ...process.env, NO_COLOR: '1' };
    execFile(
      process.execPath,
      [...args, '--output-type', 'json'],
      { cwd: folder, env, maxBuffer: 64_000_000 },
      (_failed, out, err) => {
        try {
          resolve((JSON.parse(out) as { summary: { violations: Broken[] } }).summary.violations);
        } catch {
          reject(new Error(err));
        }
      },
    );
  });

describe('each room imports only what it may, and no files import each other', () => {
  const folder = tempDir('rooms');
  let found: Broken[] = [];
  beforeAll(async () => {
    const planted = [...Object.entries(allowed), ...refused.map(([file, text]) => [file, text])];
    for (const [file = '', text = ''] of planted) {
      mkdirSync(dirname(join(folder.path, file)), { recursive: true });
      writeFileSync(join(folder.path, file), text);
    }
    // Packages are judged as installed.
    symlinkSync(join(root, 'node_modules'), join(folder.path, 'node_modules'), 'junction');
    found = await broken(folder.path);
  }, 300_000);
  afterAll(() => folder.remove());

  it.each(refused)('refuses %s: %s', (file, _text, rule) => {
    const rules = found.filter(
      ({ from, cycle = [] }) => from === file || cycle.some(({ name }) => name === file),
    );
    expect(rules.map(({ rule: { name } }) => name)).toContainEqual(
      typeof rule === 'string' ? rule : expect.stringMatching(rule),
    );
  });

  it.each(Object.keys(allowed))('the control: allows %s', (file) => {
    expect(found.filter(({ from }) => from === file)).toEqual([]);
  });

  it('README.md and the rooms’ projects say the same', async () => {
    const config = new URL('../../.config/dependency-cruiser.js', import.meta.url).href;
    const { rooms } = (await import(config)) as { rooms: Record<string, string[]> };
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const told = [...readme.matchAll(/^\| \[`src\/(\w+)`\].*\| (.+?) *\|$/gm)].map(
      ([, room = '', cell = '']) => [
        room,
        [...cell.matchAll(/\w+/g)].map(([word]) => word).filter((word) => word in rooms),
      ],
    );
    expect(Object.fromEntries(told)).toEqual(rooms);
    const projects = readdirSync(join(root, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => {
        const text = readFileSync(join(root, 'src', name, 'tsconfig.json'), 'utf8');
        const { references } = JSON.parse(text) as { references: { path: string }[] };
        return [name, references.map(({ path }) => path.replace('../', ''))];
      });
    expect(Object.fromEntries(projects)).toEqual(rooms);
  });

  it('no folder holds more than 20 sources side by side', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /(?<!\.d)\.(?:ts|js|svelte|css|html)$/.test(entry.name))
      .map(({ parentPath }) => relative(join(root, 'src'), parentPath).replaceAll('\\', '/'))
      // One file per subject in each language.
      .filter((folder) => !/^renderer\/words\//.test(folder));
    const sizes = Map.groupBy(sources, (folder) => folder);
    expect([...sizes].filter(([, files]) => files.length > 20).map(([folder]) => folder)).toEqual(
      [],
    );
  });

  const src = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).map((path) =>
    path.replaceAll('\\', '/'),
  );

  it('the README of a room names each of its folders', () => {
    const unnamed = src
      .filter((path) => basename(path) === 'README.md')
      .flatMap((path) => {
        const readme = readFileSync(join(root, 'src', path), 'utf8');
        return readdirSync(dirname(join(root, 'src', path)), { withFileTypes: true })
          .filter((entry) => entry.isDirectory() && !readme.includes(`${entry.name}/`))
          .map(({ name }) => `${dirname(path)}/${name}/`);
      });
    expect(unnamed).toEqual([]);
  });

  it('every source says in its first comment what it does, because no README lists files', () => {
    const silent = src
      .filter((path) => /(?<!\.d)\.(?:ts|js|svelte)$/.test(path))
      .filter((path) => {
        const text = readFileSync(join(root, 'src', path), 'utf8').replace(
          /^(?:#!.*\n|import\s[^;]*;\s*)+/,
          '',
        );
        return !/^(?:\/\*\*|<!--)/.test(text);
      });
    expect(silent).toEqual([]);
  });

  it('src/setup/commands.md lists each command of package.json', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const readme = readFileSync(join(root, 'src/setup/commands.md'), 'utf8');
    const commands = readme.slice(readme.indexOf('## Commands')).match(/[\w:-]+/g);
    const parts = /^(?:check:|prepack$)/;
    const untold = Object.keys(scripts).filter(
      (name) => !parts.test(name) && !commands?.includes(name),
    );
    expect(untold).toEqual([]);
  });

  it('each listed importer of the company module imports it', async () => {
    const config = new URL('../../.config/dependency-cruiser.js', import.meta.url).href;
    const { importers } = (await import(config)) as { importers: string[] };
    const enters = /(?:from|import\()\s*'[^']*\/company\//;
    const strangers = importers.filter(
      (file) => !enters.test(readFileSync(join(root, 'src/renderer', file), 'utf8')),
    );
    expect(strangers).toEqual([]);
  });

  it('the window’s README.md tells of its folders what is checked', async () => {
    const config = new URL('../../.config/dependency-cruiser.js', import.meta.url).href;
    const { folders } = (await import(config)) as { folders: Record<string, string[]> };
    const checked = Object.entries(folders)
      .filter(([folder]) => folder.startsWith('renderer/'))
      .map(([folder, others]) => [folder.replace('renderer/', ''), [...others].sort()]);
    const readme = readFileSync(join(root, 'src/renderer/README.md'), 'utf8');
    const told = [...readme.matchAll(/^\| `([\w-]+)\/` .*\| (.+?) *\|$/gm)].map(
      ([, folder = '', cell = '']) => [
        folder,
        cell === 'nothing'
          ? []
          : cell
              .split(', ')
              .map((name) => name.replace(/ \(types\)$/, '').replaceAll('`', ''))
              .sort(),
      ],
    );
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(checked));
  });
});

/** The errors of each of a room's probes: one program for all, with the room's own settings and sources. */
const compile = (room: string, probes: readonly string[]): string[][] => {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, 'src', room, 'tsconfig.json'),
    { noEmit: true, composite: false, incremental: false, declaration: false },
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (problem) => expect.fail(String(problem.messageText)),
    },
  );
  if (config === undefined) throw new Error(`${room} has no tsconfig`);
  const options = { ...config.options, emitDeclarationOnly: false, tsBuildInfoFile: undefined };
  const names = probes.map((_text, at) => join(root, 'src', room, `wall-probe-${at}.ts`));
  const textOf = (name: string) => probes[names.indexOf(name)];
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (name) => textOf(name) !== undefined || fileExists(name);
  host.readFile = (name) => textOf(name) ?? readFile(name);
  host.getSourceFile = (name, target, ...rest) => {
    const text = textOf(name);
    return text === undefined
      ? getSourceFile.call(host, name, target, ...rest)
      : ts.createSourceFile(name, text, target);
  };
  const program = ts.createProgram({ rootNames: names, options, host });
  return names.map((name) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(name))
      .map(
        ({ code, messageText: text }) => `TS${code}: ${ts.flattenDiagnosticMessageText(text, ' ')}`,
      ),
  );
};

/** The contract types both ends: the first line is correct, the others are misspelt. */
const uses = (line: string) => `import { host } from './host/client.ts';\n${line}`;
const right = `void host.request('near_misses.list', { params: { project_id: 1 }, query: { page: 2 } });`;
const misspelt = [
  right.replace('near_misses.list', 'near_miss.list'),
  right.replace('project_id', 'projectId'),
  right.replace('page', 'pagee'),
  right.replace('params: { project_id: 1 }', 'params: {}'),
  `void host.call('reach.chek', {});`,
  `void host.call('settings.set', { theme: 'pink' });`,
  `void host.listen('service.stat', () => undefined);`,
  `void host.request('me.show', { params: {} }).then((r) => r.ok && r.value.data.user.nme);`,
];

/** A complete operation of the queue, and one that lacks a member. */
const operation = `import type { Handler } from './outbox/handlers/handler.ts';`;
const whole = `${operation}\ndeclare const one: Handler<'photo.remove', null>;\nvoid (one satisfies Handler<'photo.remove', null>);`;
const lacking = (answer: string) =>
  whole.replace(
    `one: Handler<'photo.remove', null>`,
    `one: Omit<Handler<'photo.remove', null>, '${answer}'>`,
  );

describe('each room touches only what it may of a machine', () => {
  const noNode = /TS(2307|2580|2591)/;
  const noDom = /TS(2304|2584)/;
  const wrong = /TS\d+/;
  const useContract = `import { ok } from '../contract/problem.ts';`;
  const useNode = `import { readFileSync } from 'node:fs';\nvoid readFileSync;`;
  type Probe = readonly [text: string, reason: RegExp | null];
  const probes: Readonly<Record<string, readonly Probe[]>> = {
    'renderer, where a misspelt word of the contract or an operation that lacks an answer does not compile either':
      [
        [useNode, noNode],
        [`void Buffer.from('x');`, noNode],
        [`${useContract}\nvoid ok(document.title);`, null],
        [uses(right), null],
        ...misspelt.map((line) => [uses(line), wrong] as const),
        [whole, null],
        [lacking('send'), /'send' is missing/],
        [lacking('rows'), /'rows' is missing/],
      ],
    contract: [
      [`void document.title;`, noDom],
      [`void process.pid;`, noNode],
      [`import { ok } from './problem.ts';\nvoid ok(1);`, null],
    ],
    host: [
      [`void document.title;`, noDom],
      [`${useContract}\n${useNode}\nvoid ok(1);`, null],
    ],
  };
  const judge = (title: string, ofRoom: readonly Probe[]): void => {
    const [room = ''] = title.split(',');
    const said = compile(
      room,
      ofRoom.map(([text]) => text),
    );
    for (const [at, [text, reason]] of ofRoom.entries())
      if (reason === null) expect(said[at], text).toEqual([]);
      else expect(said[at]?.join('\n'), text).toMatch(reason);
  };
  it.each(Object.entries(probes))('%s', { ...SLOW, timeout: 300_000 }, judge);
});
