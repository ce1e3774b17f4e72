/**
 * `npm run prove [name]`: the promises of the README at full length (thousands of seeded runs), one file each beside this
 * one, in the order of this list. A short form of each belongs into `npm test`.
 */
export interface Case {
  readonly name: string;
  /** Prints its row of the table; answers whether the promise held. */
  run(): Promise<boolean>;
}

/** No promise is proved at full length yet. */
const cases: readonly Case[] = [];

const wanted = process.argv[2];
const chosen = cases.filter(({ name }) => wanted === undefined || name === wanted);
if (chosen.length === 0)
  console.log(
    cases.length === 0
      ? 'There is no long proof yet: nothing was run.'
      : `No proof is called "${wanted}". There are: ${cases.map(({ name }) => name).join(', ')}`,
  );
for (const one of chosen) if (!(await one.run())) process.exitCode = 1;
