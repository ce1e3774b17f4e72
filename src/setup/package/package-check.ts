/**
 * Checks a finished package of `npm run package`: the archive's contents, native files for the right system and in loadable
 * places, the size limit, the fuses, and that it runs where it can (package-run.ts). Returns a list of faults; a good package
 * has none.
 */
import { existsSync, globSync, lstatSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runFaults } from './package-run.ts';

export interface Packed {
  /** Path from the archive's root, with `/`. */
  readonly path: string;
  readonly size: number;
  /** True when the file lies beside the archive. */
  readonly unpacked: boolean;
  /** First bytes of a native file. */
  readonly head?: Buffer;
}

/** Target of a native file, from its header. */
export type System = `${'linux' | 'darwin' | 'win32'}-${'x64' | 'arm64'}`;

/** Maximum bytes of archive and unpacked files together. */
export const MOST = 55_000_000;

const ROOTS = ['out', 'node_modules', 'package.json'];
const NATIVE = /\.(?:node|so(?:\.\d+)*|dylib|dll)$/;
/** Files that users may replace (LGPL). */
const APART = /^out\/renderer\/libheif\.js$|^node_modules\/(?:wasm-vips|libheif-js)\//;
const FOR_MAKERS =
  /\.(?:[mc]?ts|tsx|map|cc?|cpp|hp?p?|gypi?|md|markdown)$|(?:^|\/)(?:tests?|__tests__|bench(?:marks?)?|examples?)\/|\/(?:readme|changelog|history|contributing)[^/]*$|\.test\.[cm]?js$/i;

/** Detects ELF, PE and Mach-O by magic number and machine. A universal Mach-O is taken for both architectures. */
export const systemsOf = (head: Buffer): readonly System[] => {
  const machine = (found: number, x64: number, arm64: number) =>
    found === x64 ? 'x64' : found === arm64 ? 'arm64' : null;
  const of = (system: 'linux' | 'darwin' | 'win32', arch: 'x64' | 'arm64' | null): System[] =>
    arch === null ? [] : [`${system}-${arch}`];
  if (head.toString('latin1', 0, 4) === '\x7fELF')
    return of('linux', machine(head.readUInt16LE(18), 62, 183));
  if (head.toString('latin1', 0, 2) === 'MZ') {
    const at = head.readUInt32LE(60);
    return at + 6 > head.length
      ? []
      : of('win32', machine(head.readUInt16LE(at + 4), 0x8664, 0xaa64));
  }
  if (head.readUInt32LE(0) === 0xfeedfacf)
    return of('darwin', machine(head.readUInt32LE(4), 0x01000007, 0x0100000c));
  return head.readUInt32BE(0) === 0xcafebabe ? ['darwin-x64', 'darwin-arm64'] : [];
};

/** @param systems targets of this package; each native file must serve one of them and must not be for musl */
export const faultsOf = (files: readonly Packed[], systems: readonly System[]): string[] => {
  const faults = files.flatMap(({ path, unpacked, head }) => {
    const native = NATIVE.test(path);
    const serves = head && systemsOf(head).some((one) => systems.includes(one));
    return [
      ...(ROOTS.includes(path.split('/')[0] ?? '')
        ? []
        : [`${path} has no business in the archive`]),
      ...(FOR_MAKERS.test(path) ? [`${path} is for makers`] : []),
      ...(native && (!serves || path.includes('musl')) ? [`${path} is for another system`] : []),
      ...((native || APART.test(path)) && !unpacked ? [`${path} must lie beside the archive`] : []),
    ];
  });
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > MOST) faults.push(`${size} bytes are more than ${MOST}`);
  for (const name of ['out/main/index.js', 'out/preload/index.cjs', 'out/renderer/index.html'])
    if (!files.some(({ path }) => path === name)) faults.push(`${name} is missing`);
  for (const name of ['better-sqlite3', 'keytar'])
    if (!files.some(({ path }) => path.includes(`/${name}/`) && NATIVE.test(path)))
      faults.push(`${name} has no native file`);
  return faults;
};

