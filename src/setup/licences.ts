/**
 * `npm run licences`: lists every third-party package that Spotter ships, with its licence and text, in
 * src/renderer/licences.json. Settings show the list, and packages contain it. `--check` (in `npm run check`) writes nothing;
 * it fails when the list is outdated or a licence is not in ALLOWED.
 *
 * Shipped packages are the runtime `dependencies` of main, service and host, the packages that the window's sources import, and
 * their transitive dependencies by package-lock.json. license-checker reads the texts from the packages.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

interface Locked {
  /** The package's real name, when it is installed under an alias. */
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
  /** Index into `texts`. */
  readonly text: number;
}

/** Licences that this project may ship: permissive ones, and the LGPL for libraries in separate files. */
const ALLOWED = [
  'MIT',
  'MIT-0',
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

/** Resolves `name` from a package's place in the lockfile, as Node would. */
const placeOf = (lock: Lock, from: string, name: string): string | undefined => {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules') - 1))) {
    const place = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (place in lock) return place;
    if (at === '') return undefined;
  }
};

/** Packages that the window's sources import, in scripts or styles. */
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

/** What pdf.js draws with in Node. The window draws with the browser. */
const NOT_SHIPPED: ReadonlySet<string> = new Set(['@napi-rs/canvas']);

/** Lockfile places of all shipped packages. */
export const shippedPlaces = (root: string, lock: Lock): string[] => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
    'dependencies' | 'optionalDependencies' | 'devDependencies',
    Record<string, string>
  >;
  const found = new Set<string>();
  const add = (from: string, name: string): void => {
    const place = placeOf(lock, from, name);
    if (place === undefined || found.has(place) || NOT_SHIPPED.has(name)) return;
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
  /** The licence from package.json, or as license-checker detects it from the files. */
  readonly licence: string;
  /** Empty when the package contains no licence text. */
  readonly text: string;
}

/** Licences of all installed packages, by `name@version`. */
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
        // A trailing star means that the licence was detected from a file.
        licence: String(licenses).replace(/\*$/, ''),
        // Without a licence file license-checker returns the README.
        text: /readme/i.test(licenseFile ?? 'readme')
          ? ''
          : (licenseText ?? '').replaceAll('\r\n', '\n').trim(),
      },
    ]),
  );
};

/** Packages whose built file contains libraries under further licences. `notices` names the file that lists them. */
const HOLDING: Readonly<Record<string, { readonly licence: string; readonly notices: string }>> = {
  'wasm-vips': { licence: 'MIT AND LGPL-3.0', notices: 'THIRD-PARTY-NOTICES.md' },
};

/** Returns the standard text of a licence, for a package without one. The LGPL needs the GPL too, which it amends. */
const usual = (root: string, licence: string): string => {
  const read = (path: string) => readFileSync(join(root, path), 'utf8').trim();
  if (licence.includes('LGPL-3.0'))
    return `${read('node_modules/libheif-js/LICENSE')}\n\n${read('resources/licences/GPL-3.0.txt')}`;
  return licence === 'Apache-2.0' ? read('node_modules/@aws-sdk/client-s3/LICENSE') : '';
};

/** Electron ships although it is no dependency of the packages above. A separate file covers Chromium's parts. */
const others = (lock: Lock): string[] =>
  'node_modules/electron' in lock ? ['node_modules/electron'] : [];

/** True when a package under this SPDX expression may ship with Spotter. */
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

/** Formats the list as plain text, for the program's folder. */
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
