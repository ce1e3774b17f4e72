/** Finds files of this program that are not modules: next to the caller in the sources, at the top of a bundle. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const found = (what: string, places: readonly string[], from: string): string => {
  const path = places
    .map((place) => fileURLToPath(new URL(place, from)))
    .find((one) => existsSync(one));
  if (path === undefined) throw new Error(`${what} is missing`);
  return path;
};

/**
 * Path of a program that another process or thread runs.
 * @param name without extension, as built @param from `import.meta.url` of the caller @param source its path in the sources
 */
export const ownProgram = (name: string, from: string, source = `./${name}.ts`): string =>
  found(`the program ${name}`, [source, `./${name}.js`, `../${name}.js`], from);

/** @param from `import.meta.url` of the caller */
export const ownFolder = (name: string, from: string): string =>
  found(`the folder ${name}`, [`./${name}`, `../${name}`], from);
