/**
 * `npm run licences`: the list of every package of others that Spotter ships, with its licence and the text of it, as
 * src/renderer/licences.json: shown in the settings, put beside the program in a package. `--check` (in `npm run check`)
 * writes nothing and fails where the list is not what the packages say, or where a licence is not one of ALLOWED.
 *
 * What ships: what main, service and host need at run time (`dependencies`), and what the window's sources name; with all
 * that these need in turn, as package-lock.json has it. The texts are read by license-checker from the packages.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

interface Locked {
  /** The package's own name, where it is installed under another. */
  readonly name?: string;
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
type Lock = Readonly<Record<string, Locked>>;

interface Shipped {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Which of `texts`. */
  readonly text: number;
}

/** Licences that this project may ship: permissive ones, and the LGPL's libraries, which lie as files of their own. */
const ALLOWED = [
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Zlib',
  'Unlicense',
  'CC0-1.0',
  'Python-2.0',
  'MPL-2.0',
  'OFL-1.1',
  'LGPL-3.0',
  'LGPL-3.0-or-later',
];

const LIST = 'src/renderer/licences.json';

const nameOf = (place: string): string =>
  place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Where Node would find `name` from a package's place in the lockfile. */
const placeOf = (lock: Lock, from: string, name: string): string | undefined => {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules') - 1))) {
    const place = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (place in lock) return place;
    if (at === '') return undefined;
  }
};

/** Packages that the window's sources name, by import of any kind, in script or style. */
const namedByWindow = (root: string, known: ReadonlySet<string>): string[] => {
  const named = new Set<string>();
  const files = globSync('src/{renderer,contract}/**/*.{ts,svelte,css}', { cwd: root });
  for (const file of files)
    for (const [, name = ''] of readFileSync(join(root, file), 'utf8').matchAll(
      /(?:from|import\(?|@import)\s*'([^'./][^']*)'/g,
    ))
      named.add(
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      );
  return [...named].filter((name) => known.has(name));
};

/** The places of all packages that ship. */
export const shippedPlaces = (root: string, lock: Lock): string[] => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
    'dependencies' | 'optionalDependencies' | 'devDependencies',
    Record<string, string>
  >;
  const found = new Set<string>();
  const add = (from: string, name: string): void => {
    const place = placeOf(lock, from, name);
    if (place === undefined || found.has(place)) return;
    found.add(place);
    const { dependencies, optionalDependencies } = lock[place] ?? {};
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) add(place, next);
  };
  const { dependencies, optionalDependencies, devDependencies } = manifest;
  const known = new Set(Object.keys({ ...dependencies, ...devDependencies }));
  for (const name of [
    ...Object.keys({ ...dependencies, ...optionalDependencies }),
    ...namedByWindow(root, known),
  ])
    add('', name);
  return [...found];
};

interface Read {
  /** As the package says, or as the checker reads from its files. */
  readonly licence: string;
  /** Empty where the package brings no text. */
  readonly text: string;
}

/** The licence of each installed package, by `name@version`. */
const licencesOf = async (root: string): Promise<ReadonlyMap<string, Read>> => {
  const { init } = await import('license-checker-rseidelsohn');
  const all = await promisify(init)({
    start: root,
    customFormat: { licenseText: '', copyright: '' },
  });
  return new Map(
    Object.entries(all).map(([key, { licenses, licenseFile, licenseText }]) => [
      key,
      {
        // A star says that it was read from a file.
        licence: String(licenses).replace(/\*$/, ''),
        // Where a package has no licence file the checker gives its README.
        text: /readme/i.test(licenseFile ?? 'readme')
          ? ''
          : (licenseText ?? '').replaceAll('\r\n', '\n').trim(),
      },
    ]),
  );
};

/** Packages whose built file holds libraries under more licences than package.json says; which, says a file of theirs. */
const HOLDING: Readonly<Record<string, { readonly licence: string; readonly notices: string }>> = {
  'wasm-vips': { licence: 'MIT AND LGPL-3.0', notices: 'THIRD-PARTY-NOTICES.md' },
};

/** The text of a licence that is the same for everybody, for a package that brings none; of the LGPL, the GPL too, which it amends. */
const usual = (root: string, licence: string): string => {
  const read = (path: string) => readFileSync(join(root, path), 'utf8').trim();
  if (licence.includes('LGPL-3.0'))
    return `${read('node_modules/libheif-js/LICENSE')}\n\n${read('resources/licences/GPL-3.0.txt')}`;
  return licence === 'Apache-2.0' ? read('node_modules/@aws-sdk/client-s3/LICENSE') : '';
};

/** Electron is no dependency of the packages above and ships all the same; its file on Chromium's parts lies beside it. */
const others = (lock: Lock): string[] =>
  'node_modules/electron' in lock ? ['node_modules/electron'] : [];

/** May a package under this licence, an SPDX expression, ship with Spotter? */
export const isAllowed = (licence: string): boolean =>
  licence
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => ALLOWED.includes(one)));

const listOf = async (root: string): Promise<{ list: string; refused: string[] }> => {
  const { packages: lock } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Lock;
  };
  const known = await licencesOf(root);
  const texts: string[] = [''];
  const indexOf = (text: string): number => {
    const at = texts.indexOf(text);
    return at >= 0 ? at : texts.push(text) - 1;
  };
  const shipped = new Map<string, Shipped>();
  const refused: string[] = [];
  const places = [...shippedPlaces(root, lock), ...others(lock)];
  for (const place of places.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))) {
    const whole = nameOf(place);
    const { name = whole, version, license } = lock[place] as Locked;
    const read = known.get(`${name}@${version}`);
    const holding = HOLDING[name];
    const licence = holding?.licence ?? license ?? read?.licence ?? 'not named';
    if (!isAllowed(licence)) refused.push(`${whole}@${version} (${licence})`);
    const own = read?.text ?? '';
    const notices = holding && readFileSync(join(root, place, holding.notices), 'utf8').trim();
    const text = own === '' || notices ? [own, notices, usual(root, licence)] : [own];
    shipped.set(`${name}@${version} ${licence}`, {
      name,
      version,
      licence,
      text: indexOf(text.filter(Boolean).join('\n\n')),
    });
  }
  const list = { packages: [...shipped.values()], texts };
  return { list: `${JSON.stringify(list, null, 1)}\n`, refused };
};

/** The list as one plain text, for whoever has the program's folder. */
export const licencesText = (root: string): string => {
  const { packages, texts } = JSON.parse(readFileSync(join(root, LIST), 'utf8')) as {
    packages: Shipped[];
    texts: string[];
  };
  const rule = '-'.repeat(78);
  return [
    readFileSync(join(root, 'LICENSE'), 'utf8').trim(),
    readFileSync(join(root, 'resources/licences/replace-lgpl.txt'), 'utf8').trim(),
    ...packages.map(({ name, version, licence, text }) =>
      `${name} ${version}\nLicence: ${licence}\n\n${texts[text] ?? ''}`.trim(),
    ),
  ].join(`\n\n${rule}\n`);
};

export const run = async (args: readonly string[]): Promise<number> => {
  const root = process.cwd();
  const { list, refused } = await listOf(root);
  if (refused.length > 0) {
    console.error(`Spotter may not ship: ${refused.join(', ')}. Allowed: ${ALLOWED.join(', ')}.`);
    return 1;
  }
  if (!args.includes('--check')) {
    writeFileSync(join(root, LIST), list);
    return 0;
  }
  if (existsSync(LIST) && readFileSync(LIST, 'utf8') === list) return 0;
  console.error(`${LIST} is not what the packages say: npm run licences.`);
  return 1;
};