interface Node {
  readonly files?: Readonly<Record<string, Node>>;
  readonly size?: number;
  readonly unpacked?: boolean;
}

/**
 * Lists every file in an archive.
 * @param archive path of app.asar
 */
const readArchive = async (archive: string): Promise<readonly Packed[]> => {
  const { extractFile, getRawHeader } = await import('@electron/asar');
  const walk = (node: Node, path: string): Packed[] => {
    if (node.files)
      return Object.entries(node.files).flatMap(([name, below]) =>
        walk(below, path === '' ? name : `${path}/${name}`),
      );
    const { size = 0, unpacked = false } = node;
    const beside = join(`${archive}.unpacked`, path);
    const bytes = () => (unpacked ? readFileSync(beside) : extractFile(archive, path));
    return [
      { path, size, unpacked, ...(NATIVE.test(path) ? { head: bytes().subarray(0, 4096) } : {}) },
    ];
  };
  return walk(getRawHeader(archive).header as Node, '');
};

/** Expected fuses, as in Electron's checklist and .config/electron-builder.js. */
const FUSES: Readonly<Record<string, boolean>> = {
  RunAsNode: false,
  EnableCookieEncryption: false,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  EnableEmbeddedAsarIntegrityValidation: true,
  OnlyLoadAppFromAsar: true,
  GrantFileProtocolExtraPrivileges: false,
};

/** @param program Electron's executable, or the folder Spotter.app */
const fuseFaults = async (program: string): Promise<string[]> => {
  const { FuseState, FuseV1Options, getCurrentFuseWire } = await import('@electron/fuses');
  const wire = await getCurrentFuseWire(program);
  return Object.entries(FUSES).flatMap(([name, on]) => {
    const state = wire[FuseV1Options[name as keyof typeof FuseV1Options]];
    return state === (on ? FuseState.ENABLE : FuseState.DISABLE)
      ? []
      : [`the fuse ${name} is not ${on ? 'on' : 'off'}`];
  });
};

interface Made {
  readonly archive: string;
  readonly program: string;
  readonly systems: readonly System[];
}

/** Paths and targets of a package's folder, as electron-builder names it. */
const madeIn = (folder: string): Made => {
  const name = basename(folder);
  const arch = name.includes('arm64') ? 'arm64' : 'x64';
  const app = join(folder, 'Spotter.app');
  if (existsSync(app))
    return {
      archive: join(app, 'Contents/Resources/app.asar'),
      program: app,
      systems: name.includes('universal') ? ['darwin-x64', 'darwin-arm64'] : [`darwin-${arch}`],
    };
  const windows = name.startsWith('win');
  return {
    archive: join(folder, 'resources/app.asar'),
    program: join(folder, windows ? 'Spotter.exe' : 'spotter'),
    systems: [`${windows ? 'win32' : 'linux'}-${arch}`],
  };
};

/** Checks every package under `output` and returns their faults. */
export const checkPackages = async (output: string): Promise<string[]> => {
  const folders = globSync('{linux*-unpacked,win*-unpacked,mac*}', { cwd: output })
    .map((name) => join(output, name))
    .filter((path) => lstatSync(path).isDirectory() && !path.endsWith('-temp'));
  const faults = folders.map(async (folder) => {
    const { archive, program, systems } = madeIn(folder);
    const files = await readArchive(archive);
    const here = systems.includes(`${process.platform}-${process.arch}` as System);
    const all = [
      ...faultsOf(files, systems),
      ...(await fuseFaults(program)),
      ...(here ? await runFaults(archive) : []),
    ];
    return all.map((fault) => `${basename(folder)}: ${fault}`);
  });
  return folders.length === 0 ? ['no package was made'] : (await Promise.all(faults)).flat();
};
