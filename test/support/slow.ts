/** Tests that `npm test` leaves out. */
import { it, type TestContext, type TestOptions } from 'vitest';

/** The options of a slow test that `slow` cannot begin: `it.each(…)(title, SLOW, body)`, `it.skipIf(…)(title, SLOW, body)`. */
export const SLOW = { tags: 'slow' } as const;

type Body = (context: TestContext) => unknown;

/**
 * `it` for a test that takes more than a few seconds, while quicker tests or a journey show the core of its promise. `npm run test:all` runs it.
 */
export const slow = (
  title: string,
  ...rest: readonly [Body] | readonly [TestOptions, Body]
): void => {
  const [options, body] = rest.length === 1 ? [{}, rest[0]] : rest;
  it(title, { ...options, ...SLOW }, body);
};
