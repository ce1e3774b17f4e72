/** Where a program of ours lies that another process or thread runs: beside its caller among the sources, at the top of a bundle. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @param name without its ending @param from `import.meta.url` of the caller */
export const ownProgram = (name: string, from: string): string => {
  const found = [`./${name}.ts`, `./${name}.js`, `../${name}.js`]
    .map((place) => fileURLToPath(new URL(place, from)))
    .find((path) => existsSync(path));
  if (found === undefined) throw new Error(`the program ${name} is missing`);
  return found;
};
